"""Environments for Gymnasium, in which an agent plays against an engine, a policy, or random moves.

    import gymnasium
    from plyhouse.gymnasium import VectorEnv

    environments = VectorEnv("loa", 1024, opponent="level=gentle1", actions="compact")
    observations, infos = environments.reset(seed=1)
    for _ in range(100):
        actions = environments.batch.sample()  # or sample(logits)
        observations, rewards, terminations, truncations, infos = environments.step(actions)

    environment = gymnasium.make("plyhouse.gymnasium:plyhouse/breakthrough-v0", opponent="random")

An `Engine` can also be the opponent: `VectorEnv("loa", 1024, opponent=plyhouse.Engine("loa", level=3))`.

Every step plays the agent's move and then the moves of the opponent, until the agent is to move again or the game is
over. Rewards are those of the agent: 1 for a win, -1 for a loss, otherwise 0.

`infos["action_mask"]` marks the legal ids, and `infos["side"]` is the player (0 or 1) that the agent plays. There is no
mask with `masks=False`: `batch.legal_actions()` lists the legal ids, and `batch.sample(logits)` draws one in each game.

The ids `plyhouse/loa-v0`, `plyhouse/checkers-v0`, `plyhouse/jump61-v0` and `plyhouse/breakthrough-v0` work with
`gymnasium.make` and `gymnasium.make_vec`.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces, vector
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import plyhouse
from plyhouse._arguments import act, refuse

__all__ = ["Env", "VectorEnv"]

#: An engine, the options of one, `"random"`, or a function that returns an action for every game of a batch.
Opponent: TypeAlias = str | plyhouse.Engine | Callable[[plyhouse.Batch], NDArray[Any]]


class VectorEnv(vector.VectorEnv[NDArray[np.float32], NDArray[np.integer[Any]], NDArray[Any]]):
    """Many games as an environment of Gymnasium: one agent plays in all of them.

    `batch` is the `plyhouse.Batch` with the games. Environments can be copied (`copy.deepcopy`) and pickled.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str = "loa",
        num_envs: int = 1,
        *,
        opponent: Opponent = "level=gentle1",
        side: Literal[0, 1, "alternate"] = "alternate",
        illegal: Literal["error", "lose"] = "error",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        perspective: Literal["board", "mover"] = "mover",
        **options: Any,  # noqa: ANN401
    ) -> None:
        """Start the games; see `plyhouse.Batch` for `perspective` and the other options.

        The opponent is one of these:

        * an engine, or the options of one (`"level=3"`). It plays the game of the environment on the same board size;
          an engine with an evaluator also has the same `actions`, `perspective`, `history` and `turn_plane`. The
          environment plays with a copy of the engine. The copy keeps the engine's seed until `reset` receives a seed;
        * `"random"`: random moves. They are drawn by `batch.sample()`, so your own calls of it change them;
        * a function: it receives the batch and returns an array with an action for every game. The actions of games in
          which the opponent is not to move are ignored.

        With `side="alternate"` the agent begins as player 0 in even games and as player 1 in odd ones, and changes
        sides after every game.

        An illegal action raises a `ValueError` that names it, and no game changes. With `illegal="lose"` it loses its
        game instead; this suits agents that do not use the masks.

        After the end of a game, `AutoresetMode.NEXT_STEP` restarts it in the next step, which ignores the action and
        gives no reward. `SAME_STEP` restarts it in the same step, and `infos` has `final_obs` and `final_info`. With
        `DISABLED` the games wait for `reset(options={"reset_mask": mask})`. A final observation shows the board to the
        player who would be to move.
        """
        refuse(options, "VectorEnv", "count", "auto_reset", "observations", "rewards")
        if side not in (0, 1, "alternate"):
            raise ValueError(f'side {side!r}: expected 0, 1 or "alternate"')
        if illegal not in ("error", "lose"):
            raise ValueError(f'illegal {illegal!r}: expected "error" or "lose"')
        if render_mode not in (None, "ansi"):
            raise ValueError(f'render_mode {render_mode!r}: expected None or "ansi"')
        self.batch: plyhouse.Batch = plyhouse.Batch(
            game,
            num_envs,
            auto_reset=False,
            observations=True,
            rewards="players",
            perspective=perspective,
            **options,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": AutoresetMode(autoreset_mode)}
        self._opponent = _opponent_of(opponent, self.batch)
        self._illegal = illegal
        self._side = side
        self._sides: NDArray[np.int8] | None = None
        self._over = np.zeros(num_envs, np.bool_)
        shape, most = self._observations().shape[1:], 255.0 if game == "jump61" else 1.0
        self.single_observation_space: spaces.Space[Any] = spaces.Box(0.0, most, shape, np.float32)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(self.batch.num_actions)
        self.observation_space: spaces.Space[Any] = vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space: spaces.Space[Any] = vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Restart all games, or those that `options["reset_mask"]` marks. A seed restarts all random numbers.

        `infos` has values for the restarted games only; the values of other games are zeros. Other options are ignored
        with a warning.
        """
        _warn(options, "reset_mask")
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"])
            if which.dtype != np.bool_ or which.shape != (self.num_envs,):
                raise ValueError(f"reset_mask of {which.dtype} {which.shape}: expected bool ({self.num_envs},)")
        super().reset(seed=seed)
        if seed is not None:
            self.batch.reset(which, seed=int(self.np_random.integers(2**63)))
            if isinstance(self._opponent, plyhouse.Engine):
                self._opponent.new_game(int(self.np_random.integers(2**63)))
        self._restart(which, change=seed is None)
        self._begin(which)
        self._over &= ~which
        return self._observations(), self._infos(which)

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in each game, and the opponent's reply."""
        if self._sides is None:
            raise gymnasium.error.ResetNeeded("step: expected a call of reset() first")
        mode, restarted = self.metadata["autoreset_mode"], self._over
        if mode is AutoresetMode.DISABLED and restarted.any():
            number = int(restarted.argmax())
            raise ValueError(f'game {number} is over: expected reset(options={{"reset_mask": mask}}) first')
        lost = np.zeros(self.num_envs, np.bool_)
        if self._illegal == "lose":
            lost = ~(self._legal(np.asarray(actions)) | restarted)
        self.batch.step(actions, where=~(restarted | lost))
        rewards, terminated, truncated = self._results()
        self._restart(restarted)
        while self._reply():
            more = self._results()
            rewards, terminated, truncated = rewards + more[0], terminated | more[1], truncated | more[2]
        rewards[lost], terminated[lost] = -1.0, True
        self._over = terminated | truncated
        infos: dict[str, Any] = {}
        if mode is AutoresetMode.SAME_STEP and self._over.any():
            infos = self._restart_at_once()
        return self._observations(), rewards, terminated, truncated, self._infos(np.ones_like(lost)) | infos

    def render(self) -> tuple[str, ...] | None:
        """Return drawings of all boards with the render mode `"ansi"`."""
        if self.render_mode is None:
            return None
        return tuple(self.batch.position(number).diagram() for number in range(self.num_envs))

    def _observations(self) -> NDArray[np.float32]:
        """Return a copy of the observations, which the batch overwrites."""
        boards = self.batch.observations
        assert boards is not None
        return boards.copy()

    def _infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the infos of these games. By Gymnasium's convention `_key` marks the games with a `key`."""
        assert self._sides is not None
        infos = {"side": np.where(which, self._sides, np.int8(0)), "_side": which.copy()}
        masks = self.batch.action_masks
        if masks is not None:
            infos["action_mask"] = masks.astype(np.int8)
            infos["action_mask"][self._over | ~which] = 0
            infos["_action_mask"] = which.copy()
        return infos

    def _results(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the agent's rewards and the ends of games in the batch's last step."""
        assert self._sides is not None
        rewards = self.batch.rewards[np.arange(self.num_envs), self._sides]
        return rewards.astype(np.float64), self.batch.terminated.copy(), self.batch.truncated.copy()

    def _legal(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the games in which the action is legal."""
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions of shape {actions.shape}: expected ({self.num_envs},), one for each game")
        offsets, ids = self.batch.legal_actions()
        rows = np.repeat(np.arange(self.num_envs), np.diff(offsets))
        legal = np.zeros(self.num_envs, np.bool_)
        legal[rows[ids == actions[rows]]] = True
        return legal

    def _restart_at_once(self) -> dict[str, Any]:
        """Restart the games that are over. Return their final observations and infos."""
        over, boards = self._over, self._observations()
        final = np.full(self.num_envs, None, dtype=object)
        for number in np.flatnonzero(over):
            final[number] = boards[number]
        infos = {"final_obs": final, "final_info": self._infos(over), "_final_obs": over, "_final_info": over.copy()}
        self._over = np.zeros_like(over)
        self._restart(over)
        self._begin(over)
        return infos

    def _restart(self, which: NDArray[np.bool_], *, change: bool = True) -> None:
        """Restart these games. The agent changes sides in them, or plays the sides of the first games again."""
        first = np.full(self.num_envs, self._side if self._side != "alternate" else 0, np.int8)
        if self._side == "alternate":
            first[1::2] = 1
        if self._sides is None:
            self._sides = first
        elif self._side == "alternate":
            self._sides = np.where(which, np.int8(1) - self._sides if change else first, self._sides)
        if which.any():
            self.batch.reset(which)

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Play the opponent's moves before the agent's first one in games that have been restarted."""
        while self._reply():
            pass
        early = self.batch.finished & which
        if early.any():
            number = int(early.argmax())
            raise ValueError(f"game {number} is over before the agent's first move: expected another start")

    def _reply(self) -> bool:
        """Play a move of the opponent in each game in which it is to move. Return `False` if there are none."""
        waiting = (self.batch.players != self._sides) & ~self.batch.finished
        if not waiting.any():
            return False
        self.batch.step(self._choose(waiting), where=waiting)
        return True

    def _choose(self, waiting: NDArray[np.bool_]) -> NDArray[Any]:
        """Return the opponent's actions in these games; the other values of the array are ignored."""
        if self._opponent is None:
            return self.batch.sample()
        return act(self._opponent, self.batch, waiting, "opponent")


class Env(gymnasium.Env[NDArray[np.float32], np.integer[Any]]):
    """One game as an environment of Gymnasium. Environments can be copied (`copy.deepcopy`) and pickled."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, game: str = "loa", **options: Any) -> None:  # noqa: ANN401
        """Start a game; see `VectorEnv` for the options."""
        refuse(options, "Env", "num_envs", "autoreset_mode")
        self._games = VectorEnv(game, 1, autoreset_mode=AutoresetMode.DISABLED, **options)
        self.render_mode: str | None = self._games.render_mode
        self.observation_space: spaces.Space[NDArray[np.float32]] = self._games.single_observation_space
        self.action_space: spaces.Space[np.integer[Any]] = self._games.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a new game. A seed restarts all random numbers. Options are ignored with a warning."""
        _warn(options)
        super().reset(seed=seed)
        observations, infos = self._games.reset(seed=seed)
        return observations[0], _first(infos)

    def step(self, action: np.integer[Any] | int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's reply."""
        if self._games._over.any():
            raise ValueError("the game is over: expected a call of reset() first")
        observations, rewards, terminated, truncated, infos = self._games.step(np.asarray([action]))
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _first(infos)

    def render(self) -> str | None:
        """Return a drawing of the board with the render mode `"ansi"`."""
        drawings = self._games.render()
        return None if drawings is None else drawings[0]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the legal actions under the name that `MaskablePPO` of sb3-contrib expects."""
        mask = np.zeros(self._games.batch.num_actions, np.bool_)
        mask[self._games.batch.legal_actions()[1]] = True
        return mask


def _opponent_of(
    opponent: Opponent, batch: plyhouse.Batch
) -> plyhouse.Engine | Callable[[plyhouse.Batch], NDArray[Any]] | None:
    """Return the opponent that plays in a batch: a new engine, or a function; `None` for random moves."""
    if isinstance(opponent, str):
        return None if opponent == "random" else plyhouse.Engine(batch.game, opponent, size=batch.size)
    if not isinstance(opponent, plyhouse.Engine):
        if callable(opponent):
            return opponent
        found = type(opponent).__name__
        raise TypeError(f'opponent: {found} found, expected an Engine, the options of one, "random" or a function')
    found, expected = (f"{player.game} with {player.size} squares per side" for player in (opponent, batch))
    if found != expected:
        raise ValueError(f"opponent: an engine for {found} found, expected {expected}")
    engine = copy.copy(opponent)
    try:
        # No game is searched: this compares the encoding of an evaluator with that of the batch.
        engine.choose_batch(batch, where=np.zeros(len(batch), np.bool_))
    except ValueError as error:
        raise ValueError(f"opponent: {error}") from None
    return engine


def _warn(options: dict[str, Any] | None, *known: str) -> None:
    """Warn of the options of `reset` that are not known."""
    unknown = [str(name) for name in options or {} if name not in known]
    if unknown:
        has = f"only the option {known[0]}" if known else "no options"
        warnings.warn(f"reset has {has}, so these are ignored: {', '.join(unknown)}", stacklevel=3)


def _first(infos: dict[str, Any]) -> dict[str, Any]:
    """Return the infos of the first game."""
    return {key: value[0] for key, value in infos.items() if not key.startswith("_")}


for _game in plyhouse.GAMES:
    gymnasium.register(
        f"plyhouse/{_game}-v0",
        entry_point="plyhouse.gymnasium:Env",
        vector_entry_point="plyhouse.gymnasium:VectorEnv",
        kwargs={"game": _game},
    )
