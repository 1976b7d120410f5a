from __future__ import annotations

from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS
from numpy.typing import NDArray


def play(batch: plyhouse.Batch, steps: int) -> None:
    for _ in range(steps):
        batch.step(batch.sample())


def random_logits(batch: plyhouse.Batch, seed: int, scale: float = 3) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    return (scale * rng.standard_normal((len(batch), batch.num_actions))).astype(np.float32)


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("masks", [False, True])
def test_legal_actions_are_those_of_the_positions(name: str, size: int, masks: bool) -> None:
    batch = plyhouse.Batch(name, 20, size=size, masks=masks, auto_reset=False, seed=size)
    for _ in range(30):
        offsets, ids = batch.legal_actions()
        assert (offsets.dtype.name, ids.dtype.name) == ("int64", "int32")
        assert len(offsets) == 21 and offsets[0] == 0 and offsets[-1] == len(ids)
        for game in range(20):
            legal = [] if batch.finished[game] else batch.position(game).legal_actions()
            assert ids[offsets[game] : offsets[game + 1]].tolist() == legal
        if batch.finished.all():
            break
        play(batch, 3)


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8])
@pytest.mark.parametrize("rules", ["plyhouse", "mso"])
def test_compact_ids_name_the_same_moves(size: int, rules: str) -> None:
    batch = plyhouse.Batch("loa", 16, size=size, rules=rules, actions="compact", seed=size)
    assert batch.num_actions == 8 * size * size
    passes = 0
    for _ in range(60):
        offsets, ids = batch.legal_actions()
        assert batch.action_masks is not None
        for game in range(16):
            position, own = batch.position(game), ids[offsets[game] : offsets[game + 1]].tolist()
            assert np.flatnonzero(batch.action_masks[game]).tolist() == own
            moves = [batch.move_of(game, action) for action in own]
            assert sorted(moves) == sorted(position.legal_moves())
            assert [batch.action_of(game, move) for move in moves] == own
            passes += "pass" in moves
            with pytest.raises(ValueError, match="is not legal in"):
                batch.move_of(game, next(action for action in range(batch.num_actions) if action not in own))
        play(batch, 1)
    assert rules == "mso" or not passes


def test_a_pass_has_a_compact_id() -> None:
    stuck = plyhouse.Position("loa", "bwww/bwb-/w-bw/wwbb b mso")
    assert stuck.legal_moves() == ["pass"]
    batch = plyhouse.Batch("loa", 1, start=stuck, actions="compact", auto_reset=False)
    _, ids = batch.legal_actions()
    assert len(ids) == 1 and batch.move_of(0, int(ids[0])) == "pass" == batch.move_of(0, batch.action_of(0, "pass"))
    batch.step(ids)
    assert batch.position(0) == stuck.play("pass")


