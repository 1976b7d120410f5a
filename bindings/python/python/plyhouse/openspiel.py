"""The engines of Plyhouse as players of OpenSpiel's `lines_of_action`.

    import pyspiel
    from plyhouse.openspiel import Bot

    game = pyspiel.load_game("lines_of_action")
    bots = [Bot("level=3"), pyspiel.make_uniform_random_bot(1, 7)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))

`Player` does not need `pyspiel`: it takes the ids of the actions so far and returns the id of an action.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import plyhouse

if TYPE_CHECKING:
    import pyspiel

__all__ = ["NAME", "Bot", "Player"]

#: The name of the game in OpenSpiel.
NAME = "lines_of_action"

#: Number of lines that are compared when the best one leads to a draw.
LINES = 8


class Player:
    """An engine of Plyhouse that uses the ids of OpenSpiel.

    The search ignores the rule that a repeated board draws the game. If a player has the better position and the best
    move would draw, the player therefore plays the best of `LINES` lines whose first move does not draw, if any.
    """

    def __init__(self, words: str = "", *, seed: int | None = None) -> None:
        """Create the engine that the options describe; see `plyhouse.Engine`. Each game begins with the seed."""
        self._engine = plyhouse.Engine("loa", words, seed=seed)
        self._careful = plyhouse.Engine("loa", words, lines=LINES, seed=seed)
        self._seed = seed
        self._game = plyhouse.Game("loa", rules="openspiel")

    def restart(self) -> None:
        """Reset the player for a new game."""
        self._engine.new_game(self._seed)
        self._careful.new_game(self._seed)
        self._game = plyhouse.Game("loa", rules="openspiel")

    def choose(self, history: Sequence[int], max_game_length: int = 1000) -> int:
        """Choose an action after the actions of a game so far. If one of these is illegal, a `ValueError` names it."""
        game = self._follow(history, max_game_length)
        choice = self._engine.choose(game)
        move, score = choice.move, choice.score
        better = score is not None and (score.win_in is not None or (score.units or 0) > 0)
        if better and _draws(game, move):
            lines = self._careful.choose(game).lines
            move = next((line.moves[0] for line in lines if not _draws(game, line.moves[0])), move)
        return game.position.action_of(move)

    def _follow(self, history: Sequence[int], max_game_length: int) -> plyhouse.Game:
        """Return the game after these actions. If they continue the current game, only the new ones are played."""
        played = self._game.actions
        if self._game.move_limit != max_game_length or list(history[: len(played)]) != played:
            self._game = plyhouse.Game("loa", rules="openspiel", move_limit=max_game_length)
            played = []
        for action in history[len(played) :]:
            self._game.play_action(action)
        return self._game


def _draws(game: plyhouse.Game, move: str) -> bool:
    """Return `True` if a move ends the game without a winner."""
    after = game.copy()
    after.play(move)
    return after.is_over and after.winner is None


def _bot() -> type[Any]:
    """Return the class `Bot`, which needs `pyspiel`."""
    import pyspiel

    class Bot(pyspiel.Bot):  # type: ignore[misc]
        """An engine of Plyhouse as an OpenSpiel bot for `lines_of_action`."""

        def __init__(self, words: str = "", *, seed: int | None = None) -> None:
            """Create the engine that the options describe; see `plyhouse.Engine`. Each game begins with the seed."""
            super().__init__()
            self._player = Player(words, seed=seed)

        def __reduce__(self) -> tuple[Callable[[Player], pyspiel.Bot], tuple[Player]]:
            """Return a function and its argument, for `pickle` and `copy`."""
            return _bot_of, (self._player,)

        def restart(self) -> None:
            """Reset the player for a new game."""
            self._player.restart()

        def restart_at(self, state: pyspiel.State) -> None:
            """Reset the player. The state is not needed, because `step` receives the whole game."""
            self._player.restart()

        def step(self, state: pyspiel.State) -> int:
            """Choose an action for the player to move."""
            game = state.get_game()
            name = game.get_type().short_name
            if name != NAME:
                raise ValueError(f"a state of {name!r} found, expected {NAME!r}")
            return self._player.choose(state.history(), game.max_game_length())

    return Bot


with contextlib.suppress(ImportError):
    Bot: type[Any] = _bot()


def _bot_of(player: Player) -> pyspiel.Bot:
    """Return a bot with this player."""
    bot = Bot()
    bot._player = player
    return bot


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Raise an `AttributeError`; for `Bot`, an `ImportError` that explains how to install OpenSpiel."""
    if name == "Bot":
        raise ImportError("plyhouse.openspiel.Bot needs OpenSpiel: pip install open_spiel")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
