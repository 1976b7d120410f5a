"""Batches of games under the names of pgx, for training loops that were written for it.

    from plyhouse.pgx import auto_reset, make  # instead of pgx and pgx.experimental

    env = make("loa")
    state = env.init(np.arange(1024))  # one seed or key for each game
    while not (state.terminated | state.truncated).all():
        state = env.step(state, policy(state.observation, state.legal_action_mask))

States have the fields of `pgx.State`, and follow its rules: `current_player` is a seat, to which `init` assigns a
colour at random, and `rewards` is an array [game, seat]. An illegal action loses the game. A finished game marks all
actions as legal, and ignores them. `auto_reset(env.step, env.init)` restarts finished games.

The differences:

* The arrays are NumPy's, and every state has the games as its first axis: remove `jax.jit` and `jax.vmap` around `init`
  and `step`, which cannot trace this code. `jax.jit` remains useful for networks, which accept the arrays.
* The games are those of `plyhouse.GAMES`. Their move limit truncates a game; games of pgx are not truncated.
* After an illegal action `current_player` and `_step_count` do not change; in pgx they do.
* `observe(state)` shows the board to the player to move. It has no argument `player_id`.
* Keys are arrays of integers, such as `jax.random.split(jax.random.PRNGKey(1), games)`. Pass keys of `jax.random.key`
  through `jax.random.key_data`.
* A step copies the games, so that earlier states stay valid, as in pgx. `make("loa", donate=True)` saves the time: a
  step then overwrites the arrays of the state that it receives, as JAX may do with donated buffers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

import plyhouse
from plyhouse._arguments import refuse

__all__ = ["Env", "State", "auto_reset", "available_envs", "make"]


@dataclasses.dataclass(frozen=True, eq=False)
class State:
    """The states of many games. The arrays have the games as their first axis, and are read-only."""

    #: The seat of the player to move: 0 or 1.
    current_player: NDArray[np.int32]
    #: Boards as planes, seen by the player to move: an array [game, row, column, plane].
    observation: NDArray[np.float32]
    #: Rewards of the last step: an array [game, seat].
    rewards: NDArray[np.float32]
    #: Games that have ended by their rules or by an illegal action.
    terminated: NDArray[np.bool_]
    #: Games that have ended by the move limit.
    truncated: NDArray[np.bool_]
    #: The legal ids: an array [game, id].
    legal_action_mask: NDArray[np.bool_]
    #: Number of steps played in each game.
    _step_count: NDArray[np.int32]
    #: The games. `batch.sample(logits)` draws legal actions faster than NumPy.
    batch: plyhouse.Batch = dataclasses.field(repr=False)
    #: The seat of the player who moves first.
    _first: NDArray[np.int8] = dataclasses.field(repr=False)

    @property
    def env_id(self) -> str:
        """The name of the game."""
        return self.batch.game

    def replace(self, **changes: Any) -> State:  # noqa: ANN401
        """Return a state with other values of these fields."""
        return dataclasses.replace(self, **changes)


class Env:
    """A game as an environment of pgx."""

    #: Number of players.
    num_players = 2

    #: Version of the environment.
    version = "v0"

    def __init__(
        self,
        game: str,
        *,
        donate: bool = False,
        actions: Literal["standard", "compact"] = "compact",
        perspective: Literal["board", "mover"] = "mover",
        **options: Any,  # noqa: ANN401
    ) -> None:
        """Create an environment; see `plyhouse.Batch` for `actions`, `perspective` and the other options."""
        refuse(options, "plyhouse.pgx", "count", "auto_reset", "observations", "masks", "rewards", "seed")
        self._options = {**options, "actions": actions, "perspective": perspective}
        self._donate = donate
        self._sample = self._batch(game, 1)

    def _batch(self, game: str, count: int, seed: int = 0) -> plyhouse.Batch:
        """Start games."""
        return plyhouse.Batch(
            game, count, auto_reset=False, observations=True, masks=True, rewards="players", seed=seed, **self._options
        )

    @property
    def id(self) -> str:
        """The name of the game."""
        return self._sample.game

    @property
    def num_actions(self) -> int:
        """Number of action ids."""
        return self._sample.num_actions

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of one game's observation: rows, columns, planes."""
        return _planes_last(self._sample).shape[1:]

    def init(self, key: ArrayLike) -> State:
        """Start games: one for each key of JAX (an array [game, 2]) or for each seed, or this number of games.

        The keys determine which seat moves first; a number of games draws it at random.
        """
        rng, count = _rng(key)
        batch = self._batch(self.id, count, seed=int(rng.integers(2**63)))
        first = rng.integers(2, size=count, dtype=np.int8)
        over = batch.finished
        return _state(batch, first, np.zeros((count, 2), np.float32), over.copy(), np.zeros(count, np.bool_))

    def step(self, state: State, action: ArrayLike, key: ArrayLike | None = None) -> State:
        """Return the states after an action in each game. The key has no effect, because nothing is random."""
        return self._step(state, action, waits=True)

    def observe(self, state: State) -> NDArray[np.float32]:
        """Return `state.observation`."""
        return state.observation

    def _step(self, state: State, action: ArrayLike, *, waits: bool) -> State:
        """Return the states after an action in each game, or in each one that is not over if those games wait."""
        batch = state.batch if self._donate else state.batch.clone()
        count, actions = len(batch), np.asarray(action)
        if actions.shape != (count,):
            raise ValueError(f"actions of shape {actions.shape}: expected ({count},), one for each game")
        over = state.terminated | state.truncated if waits else np.zeros(count, np.bool_)
        inside = (actions >= 0) & (actions < batch.num_actions)
        legal = state.legal_action_mask[np.arange(count), np.where(inside, actions, 0)] & inside
        lost = ~over & ~legal
        mover = state.current_player[lost]
        terminated, truncated = state.terminated & over, state.truncated & over
        batch.step(actions, where=~over & legal)
        rewards = np.where(state._first[:, None] == 0, batch.rewards, batch.rewards[:, ::-1])
        rewards[lost, mover], rewards[lost, 1 - mover] = -1.0, 1.0
        ends = terminated | batch.terminated | lost, truncated | batch.truncated
        return _state(batch, state._first, rewards, *ends, waits=waits)


