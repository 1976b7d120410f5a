from __future__ import annotations

import os
import random
import signal
import threading
import time
from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS

RULES: list[dict[str, Any]] = [
    {},
    {"repetitions": 2, "move_limit": 60},
    {"move_limit": 25},
]


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("options", RULES)
def test_a_batch_plays_as_games_do(name: str, size: int, options: dict[str, Any]) -> None:
    """Compare masks, planes, ends and rewards with `Game`, ply by ply, across the starts of new games."""
    count, rng = 6, random.Random(size)
    options = {"move_limit": 1000, **options}
    batch = plyhouse.Batch(name, count, size=size, **options)
    games = [plyhouse.Game(name, size=size, **options) for _ in range(count)]
    assert batch.observations is not None and batch.action_masks is not None
    ended = set()
    for _ in range(400):
        for number, game in enumerate(games):
            legal = game.legal_actions()
            assert np.flatnonzero(batch.action_masks[number]).tolist() == legal
            assert (batch.observations[number] == game.position.observation()).all()
            assert (batch.players[number], batch.plies[number]) == (game.turn, len(game))
            assert batch.position(number) == game.position
        actions = [rng.choice(game.legal_actions()) for game in games]
        batch.step(actions)
        for number, game in enumerate(games):
            game.play_action(actions[number])
            cut = game.reason == "move limit"
            assert batch.terminated[number] == (game.is_over and not cut)
            assert batch.truncated[number] == cut
            assert tuple(batch.rewards[number]) == game.returns
            if game.is_over:
                ended.add(game.reason)
                games[number] = plyhouse.Game(name, size=size, **options)
    assert ended


def test_a_batch_ends_games_for_every_reason() -> None:
    seen = set()
    for name, size, options in [
        ("checkers", 8, {}),
        ("loa", 5, {"repetitions": 2}),
        ("loa", 8, {"rules": "openspiel", "move_limit": 60}),
        ("loa", 5, {"rules": "mso", "move_limit": 60}),
    ]:
        batch = plyhouse.Batch(name, 50, size=size, auto_reset=False, **options)  # type: ignore[arg-type]
        games = [plyhouse.Game(name, size=size, **{"move_limit": 1000, **options}) for _ in range(50)]  # type: ignore[arg-type]
        while not all(game.is_over for game in games):
            actions = batch.sample().copy()
            for action, game in zip(actions, games, strict=True):
                assert (action == -1) == game.is_over
                if not game.is_over:
                    game.play_action(int(action))
            batch.step(actions)
            assert batch.action_masks is not None
            assert batch.action_masks.any(axis=1).tolist() == [not game.is_over for game in games]
        for number, game in enumerate(games):
            assert batch.position(number) == game.position
            seen.add(game.reason)
        assert not batch.truncated.any() or options.get("rules") != "openspiel"
    assert seen >= {"board", "move limit", "repetition", "quiet plies"}


def test_arrays_are_written_in_place() -> None:
    batch = plyhouse.Batch("loa", 3)
    observations, masks, rewards = batch.observations, batch.action_masks, batch.rewards
    assert observations is not None and masks is not None
    assert observations.shape == (3, 3, 8, 8) and masks.shape == (3, 8192) and rewards.shape == (3, 2)
    assert observations.dtype == np.float32 and masks.dtype == np.bool_
    before = observations.copy()
    batch.step(batch.sample())
    assert batch.observations is observations and batch.action_masks is masks
    assert (observations != before).any()
    lean = plyhouse.Batch("loa", 3, observations=False, masks=False)
    assert lean.observations is None and lean.action_masks is None
    lean.step(lean.sample())
    assert lean.plies.tolist() == [1, 1, 1]


