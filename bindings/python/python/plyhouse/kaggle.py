"""An agent for Kaggle's environment of OpenSpiel's `lines_of_action`.

    from kaggle_environments import make
    from plyhouse.kaggle import agent

    environment = make("open_spiel_lines_of_action")
    environment.run([agent, "random"])

`make_agent("level=5")` returns an agent of another strength. An agent is a function and does not need `pyspiel`: it
reads the ids of the actions so far from the observation's `serializedGameAndState`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from plyhouse.openspiel import NAME, Player

__all__ = ["agent", "history", "make_agent"]

Agent = Callable[..., dict[str, int]]

#: Answer while it is the other player's turn.
NOTHING = -1

_GAME = re.compile(r"^\[Game\]\n(?P<name>\w+?)(?:_proxy)?(?:\((?P<parameters>.*)\))?$", re.MULTILINE)
_LENGTH = re.compile(r"\bmax_game_length=(\d+)")


def history(serialized: str) -> tuple[list[int], int]:
    """Read the actions and the move limit of a serialized game.

    OpenSpiel writes one action a line. For games behind a proxy of Kaggle it writes `history=PLAYER:ACTION,…`.
    """
    game = _GAME.search(serialized)
    _, state, actions = serialized.partition("\n[State]\n")
    if game is None or not state or game["name"] != NAME:
        found = game["name"] if game else serialized[:40]
        raise ValueError(f"serializedGameAndState: {found!r} found, expected a game of {NAME}")
    length = _LENGTH.search(game["parameters"] or "")
    limit = int(length[1]) if length else 1000
    lines = actions.split("\n")
    if lines[0].startswith("history="):
        pairs = lines[0].removeprefix("history=").split(",")
        return [int(pair.rpartition(":")[2]) for pair in pairs if pair], limit
    return [int(line) for line in lines if line.strip()], limit


def make_agent(words: str = "", *, seed: int | None = None) -> Agent:
    """Return an agent with the engine that the options describe; see `plyhouse.Engine`.

    Each game begins with the seed.
    """
    player = Player(words, seed=seed)

    def act(observation: Mapping[str, Any], configuration: Mapping[str, Any] | None = None) -> dict[str, int]:
        """Choose an action if it is this agent's turn."""
        serialized = observation.get("serializedGameAndState")
        is_turn = observation.get("currentPlayer") == observation.get("playerId")
        if not serialized or not is_turn or observation.get("isTerminal"):
            return {"submission": NOTHING}
        actions, limit = history(serialized)
        if len(actions) < 2:
            player.restart()
        return {"submission": player.choose(actions, limit)}

    return act


def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any] | None = None) -> dict[str, int]:
    """Choose an action at full strength with a budget of 100,000 positions a move."""
    act = _AGENTS.get("default")
    if act is None:
        act = _AGENTS["default"] = make_agent("nodes=100000")
    return act(observation, configuration)


_AGENTS: dict[str, Agent] = {}
