from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS, random_game
from numpy.typing import NDArray

OPTIONS: list[dict[str, Any]] = [
    {},
    {"auto_reset": False, "final_observations": True, "rewards": "mover", "history": 2, "turn_plane": True},
    {"actions": "compact", "perspective": "mover", "move_limit": 20, "repetitions": 2, "masks": False},
]
ARRAYS = [
    "observations", "final_observations", "action_masks", "rewards", "terminated", "truncated", "finished", "players",
    "plies",
]  # fmt: skip


ALL = slice(None)


def content(batch: plyhouse.Batch, games: slice | NDArray[np.generic] = ALL) -> list[Any]:
    """Return everything that a batch shows about some games."""
    arrays = [getattr(batch, name) for name in ARRAYS]
    shown: list[Any] = [None if array is None else array[games].tobytes() for array in arrays]
    numbers = np.arange(len(batch))[games].tolist()
    return [*shown, [str(batch.position(number)) for number in numbers]]


def play(batch: plyhouse.Batch, steps: int) -> list[Any]:
    """Play random moves, and return their results."""
    seen = []
    for _ in range(steps):
        batch.step(batch.sample())
        seen.append(content(batch))
    return seen


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_continue_alike(
    name: str, size: int, options: dict[str, Any], copied: Callable[[plyhouse.Batch], plyhouse.Batch]
) -> None:
    batch = plyhouse.Batch(name, 6, size=size, seed=size, **options)
    play(batch, 12)
    same = copied(batch)
    assert content(same) == content(batch)
    for attribute in ("game", "size", "num_actions", "auto_reset", "move_limit", "threads", "planes"):
        assert getattr(same, attribute) == getattr(batch, attribute)
    assert play(same, 25) == play(batch, 25)


def test_copies_keep_repetitions_rules_and_starts() -> None:
    start = plyhouse.Position("loa", size=5).play("b1-b3")
    batch = plyhouse.Batch("loa", 2, start=[start, plyhouse.Position("loa", size=5)], rules="mso", seed=1)
    play(batch, 9)
    same = pickle.loads(pickle.dumps(batch, protocol=0))
    assert play(same, 200) == play(batch, 200)
    same.reset()
    assert str(same.position(0)) == str(start) + " mso" and same.plies.tolist() == [0, 0]


def test_a_broken_state_is_refused() -> None:
    batch = plyhouse.Batch("loa", 2, seed=1)
    state = batch.__reduce__()[2]
    before = content(batch)
    for key, value in [("positions", ["x", "y"]), ("plies", [1]), ("random", [0, 1, 2])]:
        with pytest.raises(ValueError, match=r"saved state|position|row"):
            batch.__setstate__({**state, "games": {**state["games"], key: value}})
        assert content(batch) == before


@pytest.mark.parametrize("options", OPTIONS)
def test_a_clone_has_copies_of_games(options: dict[str, Any]) -> None:
    batch = plyhouse.Batch("loa", 5, size=5, seed=2, **options)
    play(batch, 14)
    indices = np.array([3, 0, 3, 3])
    before = content(batch)
    clone = batch.clone(indices)
    assert len(clone) == 4 and content(clone) == content(batch, indices) and content(batch) == before
    assert content(batch.clone()) == before
    legal = clone.sample().copy()
    clone.step(legal)
    assert content(batch) == before
    play(clone, 20)
    clone.reset()
    assert set(clone.plies.tolist()) == {0}


def test_copies_of_a_game_in_a_clone_play_different_moves() -> None:
    batch = plyhouse.Batch("loa", 1, seed=1)
    clone = batch.clone(np.zeros(64, np.int64))
    assert len(set(clone.sample().tolist())) > 10
    assert clone.sample().tolist() != batch.clone([0] * 64).sample().tolist()
    assert (
        plyhouse.Batch("loa", 1, seed=1).clone([0] * 64).sample().tolist()
        == plyhouse.Batch("loa", 1, seed=1).clone([0] * 64).sample().tolist()
    )


def test_wrong_indices_of_a_clone() -> None:
    batch = plyhouse.Batch("loa", 3)
    cases: list[tuple[Any, type[Exception], str]] = [
        ([3], IndexError, "game 3: expected 0 to 2"),
        ([0, -1], IndexError, "game -1: expected 0 to 2"),
        ([], ValueError, "0 indices: expected 1"),
        ([0.5], TypeError, "indices: float64 found"),
        ([True, False, True], TypeError, "indices: bool found"),
        ([[0]], TypeError, "an array of 2 dimensions found"),
    ]
    for indices, error, words in cases:
        with pytest.raises(error, match=words):
            batch.clone(indices)


@pytest.mark.parametrize("auto_reset", [False, True])
def test_a_step_of_some_games_leaves_the_others(auto_reset: bool) -> None:
    batch = plyhouse.Batch("jump61", 6, size=2, auto_reset=auto_reset, seed=4)
    where = np.array([True, False, True, False, True, False])
    for _ in range(40):
        others = content(batch, ~where)
        actions = batch.sample().copy()
        actions[~where] = -7
        batch.step(actions, where=where)
        assert content(batch, ~where)[6:] == others[6:] and content(batch, ~where)[:3] == others[:3]
        for array in (batch.rewards, batch.terminated, batch.truncated):
            assert not array[~where].any()
    assert batch.terminated.any() or not auto_reset
    assert batch.plies[1] == 0 < batch.plies[0] or auto_reset
    with pytest.raises(ValueError, match="where: 2 marks: expected 6"):
        batch.step(batch.sample(), where=[True, False])
    with pytest.raises(TypeError, match="where: int64 found, expected True or False"):
        batch.step(batch.sample(), where=[0, 1, 2])  # type: ignore[list-item]
    batch.reset()
    with pytest.raises(ValueError, match="game 4: action -7 is not legal"):
        batch.step([-7] * 6, where=[False] * 4 + [True] * 2)