def test_a_finished_game_waits_for_its_reset() -> None:
    batch = plyhouse.Batch("jump61", 4, size=2, auto_reset=False)
    while not (batch.sample() == -1).all():
        batch.step(batch.sample())
    last = [batch.position(number) for number in range(4)]
    batch.step([0, 0, 0, 0])
    assert not (batch.rewards.any() or batch.terminated.any() or batch.truncated.any()) and batch.finished.all()
    assert [batch.position(number) for number in range(4)] == last
    batch.reset([True, False, True, False])
    assert batch.plies.tolist() == [0, len_of(last[1]), 0, len_of(last[3])]
    assert batch.finished.tolist() == [False, True, False, True]
    batch.reset()
    assert batch.plies.tolist() == [0, 0, 0, 0]


def len_of(position: plyhouse.Position) -> int:
    """Return the number of moves before a position of Jump61: each adds a spot."""
    return sum(int(letter) for letter in str(position) if letter.isdigit()) - position.size**2


def test_a_seed_fixes_the_samples() -> None:
    def play(seed: int) -> list[list[int]]:
        batch = plyhouse.Batch("checkers", 5, seed=seed)
        drawn = []
        for _ in range(30):
            drawn.append(batch.sample().tolist())
            batch.step(batch.sample() if False else np.array(drawn[-1], np.int32))
        return drawn

    assert play(3) == play(3) != play(4)
    batch = plyhouse.Batch("checkers", 5, seed=3)
    batch.step(batch.sample())
    batch.reset(seed=3)
    assert batch.sample().tolist() == play(3)[0]


@pytest.mark.parametrize("name", plyhouse.GAMES)
def test_samples_reach_every_move_with_the_same_probability(name: str) -> None:
    count = 20_000
    start = plyhouse.Position(name)
    batch = plyhouse.Batch(name, count, seed=1, masks=False, observations=False)
    chosen, times = np.unique(batch.sample(), return_counts=True)
    assert chosen.tolist() == start.legal_actions()
    expected = count / len(chosen)
    assert (abs(times - expected) < 6 * expected**0.5).all()


def test_a_rollout_plays_many_plies_and_whole_games() -> None:
    batch = plyhouse.Batch("breakthrough", 8, size=5)
    assert batch.rollout(1) == 0 and batch.plies.tolist() == [1] * 8
    assert batch.rollout(1000) > 8 * 10
    assert batch.action_masks is not None
    for number in range(8):
        assert np.flatnonzero(batch.action_masks[number]).tolist() == batch.position(number).legal_actions()


def test_a_batch_begins_where_it_is_told_to() -> None:
    start = plyhouse.Position("loa", size=6).play("b1-b3")
    batch = plyhouse.Batch("loa", 2, start=str(start))
    assert batch.players.tolist() == [1, 1] and batch.position(1) == start
    batch.rollout(500)
    batch.reset()
    assert batch.position(0) == start and (len(batch), batch.size, batch.num_actions) == (2, 6, 2 * 6**4)


