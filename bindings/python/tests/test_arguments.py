"""Wrong arguments: their errors name the argument, what was found, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import plyhouse
import pytest

START = plyhouse.Position("loa")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda n: plyhouse.Position("loa", size=n), "board size {n}: "),
        (lambda n: plyhouse.Game("loa", size=n), "board size {n}: "),
        (lambda n: plyhouse.Game("loa", move_limit=n), "move_limit {n}: expected 1 "),
        (lambda n: plyhouse.Game("loa", repetitions=n), "repetitions {n}: expected 2 "),
        (lambda n: plyhouse.Game("loa").play_action(n), "action {n} is not legal"),
        (lambda n: START.move_of(n), "action {n} is not legal"),
        (lambda n: START.play_action(n), "action {n} is not legal"),
        (lambda n: START.perft(n), "depth {n}: expected 0 "),
        (lambda n: START.perft_divide(n), "depth {n}: expected 1 "),
        (lambda n: plyhouse.Engine("loa", size=n), "board size {n}: "),
        (lambda n: plyhouse.Engine("loa", seed=n), "seed {n}: expected 0 "),
        (lambda n: plyhouse.Engine("loa", lines=n), "lines {n}: expected 1 "),
        (lambda n: plyhouse.Engine("loa", nodes=n), "`nodes`: `{n}` found, expected a number of at least 1"),
        (lambda n: plyhouse.Engine("loa", level=1).new_game(n), "seed {n}: expected 0 "),
        (lambda n: plyhouse.analyse(START, lines=n), "lines {n}: expected 1 "),
        (lambda n: plyhouse.prove(START, nodes=n), "nodes {n}: expected 1 "),
        (lambda n: plyhouse.prove(START, table=n), "table {n}: expected 1 "),
        (lambda n: plyhouse.Score(n), "units {n}: expected -30999 "),
        (lambda n: plyhouse.Score(win_in=n), "win_in {n}: expected 0 "),
        (lambda n: plyhouse.Fact(n, 3, None, "book"), "winner {n}: expected 0 "),
    ],
)
@pytest.mark.parametrize("number", [-(10**30), -(2**63), -40_000, 2**64, 10**25])
def test_numbers_out_of_range_are_named(call: Callable[[int], object], words: str, number: int) -> None:
    with pytest.raises(ValueError, match=re.escape(words.format(n=number))):
        call(number)


@pytest.mark.parametrize("number", [2.0, "2", None, [2], np.float32(2)])
def test_numbers_have_the_right_type(number: object) -> None:
    calls: list[Callable[[], object]] = [
        lambda: plyhouse.Game("loa").play_action(number),  # type: ignore[arg-type]
        lambda: START.perft(number),  # type: ignore[arg-type]
        lambda: plyhouse.prove(START, nodes=number),  # type: ignore[arg-type]
        lambda: plyhouse.Engine("loa", lines=number),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_integers_of_numpy_are_numbers() -> None:
    action = np.array(START.legal_actions())[3]
    assert START.move_of(action) == START.move_of(int(action))
    assert START.perft(np.uint8(2)) == START.perft(2)
    assert plyhouse.Position("loa", size=np.int64(5)).size == 5


def test_extreme_numbers_are_accepted() -> None:
    assert plyhouse.Engine("loa", level=1, seed=2**64 - 1).seed == 2**64 - 1
    assert plyhouse.Game("loa", move_limit=2**32 - 1).move_limit == 2**32 - 1
    assert START.perft(0) == 1


@pytest.mark.parametrize(
    ("words", "named", "expected"),
    [
        ("level=3,level=4", {}, "player option `level`: given twice, expected once"),
        ("level=3", {"level": 4}, "player option `level`: given twice, expected once"),
        ("nodes=5, nodes=5", {}, "player option `nodes`: given twice, expected once"),
        ("", {"speed": 3}, "player option `speed`: expected level=, nodes=,"),
        ("", {"level_": 3}, "player option `level_`: expected level=, nodes=,"),
        ("", {"level": "3,nodes=5"}, "player option `level=3,nodes=5`: expected one option"),
        ("", {"level=3,nodes": 5}, "player option `level=3,nodes=5`: expected one option"),
    ],
)
def test_options_of_players_are_given_once(words: str, named: dict[str, object], expected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(expected)):
        plyhouse.Engine("loa", words, **named)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape(expected)):
        plyhouse.analyse(START, words, **named)  # type: ignore[arg-type]


def test_techniques_can_be_given_several_times() -> None:
    engine = plyhouse.Engine("loa", "without=all,with=lmr,with=null", nodes=100)
    assert engine.words == "without=all,with=lmr,with=null,nodes=100"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: plyhouse.Score(), TypeError, "expected one of units, win_in and loss_in"),
        (lambda: plyhouse.Score(3, win_in=4), TypeError, "expected one of units, win_in and loss_in"),
        (lambda: plyhouse.Fact(0, 3, None, "dream"), ValueError, 'source "dream": expected "book", "tables", "search"'),
        (lambda: plyhouse.SgfNode(mark="#"), ValueError, 'mark "#": expected one of ! !! !? ?! ? ??'),
        (lambda: plyhouse.SgfGame("(;GM[9])(;GM[9])"), ValueError, "a file of 2 games: expected one game"),
        (lambda: plyhouse.Proof(START, "maybe", None, None, None, None, 1, 1), ValueError, 'status "maybe": expected'),
        (lambda: plyhouse.Position("loa", 3), TypeError, "'str'"),
    ],
)
def test_other_wrong_values_are_named(call: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        call()


def test_unseeded_engines_differ_and_a_seed_repeats() -> None:
    assert len({plyhouse.Engine("loa", level=1).seed for _ in range(20)}) == 20

    def opening(**named: int) -> list[str]:
        game, engine = plyhouse.Game("loa", size=5, move_limit=12), plyhouse.Engine("loa", level=1, size=5, **named)
        while not game.is_over:
            game.play(engine.choose(game).move)
        return game.moves

    assert len({tuple(opening()) for _ in range(8)}) > 1
    assert opening(seed=3) == opening(seed=3)
    engine = plyhouse.Engine("loa", level=1, seed=3)
    engine.new_game()
    assert engine.seed != 3


def test_unseeded_players_differ() -> None:
    from plyhouse.kaggle import make_agent
    from plyhouse.openspiel import Player

    assert len({tuple(_openings(Player("build=random"))) for _ in range(8)}) > 1
    assert _openings(Player("build=random", seed=5)) == _openings(Player("build=random", seed=5))
    serialized = "[Game]\nlines_of_action()\n[State]\n\n"
    observation = {"serializedGameAndState": serialized, "currentPlayer": 0, "playerId": 0}
    assert len({make_agent("build=random")(observation)["submission"] for _ in range(12)}) > 1


def _openings(player: object) -> list[int]:
    """Return the player's first actions in several new games."""
    actions = []
    for _ in range(6):
        player.restart()  # type: ignore[attr-defined]
        actions.append(player.choose([]))  # type: ignore[attr-defined]
    return actions