def test_results_belong_to_the_last_step() -> None:
    batch = plyhouse.Batch("jump61", 8, size=2, auto_reset=False, final_observations=True, seed=1)
    over = np.zeros(8, bool)
    while not over.all():
        batch.step(batch.sample())
        ended = batch.terminated | batch.truncated
        assert not (ended & over).any(), "a game ends once"
        over |= ended
        assert (batch.finished == over).all()
        assert (batch.rewards.any(axis=1) == ended).all()
        assert batch.final_observations is not None and batch.observations is not None
        assert (batch.final_observations[ended] == batch.observations[ended]).all()
        assert not batch.final_observations[~ended].any()
    batch.step([0] * 8)
    assert batch.final_observations is not None
    assert not (batch.terminated.any() or batch.rewards.any() or batch.final_observations.any())


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_positions_can_be_set_up(name: str, size: int) -> None:
    batch = plyhouse.Batch(name, 3, size=size, history=1, seed=1)
    start = batch.position(0)
    play(batch, 2)
    record = random_game(name, size, 3).positions
    first, second = record[1], record[len(record) // 2]
    batch.set_positions([first, str(second), None], where=[True, True, False])
    assert batch.position(0) == first and batch.position(1) == second
    assert batch.plies.tolist()[:2] == [0, 0] and batch.players.tolist()[:2] == [first.turn, second.turn]
    assert batch.observations is not None
    planes = len(batch.planes) // 2
    for number, position in enumerate([first, second]):
        assert (batch.observations[number, :planes] == position.observation()).all()
        assert not batch.observations[number, planes:].any()
    batch.reset()
    assert [batch.position(number) for number in range(3)] == [start] * 3


def test_wrong_positions_change_nothing() -> None:
    batch = plyhouse.Batch("breakthrough", 2, size=4, seed=1)
    before = content(batch)
    good = batch.position(0)
    cases: list[tuple[Any, type[Exception], str]] = [
        ([good, "w---/b---/----/---- b"], ValueError, "game 1: w---/b---/----/---- b: the game is over there"),
        ([good, "x"], ValueError, "game 1: "),
        ([good, plyhouse.Position("breakthrough", size=5)], ValueError, "game 1: a position of 5 squares"),
        (
            [good, plyhouse.Position("loa", size=4)],
            ValueError,
            "game 1: a position of loa found, expected breakthrough",
        ),
        ([good, None], TypeError, "game 1: NoneType found, expected a position"),
        ([good], ValueError, "1 positions: expected 2"),
        ("ab", ValueError, "positions: expected 2"),
        (good, TypeError, ""),
    ]
    for positions, error, words in cases:
        with pytest.raises(error, match=words or None):
            batch.set_positions(positions)
        assert content(batch) == before
    with pytest.raises(ValueError, match=r'game 0: .*: a position under the rules "mso", expected "plyhouse"'):
        plyhouse.Batch("loa", 1).set_positions([str(plyhouse.Position("loa")) + " mso"])


def test_each_game_can_have_its_own_start() -> None:
    starts = random_game("breakthrough", 5, 1).positions[:9]
    batch = plyhouse.Batch("breakthrough", 9, start=[starts[0], *map(str, starts[1:])], size=5, seed=1)
    assert [batch.position(number) for number in range(9)] == starts
    ended = np.zeros(9, bool)
    while not ended.all():
        batch.step(batch.sample())
        now = batch.terminated | batch.truncated
        for number in np.flatnonzero(now).tolist():
            assert batch.position(number) == starts[number] and batch.plies[number] == 0
        ended |= now
    with pytest.raises(ValueError, match="the game is over there"):
        plyhouse.Batch("breakthrough", 2, start=[starts[0], random_game("breakthrough", 5, 1).position])


@pytest.mark.parametrize("name", plyhouse.GAMES)
def test_results_do_not_depend_on_the_number_of_threads(name: str) -> None:
    def results(threads: int | None) -> list[Any]:
        batch = plyhouse.Batch(name, 4200, seed=5, threads=threads, masks=False, actions="compact", move_limit=30)
        assert batch.threads == threads or threads is None
        logits = np.random.default_rng(1).standard_normal((4200, batch.num_actions), dtype=np.float32)
        seen: list[Any] = []
        for _ in range(2):
            batch.step(batch.sample(logits))
            seen += [content(batch), [array.tolist() for array in batch.legal_actions()]]
            seen.append(batch.log_softmax(logits).tolist())
        seen += [batch.rollout(40), content(batch), batch.sample().tolist()]
        for wrong in (1, 1500, 4100):
            with pytest.raises(ValueError, match=f"game {wrong}: action -3"):
                batch.step(np.where(np.arange(4200) >= wrong, -3, batch.sample()))
        return seen

    one = results(1)
    assert results(2) == one
    assert results(4) == one
    assert results(None) == one


def test_a_rollout_has_the_same_results_in_any_pieces() -> None:
    whole, pieces = (plyhouse.Batch("checkers", 5, seed=8, auto_reset=False) for _ in range(2))
    ended = whole.rollout(300)
    assert sum(pieces.rollout(steps) for steps in (1, 99, 200)) == ended > 0
    assert content(whole)[6:] == content(pieces)[6:]
    assert (whole.terminated | whole.truncated).sum() == ended


def test_a_seed_restarts_the_random_numbers_of_the_marked_games() -> None:
    batch = plyhouse.Batch("loa", 4, seed=6)
    first = batch.sample().tolist()
    batch.reset([True, False, True, False], seed=6)
    again = batch.sample().tolist()
    assert [again[0], again[2]] == [first[0], first[2]] and again != first