def test_compact_ids_of_a_piece_go_clockwise_from_the_north() -> None:
    start = "--------/--------/--------/---w----/--------/--------/b------b/w------- b"
    batch = plyhouse.Batch("loa", 1, start=start, actions="compact")
    _, ids = batch.legal_actions()
    moves = ["a2-a4", "a2-c4", "a2-c2", "a2-b1", "h2-h3", "h2-h1", "h2-g1", "h2-f2", "h2-g3"]
    assert [batch.move_of(0, int(action)) for action in ids] == moves
    a2, h2 = 8 * 8, 8 * 15
    assert ids.tolist() == [a2, a2 + 1, a2 + 2, a2 + 3, h2, h2 + 4, h2 + 5, h2 + 6, h2 + 7]


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_log_softmax_is_that_of_numpy(name: str, size: int) -> None:
    batch = plyhouse.Batch(name, 12, size=size, auto_reset=False, seed=1)
    play(batch, 5)
    logits = random_logits(batch, 2, 20)
    logits[:, ::5] = -np.inf
    offsets, ids = batch.legal_actions()
    for game in range(12):
        own = ids[offsets[game] : offsets[game + 1]]
        if len(own):
            logits[game, own[0]] = 0
    logs = batch.log_softmax(logits)
    assert logs.dtype == np.float32 and logs.shape == ids.shape
    for game in range(12):
        part = slice(offsets[game], offsets[game + 1])
        values = logits[game, ids[part]].astype(np.float64)
        if len(values):
            expected = values - values.max() - np.log(np.exp(values - values.max()).sum())
            np.testing.assert_allclose(logs[part], expected, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("masks", [False, True])
def test_samples_have_the_probabilities_of_the_policy(temperature: float, masks: bool) -> None:
    count = 40_000
    batch = plyhouse.Batch("breakthrough", count, size=5, seed=3, masks=masks, observations=False)
    logits = np.repeat(random_logits(plyhouse.Batch("breakthrough", 1, size=5), 4, 1), count, axis=0)
    _, ids = plyhouse.Batch("breakthrough", 1, size=5).legal_actions()
    logits[:, ids[2]] = -np.inf
    weights = np.exp(logits[0, ids].astype(np.float64) / temperature)
    expected = count * weights / weights.sum()
    found = np.bincount(batch.sample(logits, temperature=temperature), minlength=batch.num_actions)
    assert found.sum() == found[ids].sum() and found[ids[2]] == 0
    assert (abs(found[ids] - expected) <= 6 * expected**0.5 + 1e-9).all()


def test_temperature_zero_chooses_the_greatest_logit() -> None:
    batch = plyhouse.Batch("loa", 8, seed=1)
    play(batch, 7)
    logits = random_logits(batch, 5)
    assert batch.action_masks is not None
    expected = np.where(batch.action_masks, logits, -np.inf).argmax(axis=1)
    assert batch.sample(logits, temperature=0).tolist() == expected.tolist()
    assert batch.sample(np.zeros_like(logits), temperature=0).tolist() == batch.action_masks.argmax(axis=1).tolist()


def test_samples_of_a_policy_are_legal_and_finished_games_have_none() -> None:
    batch = plyhouse.Batch("jump61", 30, size=3, auto_reset=False, seed=1)
    while not batch.finished.all():
        actions = batch.sample(random_logits(batch, 1))
        assert ((actions == -1) == batch.finished).all()
        batch.step(actions)
    assert len(batch.log_softmax(random_logits(batch, 1))) == 0 == len(batch.legal_actions()[1])
    assert (batch.sample(random_logits(batch, 1)) == -1).all()


def test_wrong_logits_change_nothing() -> None:
    batch, same = (plyhouse.Batch("loa", 3, actions="compact", seed=9) for _ in range(2))
    good = random_logits(batch, 1)
    legal = batch.legal_actions()[1][0]

    def with_value(value: float, action: int | slice | NDArray[np.integer[Any]]) -> NDArray[np.float32]:
        logits = good.copy()
        logits[2, action] = value
        return logits

    cases: list[tuple[Any, type[Exception], str]] = [
        (with_value(np.nan, legal), ValueError, "game 2: logits: NaN for a legal action found"),
        (with_value(np.inf, legal), ValueError, "game 2: logits: inf for a legal action found"),
        (with_value(-np.inf, slice(None)), ValueError, "game 2: logits: -inf for all legal actions found"),
        (good.astype(np.complex64), TypeError, "logits: complex64 found, expected floats or integers"),
        (good[:2], ValueError, r"logits of shape \[2, 512\]: expected \[3, 512\]"),
        (good[0], ValueError, r"logits of shape \[512\]"),
        ("x", TypeError, "found, expected floats or integers"),
    ]
    for logits, error, words in cases:
        for method in (batch.sample, batch.log_softmax):
            with pytest.raises(error, match=words):
                method(logits)
    for temperature in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=r"temperature .*: expected a finite number, 0 or more"):
            batch.sample(good, temperature=temperature)
    illegal = np.setdiff1d(np.arange(512), batch.legal_actions()[1])
    assert batch.sample(with_value(np.nan, illegal)).tolist() == same.sample(np.asfortranarray(good)).tolist()
    assert batch.sample().tolist() == same.sample().tolist()


@pytest.mark.parametrize("kind", ["float64", "float16", "longdouble", "int8", "int64", "uint16", "list"])
def test_logits_of_other_types_are_converted(kind: str) -> None:
    batch, same = (plyhouse.Batch("loa", 3, size=5, actions="compact", seed=9) for _ in range(2))
    logits = np.abs(random_logits(batch, 1)).round()
    other = logits.tolist() if kind == "list" else logits.astype(kind)
    assert batch.log_softmax(other).tolist() == same.log_softmax(logits).tolist()
    assert batch.sample(other).tolist() == same.sample(logits).tolist()


def test_minus_infinity_excludes_an_action() -> None:
    batch = plyhouse.Batch("loa", 20, size=5, seed=9)
    logits = np.full((20, batch.num_actions), -np.inf)
    allowed = batch.legal_actions()[1][[3, 5]]
    logits[:, allowed] = 0
    assert set(batch.sample(logits).tolist()) == set(allowed.tolist())
    assert (batch.log_softmax(logits) == -np.inf).sum() == len(batch.legal_actions()[1]) - 40
