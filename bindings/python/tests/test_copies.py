"""Copies, pickles, equality, order and hashes."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable

import plyhouse
import pytest
from conftest import BOARDS, random_game

#: A position in which Black can win with one move.
NEAR = "------/--b---/--b---/-b-ww-/-----w/w-b--- b"

COPIES: list[Callable[[object], object]] = [
    copy.copy,
    copy.deepcopy,
    *[lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol)) for protocol in range(6)],
]


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_games_are_copied_and_pickled(name: str, size: int) -> None:
    for seed in range(3):
        game = random_game(name, size, seed)
        for make_copy in COPIES:
            other = make_copy(game)
            assert isinstance(other, plyhouse.Game) and other is not game and other == game
            assert (other.moves, other.reason, other.winner) == (game.moves, game.reason, game.winner)
            assert (other.position, other.move_limit) == (game.position, 300)
            other.undo()
            assert other != game, "a copy is played independently"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("loa", {"rules": "openspiel"}),
        ("loa", {"rules": "openspiel", "move_limit": 7}),
        ("loa", {"rules": "mso", "size": 6}),
        ("loa", {"start": "scrambled-eggs"}),
        ("loa", {"start": "---bbw/----bb/---b--/------/bb----/wb---- w mso", "moves": ["pass"]}),
        ("loa", {"start": NEAR, "repetitions": 3, "moves": ["c1-b2"]}),
        ("checkers", {}),
        ("checkers", {"repetitions": 5}),
        ("jump61", {"size": 3, "moves": ["2:2", "1:1"], "move_limit": 2}),
    ],
)
def test_the_rules_of_a_game_are_pickled(name: str, options: dict[str, object]) -> None:
    game = plyhouse.Game(name, **options)  # type: ignore[arg-type]
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert (again.rules, again.move_limit, again.reason) == (game.rules, game.move_limit, game.reason)
    assert again.positions == game.positions


def test_games_are_equal_by_their_content() -> None:
    game = plyhouse.Game("loa", moves=["b1-d3", "a2-c2"])
    assert game == game
    assert game == plyhouse.Game("loa", moves=["b1-d3", "a2-c2"])
    for other in [
        plyhouse.Game("loa", moves=["b1-d3"]),
        plyhouse.Game("loa", moves=["b1-d3", "a2-c2"], move_limit=50),
        plyhouse.Game("loa", moves=["b1-d3", "a2-c2"], repetitions=3),
        plyhouse.Game("loa", moves=["b1-d3", "a2-c2"], rules="openspiel"),
        plyhouse.Game("loa", start=str(plyhouse.Position("loa").play("b1-d3")), moves=["a2-c2"]),
        plyhouse.Game("breakthrough"),
        "b1-d3 a2-c2",
        None,
    ]:
        assert game != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_scores_are_ordered_and_hashed() -> None:
    ordered = [
        plyhouse.Score(loss_in=0),
        plyhouse.Score(loss_in=4),
        plyhouse.Score(-25),
        plyhouse.Score(units=0),
        plyhouse.Score(130),
        plyhouse.Score(win_in=9),
        plyhouse.Score(win_in=1),
    ]
    assert sorted(reversed(ordered)) == ordered and max(ordered).win_in == 1
    for lower, higher in itertools.pairwise(ordered):
        assert lower < higher and lower <= higher and higher > lower and higher >= lower and lower != higher
    assert len({*ordered, plyhouse.Score(130), plyhouse.Score(win_in=9)}) == len(ordered)
    assert [str(score) for score in ordered[2:6]] == ["-0.25", "+0.00", "+1.30", "win in 9"]
    with pytest.raises(TypeError):
        _ = ordered[0] < 3  # type: ignore[operator]


def test_results_are_copied_pickled_and_hashed() -> None:
    analysis = plyhouse.analyse(plyhouse.Position("loa", size=6), nodes=2000, lines=2)
    choice = plyhouse.Engine("loa", size=6, nodes=500).choose(plyhouse.Position("loa", NEAR))
    (file,) = plyhouse.read_sgf("(;FF[4]GM[9]PB[Ann];B[b1-b3]TE[1]C[Solid.](;W[a2:c2++])(;W[h2-f2]))")
    proof = plyhouse.prove(plyhouse.Position("loa", size=4))
    assert proof.best is not None
    results = [
        analysis, analysis.known, analysis.lines[0], analysis.score, choice, choice.score, file, *file.nodes, proof,
        *proof.replies([proof.best]), plyhouse.prove(plyhouse.Position("loa"), nodes=1000),
    ]  # fmt: skip
    for result in results:
        for make_copy in COPIES:
            other = make_copy(result)
            assert type(other) is type(result) and other == result and hash(other) == hash(result)
            assert repr(other) == repr(result)
    assert len(set(results)) == len(results) - (choice.score == analysis.score)
    again = pickle.loads(pickle.dumps(analysis))
    assert (again.best, again.depth, again.nodes) == (analysis.best, analysis.depth, analysis.nodes)
    assert (again.known.best, again.known.source) == ("b1-b3", "book")
    assert file.nodes[1].mark == pickle.loads(pickle.dumps(file.nodes[1])).mark == "!"


def test_a_pickled_proof_is_proven_again() -> None:
    proof = plyhouse.prove(plyhouse.Position("loa", size=4))
    assert proof.best is not None
    again = pickle.loads(pickle.dumps(proof))
    assert again.replies([proof.best]) == proof.replies([proof.best])
    hopeless = plyhouse.Proof(plyhouse.Position("loa"), "won", 0, 9, "b1-b3", "search", 100, 1)
    with pytest.raises(ValueError, match="could not be proven again"):
        hopeless.replies()


def test_engines_are_copied_with_their_options_and_seed() -> None:
    start = plyhouse.Game("loa", size=5)
    engine = plyhouse.Engine("loa", "level=2", size=5, lines=2, noise=40, seed=11)
    first = engine.choose(start)
    for make_copy in COPIES:
        other = make_copy(engine)
        assert isinstance(other, plyhouse.Engine)
        assert (other.game, other.size, other.words, other.lines, other.seed) == ("loa", 5, "level=2,noise=40", 2, 11)
        assert other.choose(start) == first
    engine.new_game(3)
    assert copy.copy(engine).seed == engine.seed == 3
    unseeded = plyhouse.Engine("loa", level=1)
    assert pickle.loads(pickle.dumps(unseeded)).seed == unseeded.seed


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("game", plyhouse.GAMES)
def test_environments_are_copied_and_pickled(game: str, wrapped: bool) -> None:
    pytest.importorskip("pettingzoo")
    from plyhouse.pettingzoo import env, raw_env

    environment = env(game) if wrapped else raw_env(game)
    assert not hasattr(pickle.loads(pickle.dumps(environment)), "rewards")
    environment.reset()
    for _ in range(5):
        environment.step(environment.observe(environment.agent_selection)["action_mask"].argmax())
    for make_copy in COPIES[1:]:
        other = make_copy(environment)
        assert other.unwrapped.game == environment.unwrapped.game  # type: ignore[attr-defined]
        agent = other.agent_selection  # type: ignore[attr-defined]
        other.step(other.observe(agent)["action_mask"].argmax())  # type: ignore[attr-defined]
        assert len(other.unwrapped.game) == len(environment.unwrapped.game) + 1 == 6  # type: ignore[attr-defined]


def test_players_and_bots_are_pickled() -> None:
    from plyhouse.openspiel import Player

    player = Player("nodes=300", seed=4)
    assert pickle.loads(pickle.dumps(player)).choose([]) == player.choose([])
    pyspiel = pytest.importorskip("pyspiel")
    from plyhouse.openspiel import Bot

    state = pyspiel.load_game("lines_of_action").new_initial_state()
    bot = Bot("nodes=300", seed=4)
    for make_copy in COPIES:
        assert make_copy(bot).step(state) == Bot("nodes=300", seed=4).step(state)  # type: ignore[attr-defined]
