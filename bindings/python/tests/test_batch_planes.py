from __future__ import annotations

from typing import Any, Literal

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS, random_game
from numpy.typing import NDArray

#: Planes of the first and of the second player, and whether the players move in opposite directions.
SIDES = {
    "loa": ([0], [1], False),
    "breakthrough": ([0], [1], True),
    "checkers": ([0, 1], [2, 3], True),
    "jump61": ([0], [1], False),
}


def planes_of(batch: plyhouse.Batch) -> NDArray[np.float32]:
    assert batch.observations is not None
    return batch.observations


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("perspective", ["board", "mover"])
def test_history_and_turn_planes(name: str, size: int, perspective: Literal["board", "mover"]) -> None:
    history, own = 3, len(plyhouse.about(name)["planes"])
    batch = plyhouse.Batch(
        name, 4, size=size, history=history, turn_plane=True, perspective=perspective, seed=size, move_limit=25
    )
    assert planes_of(batch).shape == (4, own * 4 + 1, size, size) and len(batch.planes) == own * 4 + 1
    seen: list[list[plyhouse.Position]] = [[batch.position(number)] for number in range(4)]
    first, second, is_directed = SIDES[name]
    for _ in range(60):
        for number in range(4):
            turn = batch.players[number]
            assert (planes_of(batch)[number, -1] == turn).all()
            for ply in range(history + 1):
                board = planes_of(batch)[number, own * ply : own * (ply + 1)]
                if ply >= len(seen[number]):
                    assert not board.any()
                    continue
                expected = seen[number][-1 - ply].observation()
                if perspective == "mover" and turn == 1:
                    order = np.arange(own)
                    order[first + second] = second + first
                    expected = expected[order]
                    if is_directed:
                        expected = expected[:, ::-1, ::-1]
                assert (board == expected).all()
        batch.step(batch.sample())
        for number in range(4):
            if batch.plies[number] == 0:
                seen[number] = []
            seen[number].append(batch.position(number))


def test_planes_have_names() -> None:
    batch = plyhouse.Batch("breakthrough", 1, history=2, turn_plane=True)
    assert batch.planes == [
        "White's pieces", "Black's pieces", "empty squares",
        "White's pieces, 1 ply earlier", "Black's pieces, 1 ply earlier", "empty squares, 1 ply earlier",
        "White's pieces, 2 plies earlier", "Black's pieces, 2 plies earlier", "empty squares, 2 plies earlier",
        "1 if Black is to move, otherwise 0",
    ]  # fmt: skip
    own = "the mover's men", "the mover's towers", "the opponent's men", "the opponent's towers", "empty dark cells"
    assert plyhouse.Batch("checkers", 1, perspective="mover").planes == list(own)


@pytest.mark.parametrize(("name", "size"), [board for board in BOARDS if SIDES[board[0]][2]])
def test_the_second_mover_uses_the_ids_of_the_turned_board(name: str, size: int) -> None:
    """Play the same moves with both kinds of ids. A reply with the id of the first move mirrors it."""
    usual, seen = (plyhouse.Batch(name, 8, size=size, seed=1, perspective=p) for p in ("board", "mover"))
    action = seen.legal_actions()[1][0]
    start = planes_of(seen)[0].copy()
    seen.step([action] * 8)
    opened = planes_of(seen)[0].copy()
    seen.step([action] * 8)
    assert (planes_of(seen)[0] != opened).any() and start.sum() == planes_of(seen)[0].sum()
    seen.reset()
    for _ in range(30):
        actions, moves = seen.sample().copy(), []
        assert seen.action_masks is not None
        for number in range(8):
            moves.append(seen.move_of(number, int(actions[number])))
            assert seen.action_of(number, moves[-1]) == actions[number]
            assert seen.action_masks[number].sum() == len(seen.position(number).legal_actions())
            assert seen.action_masks[number, actions[number]]
        usual.step([usual.action_of(number, move) for number, move in enumerate(moves)])
        seen.step(actions)
        assert [usual.position(number) for number in range(8)] == [seen.position(number) for number in range(8)]


def test_both_players_see_the_same_start_from_their_side() -> None:
    for name in ("checkers", "breakthrough"):
        batch = plyhouse.Batch(name, 1, perspective="mover")
        first, ids = planes_of(batch).copy(), batch.legal_actions()[1]
        text = str(batch.position(0))
        batch.set_positions([text[:-1] + {"w": "b", "b": "w"}[text[-1]]])
        assert batch.players[0] == 1
        assert (planes_of(batch) == first).all() and batch.legal_actions()[1].tolist() == ids.tolist()


