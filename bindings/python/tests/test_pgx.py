"""Batches under the names of pgx, compared with batches, and with pgx if it is installed."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import plyhouse
import pytest
from numpy.typing import NDArray
from plyhouse.pgx import Env, State, auto_reset, available_envs, make

GAMES: list[tuple[str, dict[str, Any]]] = [
    *[(game, {}) for game in plyhouse.GAMES],
    ("loa", {"size": 5, "move_limit": 9, "actions": "standard", "perspective": "board"}),
    ("jump61", {"size": 3, "history": 1}),
]
COUNT = 16


def content(state: State) -> list[bytes]:
    """Return the values of all arrays of a state."""
    fields = [getattr(state, field.name) for field in dataclasses.fields(state)]
    return [value.tobytes() for value in fields if isinstance(value, np.ndarray)]


def choose(state: State, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return a random legal action for each game."""
    return np.where(state.legal_action_mask, rng.random(state.legal_action_mask.shape), -1.0).argmax(axis=1)


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("donate", [False, True])
def test_games_are_those_of_a_batch(game: str, options: dict[str, Any], donate: bool) -> None:
    env, rng = make(game, donate=donate, **options), np.random.default_rng(1)
    state = env.init(np.arange(COUNT))
    batch = plyhouse.Batch(game, COUNT, auto_reset=False, **{"actions": "compact", "perspective": "mover", **options})
    assert env.id == state.env_id == game and env.num_actions == batch.num_actions
    assert batch.observations is not None and batch.action_masks is not None
    assert env.observation_shape == state.observation.shape[1:]
    seats = state.current_player.copy()
    assert set(seats.tolist()) == {0, 1} and state.current_player.dtype == np.int32
    terminated, truncated = np.zeros(COUNT, np.bool_), np.zeros(COUNT, np.bool_)
    for _ in range(400):
        over = terminated | truncated
        assert (state.observation == np.moveaxis(batch.observations, 1, -1)).all()
        assert (state.observation == env.observe(state)).all()
        assert (state.current_player == batch.players ^ seats).all() and (state._step_count == batch.plies).all()
        assert (state.legal_action_mask == batch.action_masks | over[:, None]).all()
        assert (state.terminated == terminated).all() and (state.truncated == truncated).all()
        if over.all():
            break
        actions = choose(state, rng)
        state = env.step(state, actions, rng.integers(2**32, size=(COUNT, 2), dtype=np.uint32))
        batch.step(actions, where=~over)
        terminated, truncated = terminated | batch.terminated, truncated | batch.truncated
        expected = np.where(seats[:, None] == 1, batch.rewards[:, ::-1], batch.rewards)
        assert (state.rewards == expected).all() and state.rewards.dtype == np.float32
    assert over.any() and (truncated.any() or "move_limit" not in options)


def test_earlier_states_stay_valid() -> None:
    env, rng = make("loa", size=5), np.random.default_rng(2)
    state = env.init(np.arange(8))
    states, seen, actions = [state], [content(state)], []
    for _ in range(30):
        actions.append(choose(state, rng))
        state = env.step(state, actions[-1])
        states.append(state)
        seen.append(content(state))
    assert [content(state) for state in states] == seen
    for before, action, after in zip(states, actions, seen[1:], strict=False):
        assert content(env.step(before, action)) == after
    with pytest.raises(ValueError, match="read-only"):
        state.rewards[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.rewards = np.zeros((8, 2))  # type: ignore[misc]
    assert content(pickle.loads(pickle.dumps(state))) == content(copy.deepcopy(state)) == content(state)
    assert state.replace(rewards=np.ones((8, 2), np.float32)).rewards.all()


def test_a_donated_state_is_overwritten() -> None:
    env = make("loa", donate=True)
    state = env.init(4)
    board = state.observation.copy()
    after = env.step(state, state.legal_action_mask.argmax(axis=1))
    assert after.batch is state.batch and (state.observation != board).any()


def test_illegal_actions_lose() -> None:
    env = make("breakthrough")
    start = env.init(np.arange(5))
    actions = start.legal_action_mask.argmax(axis=1)
    actions[1:4] = start.legal_action_mask[0].argmin(), -1, 10**6
    state = env.step(start, actions)
    assert state.terminated.tolist() == [False, True, True, True, False]
    for game in range(5):
        player = start.current_player[game]
        lost = game in (1, 2, 3)
        assert state.rewards[game, player] == -1.0 * lost and state.rewards[game, 1 - player] == 1.0 * lost
        assert state.legal_action_mask[game].all() == lost
        # In pgx both change after an illegal action.
        assert (state.current_player[game] == player) == lost and state._step_count[game] == 1 - lost
    after = env.step(state, np.where(state.terminated, -1, state.legal_action_mask.argmax(axis=1)))
    assert after.terminated.tolist() == state.terminated.tolist() and not after.rewards.any()
    assert (after.observation == state.observation)[1:4].all()


@pytest.mark.parametrize("donate", [False, True])
def test_finished_games_restart(donate: bool) -> None:
    env, rng = make("breakthrough", size=4, move_limit=12, donate=donate), np.random.default_rng(3)
    step, keys = auto_reset(env.step, env.init), np.arange(32).reshape(16, 2)
    state, start = env.init(keys), env.init(keys).observation
    assert state.current_player.tolist() == env.init(keys).current_player.tolist()
    seats, ends = set(), 0
    for number in range(60):
        actions = choose(state, rng)
        if number % 10 == 0:
            actions[0] = -1
        state = step(state, actions, keys + number)
        over = state.terminated | state.truncated
        assert ((state._step_count == 0) == over).all() and (state.observation == start)[over].all()
        assert (state.rewards.any(axis=1) == state.terminated).all() and (state.rewards.sum(axis=1) == 0).all()
        assert not state.legal_action_mask.all(axis=1).any()
        seats |= {(game, int(state.current_player[game])) for game in np.flatnonzero(over)}
        ends += int(over.sum())
    assert ends > 60 and state.terminated.shape == (16,) and len(seats) == 32
    for wrong in [(env.init, env.step), (env.step, make("loa").init), (lambda state, action: state, env.init)]:
        with pytest.raises(TypeError, match=r"expected \(env.step, env.init\) of plyhouse.pgx"):
            auto_reset(*wrong)  # type: ignore[arg-type]


def test_wrong_arguments_are_named() -> None:
    env = make("loa")
    with pytest.raises(ValueError, match="a single key: expected an array of keys"):
        env.init(np.zeros(2, np.uint32))
    with pytest.raises(TypeError, match="keys of type float64: expected integers"):
        env.init(2.5)
    with pytest.raises(ValueError, match=r"actions of shape \(3,\): expected \(2,\)"):
        env.step(env.init(2), [1, 2, 3])
    with pytest.raises(ValueError, match="unknown game `chess`"):
        make("chess")
    with pytest.raises(TypeError, match="sise"):
        make("loa", sise=6)
    for name in ("masks", "auto_reset", "observations", "rewards", "seed", "count"):
        with pytest.raises(TypeError, match=f"^{name}: set by plyhouse.pgx, not an option$"):
            make("loa", **{name: True})


def test_names_are_those_of_pgx() -> None:
    pgx = pytest.importorskip("pgx", reason="pgx is not installed")
    names = {field.name for field in dataclasses.fields(State)}
    assert {field.name for field in dataclasses.fields(pgx.State)} <= names
    assert {name for name in vars(pgx.Env) if not name.startswith("_")} <= set(dir(Env))
    assert {"make", "available_envs", "Env", "State"} <= set(vars(pgx)) and callable(available_envs)