def make(env_id: str, **options: Any) -> Env:  # noqa: ANN401
    """Return the environment of a game; see `Env` for the options."""
    return Env(env_id, **options)


def available_envs() -> tuple[str, ...]:
    """Return the names of the games."""
    return tuple(plyhouse.GAMES)


def auto_reset(step_fn: Callable[..., State], init_fn: Callable[..., State]) -> Callable[..., State]:
    """Return a step function that restarts finished games, for the methods `step` and `init` of an `Env`.

    As with the function of `pgx.experimental`, `terminated`, `truncated` and `rewards` are those of the finished game,
    the other fields those of the new one. The keys determine which seat moves first.
    """
    env = getattr(step_fn, "__self__", None)
    if not isinstance(env, Env) or step_fn != env.step or init_fn != env.init:
        raise TypeError(f"auto_reset({step_fn!r}, {init_fn!r}): expected (env.step, env.init) of plyhouse.pgx")

    def step(state: State, action: ArrayLike, key: ArrayLike | None = None) -> State:
        """Return the states after an action in each game, with new games in place of finished ones."""
        after = env._step(state, action, waits=False)
        ended = after.terminated | after.truncated
        if not ended.any():
            return after
        rng, _ = _rng(len(ended) if key is None else key)
        after.batch.reset(ended)
        seats = rng.integers(2, size=len(ended), dtype=np.int8)
        first = np.where(ended, seats, after._first)
        return _state(after.batch, first, after.rewards, after.terminated, after.truncated, waits=False)

    return step


def _state(
    batch: plyhouse.Batch,
    first: NDArray[np.int8],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    *,
    waits: bool = True,
) -> State:
    """Return a state. All actions of finished games are marked as legal if they wait."""
    masks = batch.action_masks
    assert masks is not None
    if waits:
        ended = terminated | truncated
        masks = masks | ended[:, None] if ended.any() else masks
    fields = (batch.players ^ first).astype(np.int32), _planes_last(batch), rewards, terminated, truncated, masks
    for array in fields:
        array.flags.writeable = False
    return State(*fields, _step_count=batch.plies, batch=batch, _first=first)


def _planes_last(batch: plyhouse.Batch) -> NDArray[np.float32]:
    """Return the observations with the planes as the last axis."""
    boards = batch.observations
    assert boards is not None
    return np.moveaxis(boards, 1, -1)


def _rng(key: ArrayLike) -> tuple[np.random.Generator, int]:
    """Return random numbers that the keys determine, and the number of keys. A number means random keys."""
    keys = np.asarray(key)
    if keys.dtype.kind not in "iu":
        raise TypeError(f"keys of type {keys.dtype}: expected integers")
    if keys.ndim == 0:
        return np.random.default_rng(), int(keys)
    if keys.ndim == 1 and keys.dtype == np.uint32 and len(keys) == 2:
        raise ValueError("a single key: expected an array of keys, such as jax.random.split(key, games)")
    return np.random.default_rng(np.ascontiguousarray(keys).view(np.uint32).ravel()), len(keys)