def test_wrong_actions_change_nothing() -> None:
    batch = plyhouse.Batch("loa", 2)
    assert batch.observations is not None
    before = batch.observations.copy()
    legal = plyhouse.Position("loa").legal_actions()[0]
    cases: list[tuple[Any, type[Exception], str]] = [
        ([legal, 3], ValueError, "game 1: action 3 is not legal in -bbbbbb-"),
        ([legal, -1], ValueError, "game 1: action -1 is not legal"),
        ([legal], ValueError, "1 actions: expected 2"),
        ([legal, 2**32 + legal], ValueError, f"game 1: action {2**32 + legal}: expected 0 to 8191"),
        ([legal, 2**80], ValueError, f"{2**80} at index 1: expected whole numbers"),
        ([legal, None], TypeError, "object found, expected whole numbers"),
        ([True, True], TypeError, "bool found, expected whole numbers"),
        (142.9, TypeError, "float found, expected whole numbers"),
        ([legal, 1.0], TypeError, "float64 found, expected whole numbers"),
        ([[legal, legal]], TypeError, "an array of 2 dimensions found"),
        (None, TypeError, "found, expected whole numbers"),
        (np.array([legal, 5], np.int32), ValueError, "game 1: action 5 is not legal"),
    ]
    for actions, error, words in cases:
        with pytest.raises(error) as raised:
            batch.step(actions)
        assert words in str(raised.value)
        assert (batch.observations == before).all() and batch.plies.tolist() == [0, 0]
    for good in ([legal] * 2, np.array([legal] * 2, np.int64), np.array([[legal, 0]] * 2, np.int32)[:, 0]):
        batch.reset()
        batch.step(good)
        assert batch.plies.tolist() == [1, 1]
    with pytest.raises(ValueError, match="1 marks: expected 2"):
        batch.reset([True])
    with pytest.raises(IndexError, match="game 2: expected 0 to 1"):
        batch.position(2)
    for count in (2**20 + 1, 2**40, 2**90):
        with pytest.raises(ValueError, match=f"count {count}: expected 1 to 1048576"):
            plyhouse.Batch("loa", count)
    with pytest.raises(ValueError, match="the game is over there"):
        plyhouse.Batch("breakthrough", 1, start="w---/b---/----/---- b")


ARRAYS = [
    "observations", "final_observations", "action_masks", "rewards", "terminated", "truncated", "finished", "players",
    "plies",
]  # fmt: skip


def test_arrays_are_read_only() -> None:
    batch = plyhouse.Batch("loa", 2, final_observations=True)
    for name in ARRAYS:
        array = getattr(batch, name)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
        with pytest.raises(AttributeError):
            setattr(batch, name, array)
    actions = batch.sample()
    actions[:] = plyhouse.Position("loa").legal_actions()[0]
    batch.step(actions)
    for game in range(2):
        assert np.flatnonzero(batch.action_masks[game]).tolist() == batch.position(game).legal_actions()  # type: ignore[index]


NUMBERS: list[dict[str, Any]] = [
    {"count": -1}, {"count": 0}, {"size": -1}, {"size": 2**90}, {"repetitions": 1}, {"repetitions": -1},
    {"move_limit": 0}, {"move_limit": -5}, {"move_limit": 2**40}, {"seed": -1}, {"seed": 2**64}, {"history": -1},
    {"history": 256}, {"threads": 0}, {"threads": 2**70},
]  # fmt: skip


@pytest.mark.parametrize("wrong", NUMBERS)
def test_wrong_numbers_of_a_new_batch(wrong: dict[str, Any]) -> None:
    ((name, number),) = wrong.items()
    with pytest.raises(ValueError, match=str(number)):
        plyhouse.Batch("loa", **{"count": 1, **wrong})
    float_number: dict[str, Any] = {"count": 1, name: 1.5}
    with pytest.raises(TypeError):
        plyhouse.Batch("loa", **float_number)


