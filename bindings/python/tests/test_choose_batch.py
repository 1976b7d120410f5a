"""Choices in all games of a batch, and engines with an evaluator."""

from __future__ import annotations

import concurrent.futures
import copy
import gc
import pickle
import re
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS, uniform
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Numbers = NDArray[Any]
Chosen = tuple[NDArray[np.int32], Floats, tuple[NDArray[np.int64], NDArray[np.int32], Floats]]

ENCODINGS: list[dict[str, Any]] = [
    {},
    {"actions": "compact", "perspective": "mover"},
    {"perspective": "mover", "turn_plane": True, "history": 2},
]


def hashed(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
    """Evaluate each position by fixed pseudorandom numbers."""
    codes = planes.reshape(len(planes), -1) @ np.arange(1, planes[0].size + 1, dtype=np.float32) % 1009
    logits = (np.repeat(codes, np.diff(offsets)) + ids * 37) % 101 / 50
    return logits.astype(np.float32), (codes / 1009 - 0.5).astype(np.float32)


def games_of(batch: plyhouse.Batch, plies: int) -> list[plyhouse.Game]:
    """Play random moves in a batch, and return its games."""
    games = [plyhouse.Game(batch.game, size=batch.size, move_limit=batch.move_limit) for _ in range(len(batch))]
    for _ in range(plies):
        actions = batch.sample().copy()
        for number, game in enumerate(games):
            if not game.is_over:
                game.play(batch.move_of(number, int(actions[number])))
        batch.step(actions)
    return games


def check(batch: plyhouse.Batch, chosen: Chosen, marked: NDArray[np.bool_] | None = None) -> None:
    """Check the shapes of choices, and that they are legal."""
    actions, values, (offsets, ids, weights) = chosen
    searched = ~batch.finished if marked is None else ~batch.finished & marked
    assert (actions.dtype, values.dtype, weights.dtype) == (np.int32, np.float32, np.float32)
    assert (actions.shape, values.shape, offsets.shape) == ((len(batch),), (len(batch),), (len(batch) + 1,))
    legal_offsets, legal_ids = batch.legal_actions()
    for number in range(len(batch)):
        own = slice(offsets[number], offsets[number + 1])
        if not searched[number]:
            assert (actions[number], values[number], ids[own].size) == (-1, 0, 0)
            continue
        assert ids[own].tolist() == legal_ids[legal_offsets[number] : legal_offsets[number + 1]].tolist()
        assert actions[number] in ids[own] and -1 <= values[number] <= 1
        assert weights[own].min() >= 0 and abs(weights[own].sum() - 1) < 1e-5


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("options", ENCODINGS)
def test_a_batch_plays_as_single_games_do(name: str, size: int, options: dict[str, Any]) -> None:
    batch = plyhouse.Batch(name, 6, size=size, seed=size, auto_reset=False, move_limit=40, **options)
    games = games_of(batch, 4)
    named: dict[str, Any] = {"size": size, "nodes": 30, "leaves": 3, "gumbel_noise": 1.0, **options}
    engine = plyhouse.Engine(name, evaluator=hashed, seed=5, **named)
    chosen = engine.choose_batch(batch)
    check(batch, chosen)
    for number, game in enumerate(games):
        if not game.is_over:
            choice = plyhouse.Engine(name, evaluator=hashed, seed=5 + number, **named).choose(game)
            assert batch.move_of(number, chosen[0][number]) == choice.move


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("words", ["level=2", "build=mcts,nodes=20", "build=random", "level=gentle2"])
def test_engines_of_plyhouse_play_in_batches(name: str, size: int, words: str) -> None:
    batches = [plyhouse.Batch(name, 5, size=size, seed=2, auto_reset=False, threads=threads) for threads in (1, 3)]
    games, _ = (games_of(batch, 5) for batch in batches)
    chosen = [plyhouse.Engine(name, words, size=size, seed=9).choose_batch(batch) for batch in batches]
    check(batches[0], chosen[0])
    for one, other in zip(chosen[0][:2] + chosen[0][2], chosen[1][:2] + chosen[1][2], strict=True):
        assert one.tobytes() == other.tobytes()
    actions, values, (_, ids, weights) = chosen[0]
    assert ids[weights > 0].tolist() == actions[actions >= 0].tolist()
    for number, game in enumerate(games):
        if game.is_over or words == "build=random":
            continue
        choice = plyhouse.Engine(name, words, size=size, seed=9 + number).choose(game)
        assert batches[0].move_of(number, actions[number]) == choice.move
        if choice.score is not None and choice.score.is_proven:
            assert abs(values[number]) == 1 and (values[number] > 0) == (choice.score.win_in is not None)


def test_a_uniform_evaluator_finds_forced_wins() -> None:
    start = plyhouse.Position("loa", size=4)
    engine = plyhouse.Engine("loa", size=4, evaluator=uniform, nodes=20_000)
    proof = plyhouse.prove(start)
    choice = engine.choose(start)
    assert proof.winner == 0 and choice.score is not None and choice.score.win_in is not None
    assert plyhouse.prove(start.play(choice.move)).winner == 0
    batch = plyhouse.Batch("loa", 3, size=4)
    actions, values, _ = engine.choose_batch(batch)
    assert values.tolist() == [1, 1, 1]
    for number in range(3):
        assert plyhouse.prove(start.play(batch.move_of(number, actions[number]))).winner == 0


def test_the_evaluator_sees_what_a_batch_shows() -> None:
    options: dict[str, Any] = {"size": 5, "actions": "compact", "perspective": "mover", "history": 2}
    seen: list[tuple[Floats, NDArray[np.int64], NDArray[np.int32]]] = []

    def record(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        seen.append((planes.copy(), offsets.copy(), ids.copy()))
        return uniform(planes, offsets, ids)

    for turn_plane in (False, True):
        batch = plyhouse.Batch("breakthrough", 3, seed=3, turn_plane=turn_plane, **options)
        games_of(batch, 5)
        engine = plyhouse.Engine("breakthrough", evaluator=record, nodes=2, leaves=1, turn_plane=turn_plane, **options)
        seen.clear()
        assert engine.evaluator is record
        actions, _, _ = engine.choose_batch(batch)
        assert len(seen) == 2
        for _ in range(2):
            planes, offsets, ids = seen.pop(0)
            assert (planes.dtype, offsets.dtype, ids.dtype) == (np.float32, np.int64, np.int32)
            assert planes.tolist() == batch.observations.tolist()  # type: ignore[union-attr]
            assert [array.tolist() for array in batch.legal_actions()] == [offsets.tolist(), ids.tolist()]
            # With one simulation after the root, the leaf is the position after the chosen action.
            if seen:
                batch.step(actions)


def test_an_evaluation_decides() -> None:
    batch = plyhouse.Batch("loa", 4, size=5, seed=1)
    wanted = batch.sample().copy()

    def dense(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        logits = np.zeros((len(planes), batch.num_actions), np.float64)
        logits[np.arange(len(planes)), wanted[np.arange(len(planes)) % 4]] = 20
        return logits, np.full(len(planes), 0.25, np.float32)

    def sparse(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        logits, values = dense(planes, offsets, ids)
        return np.repeat(logits, np.diff(offsets), axis=0)[np.arange(len(ids)), ids].astype(np.float16), values

    for evaluator in (dense, sparse):
        engine = plyhouse.Engine("loa", size=5, evaluator=evaluator, nodes=1)
        actions, values, (_, ids, weights) = engine.choose_batch(batch)
        assert actions.tolist() == wanted.tolist() and values.tolist() == [0.25] * 4
        assert ids[weights > 0.9].tolist() == wanted.tolist()


def test_games_share_the_calls_of_the_evaluator() -> None:
    sizes: list[int] = []

    def counting(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        sizes.append(len(planes))
        return hashed(planes, offsets, ids)

    results = []
    for threads in (1, 2, 5):
        batch = plyhouse.Batch("loa", 1600, size=6, seed=4, threads=threads)
        batch.step(batch.sample())
        engine = plyhouse.Engine("loa", size=6, evaluator=counting, nodes=16, leaves=1, root="puct", seed=1)
        sizes.clear()
        actions, values, (offsets, ids, weights) = engine.choose_batch(batch)
        assert len(sizes) == 16 and sizes[0] == 1600 and sum(sizes) > 1590 * 16
        results.append([array.tobytes() for array in (actions, values, offsets, ids, weights)])
        simulations = weights * 15
        assert np.abs(simulations - simulations.round()).max() < 1e-4
    assert results[0] == results[1] == results[2]


def test_marked_games_are_searched() -> None:
    batch = plyhouse.Batch("jump61", 40, size=3, seed=1, auto_reset=False)
    while not batch.finished.any():
        batch.step(batch.sample())
    marked = np.arange(40) % 3 == 0
    for engine in (
        plyhouse.Engine("jump61", size=3, evaluator=uniform, nodes=8, seed=1),
        plyhouse.Engine("jump61", size=3, level=1, seed=1),
    ):
        chosen = engine.choose_batch(batch, where=marked)
        check(batch, chosen, marked)
        whole = engine.choose_batch(batch)
        assert (whole[0][marked] == chosen[0][marked]).all()
        check(batch, engine.choose_batch(batch, where=np.zeros(40, np.bool_)), np.zeros(40, np.bool_))


def test_games_differ_by_their_seeds() -> None:
    engine = plyhouse.Engine("loa", size=6, evaluator=uniform, nodes=16, gumbel_noise=1.0, seed=1)
    batch = plyhouse.Batch("loa", 30, size=6)
    first = engine.choose_batch(batch)[0].tolist()
    assert len(set(first)) > 5
    assert engine.choose_batch(batch)[0].tolist() == first
    assert engine.choose_batch(pickle.loads(pickle.dumps(batch)))[0].tolist() == first
    batch.reset()
    again = engine.choose_batch(batch)[0].tolist()
    assert again != first
    assert engine.choose_batch(copy.copy(batch))[0].tolist() == again
    engine.new_game(2)
    assert engine.choose_batch(batch)[0].tolist() != again
    random = plyhouse.Engine("loa", size=6, build="random", seed=1)
    assert len(set(random.choose_batch(batch)[0].tolist())) > 5


def test_a_seeded_reset_repeats_the_choices() -> None:
    batch = plyhouse.Batch("loa", 8, size=5, seed=1)
    engine = plyhouse.Engine("loa", "level=gentle1", size=5, seed=2)

    def first_moves() -> list[list[int]]:
        batch.reset(seed=3)
        moves = [engine.choose_batch(batch)[0].tolist()]
        batch.reset()
        return [*moves, engine.choose_batch(batch)[0].tolist()]

    moves = first_moves()
    assert first_moves() == moves
    assert moves[0] != moves[1], "restarts vary the choices"


def test_copies_of_an_engine_keep_its_evaluator() -> None:
    batch = plyhouse.Batch("loa", 8, size=5, actions="compact", perspective="mover", seed=1)
    options: dict[str, Any] = {"size": 5, "actions": "compact", "perspective": "mover", "gumbel_noise": 1.0}
    engine = plyhouse.Engine("loa", "nodes=20", evaluator=hashed, seed=3, root="gumbel", considered=4, **options)
    expected = engine.choose_batch(batch)[0].tolist()
    for same in (copy.copy(engine), pickle.loads(pickle.dumps(engine))):
        assert same.evaluator is hashed and same.words == "nodes=20"
        assert same.choose_batch(batch)[0].tolist() == expected


def test_an_engine_in_a_cycle_is_collected() -> None:
    class Net:
        engine: plyhouse.Engine

        def __call__(
            self, planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]
        ) -> tuple[Numbers, Numbers]:
            return uniform(planes, offsets, ids)

    net = Net()
    net.engine = plyhouse.Engine("loa", size=4, evaluator=net)
    seen = weakref.ref(net)
    del net
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("kind", ["float16", "float64", "longdouble", "int8", "int64", "list"])
def test_an_evaluation_may_have_any_real_numbers(kind: str) -> None:
    def evaluate(planes: Floats, offsets: Numbers, ids: Numbers) -> tuple[Floats, Floats]:
        return (ids % 5).astype(np.float32), (planes.sum(axis=(1, 2, 3)) % 2).astype(np.float32)

    def convert(planes: Floats, offsets: Numbers, ids: Numbers) -> tuple[object, ...]:
        return tuple(
            array.tolist() if kind == "list" else array.astype(kind) for array in evaluate(planes, offsets, ids)
        )

    batch = plyhouse.Batch("loa", 3, size=5)
    engines = (plyhouse.Engine("loa", size=5, evaluator=it, nodes=30, seed=1) for it in (evaluate, convert))
    (actions, values, policy), (actions_2, values_2, policy_2) = (engine.choose_batch(batch) for engine in engines)
    assert actions.tolist() == actions_2.tolist() and values.tolist() == values_2.tolist()
    assert policy[2].tolist() == policy_2[2].tolist()


def test_self_play_repeats_until_a_new_game() -> None:
    engine = plyhouse.Engine("loa", size=5, evaluator=uniform, nodes=1, gumbel_noise=1.0)

    def choices() -> tuple[str, tuple[int, ...]]:
        batch = plyhouse.Batch("loa", 4, size=5)
        return engine.choose(plyhouse.Position("loa", size=5)).move, tuple(engine.choose_batch(batch)[0].tolist())

    assert len({choices() for _ in range(3)}) == 1
    varied = set()
    for seed in range(6):
        engine.new_game(seed)
        varied.add(choices())
    assert len(varied) > 1


def bad(logits: Callable[[Floats, Numbers], object], values: Callable[[Floats], object]) -> Callable[..., object]:
    return lambda planes, offsets, ids: (logits(planes, ids), values(planes))


def zeros(planes: Floats, ids: Numbers) -> Floats:
    return np.zeros(len(ids), np.float32)


@pytest.mark.parametrize(
    ("evaluator", "error", "text"),
    [
        (lambda *_: None, TypeError, "<class 'NoneType'> found, expected a tuple of two arrays, logits and values"),
        (lambda *_: (1, 2, 3), TypeError, "expected a tuple of two arrays"),
        (bad(lambda planes, ids: np.zeros((2, 3), np.float32), lambda planes: 0), ValueError, "logits of shape [2, 3]"),
        (bad(lambda planes, ids: ["x"] * len(ids), lambda planes: 0), TypeError, "evaluator: logits: <U1 found"),
        (bad(zeros, lambda planes: np.zeros((len(planes), 1), np.float32)), ValueError, "values of shape [3, 1]"),
        (bad(zeros, lambda planes: [0j] * len(planes)), TypeError, "values: complex128 found, expected floats or int"),
        (bad(zeros, lambda planes: np.float32(0)), ValueError, "values of shape []: expected [3]"),
        (bad(zeros, lambda planes: np.array([0, np.nan, 0])), ValueError, "values: NaN for the position 1: expected"),
        (bad(zeros, lambda planes: np.array([0, 0, 1.5])), ValueError, "values: 1.5 for the position 2: expected -1"),
        (
            bad(lambda planes, ids: zeros(planes, ids) * np.nan, lambda planes: np.zeros(len(planes))),
            ValueError,
            "logits: NaN for a legal action found, expected finite numbers, for the position 0",
        ),
        (
            bad(lambda planes, ids: zeros(planes, ids) - np.inf, lambda planes: np.zeros(len(planes))),
            ValueError,
            "logits: -inf for all legal actions found",
        ),
        (lambda *_: 1 // 0, ZeroDivisionError, "division"),
    ],
)
def test_wrong_evaluations_are_named(evaluator: Callable[..., Any], error: type[Exception], text: str) -> None:
    current: Callable[..., Any] = uniform
    engine = plyhouse.Engine("loa", size=5, evaluator=lambda *arrays: current(*arrays), nodes=9, seed=1)
    batch = plyhouse.Batch("loa", 3, size=5)
    expected = engine.choose_batch(batch)[0].tolist()
    current = evaluator
    with pytest.raises(error, match=re.escape(text)):
        engine.choose_batch(batch)
    current = uniform
    assert engine.choose_batch(batch)[0].tolist() == expected
    batch.step(batch.sample())


@pytest.mark.parametrize(
    ("named", "error", "text"),
    [
        ({"evaluator": 3}, TypeError, "evaluator: <class 'int'> found, expected a function"),
        ({"evaluator": uniform, "level": 3}, ValueError, "player option `level`: expected nodes, movetime or depth"),
        ({"leaves": 4}, ValueError, "evaluator None: expected an evaluator"),
        ({"evaluator": uniform, "leaves": 0}, ValueError, "leaves 0: expected 1 or more"),
        ({"evaluator": uniform, "root": "best"}, ValueError, 'root "best": expected "auto", "puct" or "gumbel"'),
        ({"evaluator": uniform, "gumbel_noise": -1.0}, ValueError, "gumbel_noise -1: expected a finite number, 0"),
        (
            {"evaluator": uniform, "exploration": float("nan")},
            ValueError,
            "exploration NaN: expected a finite number, 0",
        ),
        ({"evaluator": uniform, "history": 300}, ValueError, "history 300: expected 0 to 255"),
        ({"evaluator": uniform, "actions": "few"}, ValueError, 'actions "few": expected "standard" or "compact"'),
    ],
)
def test_wrong_options_are_named(named: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=re.escape(text)):
        plyhouse.Engine("loa", **named)


def test_other_batches_are_refused() -> None:
    engine = plyhouse.Engine("loa", size=5, evaluator=uniform, perspective="mover")
    with pytest.raises(ValueError, match="a batch of jump61 found, expected loa"):
        engine.choose_batch(plyhouse.Batch("jump61", 2))
    with pytest.raises(ValueError, match="a batch with 8 squares per side found, expected 5"):
        engine.choose_batch(plyhouse.Batch("loa", 2))
    text = '1250 action ids, perspective="board", history=0, turn_plane=False found, expected the options of the engine'
    with pytest.raises(ValueError, match=re.escape(text)):
        engine.choose_batch(plyhouse.Batch("loa", 2, size=5))
    with pytest.raises(ValueError, match="where: 3 marks: expected 2"):
        engine.choose_batch(plyhouse.Batch("loa", 2, size=5, perspective="mover"), where=[True] * 3)
    with pytest.raises(TypeError):
        engine.choose_batch("loa")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a game of jump61 found, expected loa"):
        engine.choose(plyhouse.Game("jump61"))
    with pytest.raises(ValueError, match="the game is over"):
        engine.choose(plyhouse.Game("loa", size=5, moves=["b1-b3"], move_limit=1))


def test_an_evaluator_may_use_the_batch_and_the_engine() -> None:
    batches: dict[int, plyhouse.Batch] = {}
    both = threading.Barrier(2)
    inner = plyhouse.Engine("loa", size=5, level=1)

    def nested(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        inner.choose_batch(plyhouse.Batch("loa", 2, size=5))
        batch = batches[threading.get_ident()]
        batch.step(batch.sample())
        if len(planes) > 1:
            engine.choose(batch.position(0))
        return uniform(planes, offsets, ids)

    def choose() -> None:
        # Several threads may use the engine at the same time, but not a batch.
        both.wait()
        batch = batches[threading.get_ident()] = plyhouse.Batch("loa", 2, size=5)
        check(copy.copy(batch), engine.choose_batch(batch))

    engine = plyhouse.Engine("loa", size=5, evaluator=nested, nodes=4, leaves=1)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for ended in [pool.submit(choose) for _ in range(2)]:
            ended.result()


def test_a_repetition_of_the_game_counts_as_a_draw() -> None:
    def white_is_better(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        return np.zeros(len(ids), np.float32), planes[:, -1, 0, 0] - np.float32(0.5)

    batch = plyhouse.Batch("loa", 1, turn_plane=True)
    for move in ["b1-b3", "a2-c2", "b3-b1"]:
        batch.step([batch.action_of(0, move)])
    back = batch.action_of(0, "c2-a2")
    engine = plyhouse.Engine("loa", evaluator=white_is_better, turn_plane=True, nodes=300, root="puct")

    def weight() -> tuple[float, float]:
        _, _, (_, ids, weights) = engine.choose_batch(batch)
        return float(weights[ids == back][0]), float(weights.mean())

    repeating, mean = weight()
    assert repeating < mean / 2
    assert pickle.loads(pickle.dumps(batch)).position(0) == batch.position(0)
    batch = pickle.loads(pickle.dumps(batch))
    assert weight() == (repeating, mean)
    batch.set_positions([batch.position(0)])
    assert weight()[0] > repeating


def test_time_and_depth_limit_a_search() -> None:
    depths: list[int] = []

    def record(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        depths.extend(int(plane.sum()) for plane in planes)
        return uniform(planes, offsets, ids)

    start = plyhouse.Position("jump61", size=6)
    shallow = plyhouse.Engine("jump61", size=6, evaluator=record, depth=1, nodes=60)
    assert shallow.choose(start).depth == 1
    timed = plyhouse.Engine("jump61", size=6, evaluator=uniform, movetime=0.05)
    assert timed.choose(start).move in start.legal_moves()
    assert depths