def image(position: plyhouse.Position, squares: NDArray[np.int64]) -> str:
    """Return the text of a position after a symmetry, a permutation of the squares of a plane."""
    board, blank, rest = str(position).partition(" ")
    rows, size = board.split("/"), position.size
    width = len(rows[0]) // size
    is_upside_down = position.game in ("loa", "breakthrough")
    order = slice(None, None, -1 if is_upside_down else 1)
    cells = [row[width * column : width * (column + 1)] for row in rows[order] for column in range(size)]
    cells = [cells[square] for square in squares.tolist()]
    rows = ["".join(cells[size * row : size * (row + 1)]) for row in range(size)][order]
    return "/".join(rows) + blank + rest


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("options", [{}, {"actions": "compact", "perspective": "mover", "history": 1}])
def test_symmetries_map_positions_and_moves(name: str, size: int, options: dict[str, Any]) -> None:
    """Compare planes, legal ids and positions after a move in a position and in its image."""
    batch, other = (plyhouse.Batch(name, 1, size=size, **options) for _ in range(2))
    squares, actions = batch.symmetries()
    count = {"loa": 8, "jump61": 8, "breakthrough": 2, "checkers": 1}[name]
    assert squares.shape == (count, size * size) and actions.shape == (count, batch.num_actions)
    assert (squares[0] == np.arange(size * size)).all() and (actions[0] == np.arange(batch.num_actions)).all()
    assert len({row.tobytes() for row in squares}) == count
    for symmetry in range(count):
        assert sorted(actions[symmetry].tolist()) == list(range(batch.num_actions))
    for ply, position in enumerate(random_game(name, size, 5).positions[:24]):
        if position.is_over:
            break
        symmetry = (ply + 1) % count
        batch.set_positions([position])
        other.set_positions([image(position, squares[symmetry])])
        assert batch.action_masks is not None and other.action_masks is not None
        assert (other.action_masks[0] == batch.action_masks[0, actions[symmetry]]).all()
        inverse = np.argsort(actions[symmetry])
        action = int(batch.sample()[0])
        batch.step([action])
        other.step([int(inverse[action])])
        if not (batch.terminated[0] or batch.truncated[0]):
            assert str(other.position(0)) == image(batch.position(0), squares[symmetry])
            flat = planes_of(batch).reshape(len(batch.planes), -1)[:, squares[symmetry]]
            assert (planes_of(other)[0].reshape(flat.shape) == flat).all()
        assert (other.rewards == batch.rewards).all()


@pytest.mark.parametrize(("name", "size"), [("jump61", 2), ("breakthrough", 4), ("loa", 4)])
def test_rewards_of_the_mover(name: str, size: int) -> None:
    usual, mover = (plyhouse.Batch(name, 20, size=size, seed=2, rewards=rewards) for rewards in ("players", "mover"))
    assert mover.rewards.shape == (20,)
    seen = set()
    for _ in range(150):
        movers = usual.players.copy()
        actions = usual.sample()
        usual.step(actions)
        mover.step(actions)
        assert mover.rewards.tolist() == usual.rewards[np.arange(20), movers].tolist()
        seen |= set(mover.rewards.tolist())
    assert 1.0 in seen and 0.0 in seen


def test_a_mover_can_lose_by_its_own_move() -> None:
    start = "-bb-/bw-b/b---/-wbb b"
    assert plyhouse.Position("loa", start).play("d1-b3").winner == 1, "the move connects White's pieces only"
    batch = plyhouse.Batch("loa", 1, start=start, rewards="mover")
    batch.step([batch.action_of(0, "d1-b3")])
    assert batch.terminated.tolist() == [True] and batch.rewards.tolist() == [-1.0]


@pytest.mark.parametrize("options", [{}, {"perspective": "mover", "history": 2, "turn_plane": True}])
def test_final_observations_are_those_without_a_reset(options: dict[str, Any]) -> None:
    batch = plyhouse.Batch("breakthrough", 6, size=4, seed=1, final_observations=True, **options)
    kept = plyhouse.Batch("breakthrough", 6, size=4, seed=1, auto_reset=False, **options)
    assert batch.final_observations is not None and batch.final_observations.shape == planes_of(batch).shape
    ends = 0
    for _ in range(60):
        actions = batch.sample()
        batch.step(actions)
        kept.step(actions)
        ended = batch.terminated | batch.truncated
        assert (ended == kept.finished).all()
        assert (batch.final_observations[ended] == planes_of(kept)[ended]).all()
        assert not batch.final_observations[~ended].any()
        ends += int(ended.sum())
        kept.reset(ended)
    assert ends > 6
    assert plyhouse.Batch("loa", 1).final_observations is None
