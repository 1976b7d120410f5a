"""Environments for PettingZoo, one for each game. The players move in turn (AEC).

    from plyhouse.pettingzoo import env

    environment = env("loa", rules="openspiel")
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        over = termination or truncation
        action = None if over else environment.action_space(agent).sample(observation["action_mask"])
        environment.step(action)

`pettingzoo.utils.conversions.turn_based_aec_to_parallel(env("loa"))` offers the parallel API of PettingZoo. It ignores
the action of the player who is not to move.

An observation is a dictionary: `"observation"` has the planes of `plyhouse.Position.observation`, the same for both
players, and `"action_mask"` marks the legal ids of the player to move. The other player's mask is all zeros.

For the options `actions`, `perspective` and `history` of a batch, use `plyhouse.gymnasium` or `plyhouse.pgx`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import plyhouse

__all__ = ["Environment", "env", "raw_env"]

AGENTS = ["player_0", "player_1"]

#: Attributes that `reset` sets.
_STATE = frozenset(
    [
        "game",
        "agents",
        "num_agents",
        "agent_selection",
        "rewards",
        "_cumulative_rewards",
        "terminations",
        "truncations",
        "infos",
    ]
)

#: Upper bound of the number of spots on a square of Jump61.
MOST = 255.0


def env(game: str = "loa", **options: Any) -> AECEnv:  # noqa: ANN401
    """Return the environment of a game with PettingZoo's usual checks; see `Environment` for the options."""
    environment: AECEnv = raw_env(game, **options)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


def raw_env(game: str = "loa", **options: Any) -> Environment:  # noqa: ANN401
    """Return the environment of a game without checks; see `Environment` for the options."""
    return Environment(game, **options)


if TYPE_CHECKING:

    class _Base:
        """The methods that environments inherit from PettingZoo, which has no types."""

        @property
        def num_agents(self) -> int:
            """Return the number of agents in the game."""

        @property
        def max_num_agents(self) -> int:
            """Return the number of agents at the start of a game."""

        @property
        def unwrapped(self) -> Environment:
            """Return the environment without wrappers."""

        def last(
            self, observe: bool = True
        ) -> tuple[dict[str, NDArray[Any]] | None, float, bool, bool, dict[str, Any]]:
            """Return observation, reward, termination, truncation and information of the agent whose turn it is."""

        def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
            """Yield the agent whose turn it is, until the game is over."""

        def _was_dead_step(self, action: int | None) -> None: ...
        def _clear_rewards(self) -> None: ...
        def _accumulate_rewards(self) -> None: ...

else:
    _Base = AECEnv


class Environment(_Base):
    """A game as an environment of PettingZoo.

    The move limit truncates a game, except under the rules `"openspiel"`, where it is a rule of the game. Environments
    can be copied and pickled, with or without PettingZoo's wrappers.
    """

    def __init__(
        self,
        game: str = "loa",
        *,
        size: int | None = None,
        rules: str = "plyhouse",
        repetitions: int | None = None,
        move_limit: int | None = 1000,
        render_mode: str | None = None,
    ) -> None:
        """Create an environment; see `plyhouse.Game` for the options of a game."""
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f'render_mode {render_mode!r}: expected None, "ansi" or "human"')
        self.metadata: dict[str, Any] = {
            "name": f"plyhouse_{game}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self._options: dict[str, Any] = {
            "size": size,
            "rules": rules,
            "repetitions": repetitions,
            "move_limit": move_limit,
        }
        self._name = game
        start = plyhouse.Game(game, **self._options).position
        shape = start.observation().shape
        self._count = start.num_actions
        self.possible_agents: list[str] = list(AGENTS)
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, MOST, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self._count,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(self._count) for agent in AGENTS}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """Raise an `AttributeError`, which names `reset` if that sets the attribute."""
        if name in _STATE:
            raise AttributeError(f"{name} is unset: expected a call of reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        _check(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        _check(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. The seed has no effect, because nothing is random. There are no options."""
        if options:
            # PettingZoo's own test passes an option, so this is no error.
            warnings.warn(f"reset has no options, so these are ignored: {', '.join(map(str, options))}", stacklevel=2)
        self.game: plyhouse.Game = plyhouse.Game(self._name, **self._options)
        self.agents: list[str] = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.truncations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection: str = AGENTS[self.game.turn]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return the board, and the mask of the legal actions if the agent is to move."""
        _check(agent)
        position = self.game.position
        if agent == self.agent_selection and not self.game.is_over:
            mask = position.action_mask().view(np.int8)
        else:
            mask = np.zeros(self._count, np.int8)
        return {"observation": position.observation(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"action None for {agent}, who is to move: expected 0 to {self._count - 1}")
        try:
            self.game.play_action(action)
        except ValueError:
            text = f"action {action} is not legal for {agent}: its action_mask marks the legal actions"
            raise ValueError(text) from None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.game.is_over:
            cut = self.game.reason == "move limit" and self.game.rules != "openspiel"
            for player, reward in zip(AGENTS, self.game.returns, strict=True):
                self.rewards[player] = reward
                self.terminations[player] = not cut
                self.truncations[player] = cut
                self.infos[player] = {"reason": self.game.reason}
        # This also applies after the end of the game: the opponent's turn then comes first.
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Draw the board. The drawing is returned (`"ansi"`) or printed (`"human"`)."""
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            return self.game.diagram()
        print(self.game.diagram(), end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing, because an environment holds no resources."""


def _check(agent: str) -> None:
    """Raise a `ValueError` if this is not an agent."""
    if agent not in AGENTS:
        raise ValueError(f"agent {agent!r}: expected {AGENTS[0]!r} or {AGENTS[1]!r}")
