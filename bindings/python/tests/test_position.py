from __future__ import annotations

import pathlib
import pickle
import re

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS, positions

PERFT = pathlib.Path(__file__).parents[3] / "testdata" / "perft"


def test_a_start_is_what_the_rules_say() -> None:
    start = plyhouse.Position("loa")
    assert str(start) == "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- b"
    assert (start.game, start.size, start.turn, start.side_to_move) == ("loa", 8, 0, "Black")
    assert len(start.legal_moves()) == 36
    assert start.side_names == ("Black", "White")
    assert (start.is_over, start.winner) == (False, None)
    after = start.play("b1-d3")
    assert (after.turn, start.turn, after.side_to_move) == (1, 0, "White")
    assert start.diagram().splitlines()[0].split()[0] == "8"


def test_a_won_board_is_over() -> None:
    won = plyhouse.Position("loa", "--------/--bb----/--------/--------/w-------/--------/--------/-------w w")
    assert (won.is_over, won.winner, won.legal_moves(), won.legal_actions()) == (True, 0, [], [])
    assert not won.action_mask().any()


def test_texts_pickles_and_hashes_give_the_position_back() -> None:
    seen = set()
    for position in positions():
        again = plyhouse.Position(position.game, str(position))
        assert again == position and hash(again) == hash(position) and again.key == position.key
        assert pickle.loads(pickle.dumps(position)) == position
        assert eval(repr(position), {"Position": plyhouse.Position}) == position
        seen.add(position)
    assert len(seen) > 300
    assert plyhouse.Position("loa", size=8) != plyhouse.Position("breakthrough", size=8)
    assert (plyhouse.Position("loa") == 3) is False


def test_actions_and_moves_correspond() -> None:
    for position in positions():
        moves, actions = position.legal_moves(), position.legal_actions()
        assert sorted(position.action_of(move) for move in moves) == actions
        assert len(set(actions)) == len(moves)
        assert all(0 <= action < position.num_actions for action in actions)
        assert np.flatnonzero(position.action_mask()).tolist() == actions
        for move in moves:
            assert position.move_of(position.action_of(move)) == move
            assert position.play(move) == position.play_action(position.action_of(move))


def test_no_other_id_is_legal() -> None:
    for game, size in BOARDS:
        position = plyhouse.Position(game, size=size)
        legal = set(position.legal_actions())
        for action in [*range(-3, position.num_actions + 300), 2**31 - 1, 2**40, -(2**40)]:
            if action in legal:
                continue
            with pytest.raises(ValueError, match=f"action {action} is not legal in "):
                position.move_of(action)


def test_the_planes_show_the_board() -> None:
    letters = {"loa": "bw-", "breakthrough": "wb-", "checkers": "bBwW."}
    for position in positions():
        planes = position.observation()
        size = position.size
        count = len(plyhouse.about(position.game)["planes"])
        assert planes.shape == (count, size, size) and planes.dtype == np.float32
        rows = str(position).split()[0].split("/")
        if position.game == "jump61":
            colours = np.array([[row[2 * column + 1] for column in range(size)] for row in rows])
            for plane, letter in zip(planes, "rb-", strict=False):
                assert (plane == (colours == letter)).all()
            assert (planes[3] == [[float(row[2 * column]) for column in range(size)] for row in rows]).all()
            continue
        if position.game != "checkers":
            rows.reverse()  # rank 1 first
        cells = np.array([list(row) for row in rows])
        for plane, letter in zip(planes, letters[position.game], strict=True):
            expected = cells == letter
            if letter == ".":
                expected &= np.indices((8, 8)).sum(axis=0) % 2 == 1  # dark cells
            assert (plane == expected).all()


@pytest.mark.parametrize("game", plyhouse.GAMES)
def test_perft_counts_what_the_project_has_counted(game: str) -> None:
    compared = 0
    for line in (PERFT / f"{game}.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        text, counts = line.split(" ; ")
        position = plyhouse.Position(game, text)
        for depth, count in enumerate(counts.split(), start=1):
            if int(count) < 300_000:
                assert position.perft(depth) == int(count), line
                compared += 1
        if "0" not in counts.split()[:2]:
            divided = position.perft_divide(2)
            assert sum(divided.values()) == int(counts.split()[1])
            assert list(divided) == position.legal_moves()
    assert compared > 5


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: plyhouse.Position("chess"), "unknown game `chess`: expected `loa`, `checkers`"),
        (lambda: plyhouse.Position("loa", size=9), "board size 9: loa is played on 4 to 8"),
        (lambda: plyhouse.Position("loa", "hello"), "expected"),
        (lambda: plyhouse.Position("loa", "-bb-/w--w/w--w/-bb- b", size=5), "4 squares per side found, expected 5"),
        (lambda: plyhouse.Position("loa").play("b1-b2"), "illegal move b1-b2: two pieces stand on the b-file"),
        (lambda: plyhouse.Position("loa").play("xx"), "`xx` is not a move: expected two squares"),
        (lambda: plyhouse.Position("loa").action_of("b1-b2"), "illegal move"),
        (lambda: plyhouse.Position("loa").play_action(3), "action 3 is not legal"),
        (lambda: plyhouse.Position("loa").perft_divide(0), "depth 0: expected 1 or more"),
        (lambda: plyhouse.about("go"), "unknown game `go`"),
    ],
)
def test_what_is_wrong_is_named(make: object, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        make()  # type: ignore[operator]


def test_captures_are_written_like_other_moves() -> None:
    """All games join the two places of a move with the same sign, and read the other one."""
    captures = 0
    for position in positions():
        sign = ":" if position.game == "jump61" else "-"
        for move in position.legal_moves():
            assert move == "pass" or (sign in move and "x" not in move)
            action = position.action_of(move)
            assert position.action_of(move.lower()) == position.action_of(move.upper()) == action
            is_capture = (
                (position.game == "loa" and action % 2 == 1)
                or (position.game == "checkers" and abs(int(move[1]) - int(move[4])) == 2)
                or (position.game == "breakthrough" and position.play(move).legal_moves() and _pieces(position, move))
            )
            if is_capture:
                captures += 1
                other = move.replace("-", "x")
                assert position.action_of(other) == action and position.is_legal(other)
                assert position.play(other) == position.play(move)
                game = plyhouse.Game(position.game, start=str(position))
                assert game.play(other) == move and game.moves == [move] and game.undo() == move
    assert captures > 100


def _pieces(position: plyhouse.Position, move: str) -> bool:
    """Return `True` if a move changes the number of pieces."""

    def count(position: plyhouse.Position) -> int:
        return sum(letter in "wb" for letter in str(position).split()[0])

    return count(position.play(move)) < count(position)


def test_engines_and_proofs_write_captures_like_other_moves() -> None:
    start = plyhouse.Position("breakthrough", "-----/-b---/w----/-----/----- w")
    capture = "a3-b4"
    assert capture in start.legal_moves() and capture in start.perft_divide(2)
    choice = plyhouse.Engine("breakthrough", size=5, nodes=200).choose(start)
    analysis = plyhouse.analyse(start, nodes=200, lines=3)
    proof = plyhouse.prove(start)
    assert choice.move == choice.lines[0].moves[0] == analysis.best == proof.best == capture
    assert not any("x" in move for line in analysis.lines for move in line.moves)
    assert plyhouse.Game("breakthrough", start=str(start), moves=["a3xb4"]).actions == [start.action_of(capture)]
    proof = plyhouse.prove(plyhouse.Position("loa", size=4))
    assert proof.best is not None
    assert proof.replies([proof.best.replace("-", "x")]) == proof.replies([proof.best])