def test_wrong_words_of_a_new_batch() -> None:
    for name, known in [("actions", "compact"), ("perspective", "mover"), ("rewards", "mover")]:
        options: dict[str, Any] = {name: "other"}
        with pytest.raises(ValueError, match=f'{name} "other": expected ".*" or "{known}"'):
            plyhouse.Batch("loa", 1, **options)
    with pytest.raises(TypeError):
        plyhouse.Batch("loa", 1, colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="int found, expected a position"):
        plyhouse.Batch("loa", 1, start=[3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="2 starts: expected 1, or 3"):
        plyhouse.Batch("loa", 3, start=[plyhouse.Position("loa")] * 2)
    with pytest.raises(ValueError, match="0 starts: expected 1, or 3"):
        plyhouse.Batch("loa", 3, start=[])
    with pytest.raises(ValueError, match="start w---/b---/----/---- b: the game is over there"):
        plyhouse.Batch("breakthrough", 3, start="w---/b---/----/---- b")
    with pytest.raises(ValueError, match="starts of 8 and of 6 squares"):
        plyhouse.Batch("loa", 2, start=[plyhouse.Position("loa"), plyhouse.Position("loa", size=6)])
    with pytest.raises(ValueError, match="a position of jump61 found, expected loa"):
        plyhouse.Batch("loa", 1, start=plyhouse.Position("jump61"))


def test_options_are_properties() -> None:
    batch = plyhouse.Batch("loa", 1)
    assert (batch.rules, batch.actions, batch.perspective, batch.history) == ("plyhouse", "standard", "board", 0)
    batch = plyhouse.Batch("loa", 1, rules="mso", actions="compact", perspective="mover", history=2)
    assert (batch.rules, batch.actions, batch.perspective, batch.history) == ("mso", "compact", "mover", 2)
    batch = plyhouse.Batch("loa", 1, rules="openspiel", move_limit=None)
    assert (batch.rules, batch.move_limit) == ("openspiel", 1000)


def test_one_start_is_that_of_all_games() -> None:
    start = plyhouse.Position("loa", size=5).play("b1-b3")
    for given in (start, str(start), [start], (str(start),)):
        batch = plyhouse.Batch("loa", 3, start=given)
        assert [batch.position(number) for number in range(3)] == [start] * 3


def test_wrong_arguments_of_methods() -> None:
    batch = plyhouse.Batch("loa", 2)
    with pytest.raises(ValueError, match="actions: 18446744073709551615 at index 1: expected whole numbers"):
        batch.step(np.array([58, 2**64 - 1], np.uint64))
    for number in (-1, 2, 2**70):
        for method in (batch.position, lambda number: batch.move_of(number, 1)):
            with pytest.raises(IndexError, match=f"game {number}: expected 0 to 1"):
                method(number)
        with pytest.raises((IndexError, ValueError)):
            batch.clone([number])
    with pytest.raises(TypeError):
        batch.position(0.0)  # type: ignore[arg-type]
    for steps in (-1, 2**64):
        with pytest.raises(ValueError, match=f"steps {steps}"):
            batch.rollout(steps)
    with pytest.raises(ValueError, match="seed -1"):
        batch.reset(seed=-1)
    with pytest.raises(TypeError, match="which: int64 found, expected True or False"):
        batch.reset([0, 1])  # type: ignore[list-item]
    assert batch.plies.tolist() == [0, 0]


def test_batches_without_a_seed_differ() -> None:
    def samples(**options: int | None) -> list[int]:
        found: list[int] = plyhouse.Batch("loa", 64, **options).sample().tolist()  # type: ignore[arg-type]
        return found

    assert samples() != samples()
    assert samples(seed=None) != samples(seed=None)
    assert samples(seed=1) == samples(seed=1)


def test_other_threads_go_on_during_a_step() -> None:
    batch = plyhouse.Batch("loa", 256)
    thread = threading.Thread(target=lambda: batch.rollout(20_000))
    thread.start()
    count = 0
    while thread.is_alive():
        count += 1
        time.sleep(0.001)
    assert count > 20


def test_one_batch_is_for_one_thread_at_a_time() -> None:
    batch = plyhouse.Batch("loa", 256)
    thread = threading.Thread(target=lambda: batch.rollout(20_000))
    thread.start()
    time.sleep(0.05)
    for use in (lambda: batch.rollout(1), lambda: batch.position(0), batch.sample, batch.legal_actions):
        with pytest.raises(RuntimeError, match="only one thread at a time may use a batch"):
            use()
    assert batch.players.shape == (256,) and len(batch) == 256
    thread.join()
    batch.rollout(1)


def test_ctrl_c_stops_a_rollout() -> None:
    batch = plyhouse.Batch("loa", 64, auto_reset=True)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.rollout(2**62)
    assert batch.action_masks is not None
    assert np.flatnonzero(batch.action_masks[0]).tolist() == batch.position(0).legal_actions()
