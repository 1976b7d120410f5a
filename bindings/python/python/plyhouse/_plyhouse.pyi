"""The part of `plyhouse` that is written in Rust."""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypedDict, final, type_check_only

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "GAMES", "Analysis", "Batch", "Choice", "Engine", "Fact", "Game", "Line", "Position", "Proof", "Reply", "Score",
    "SgfGame", "SgfNode", "__version__", "about", "analyse", "prove", "read_sgf",
]  # fmt: skip

__version__: Final[str]
GAMES: Final[list[str]]

@type_check_only
class _About(TypedDict):
    """The fixed properties of a game."""

    name: str
    title: str
    sizes: list[int]
    usual_size: int
    sides: list[str]
    planes: list[str]

def about(game: str) -> _About:
    """Return the fixed properties of a game: title, board sizes, sides, and the meaning of each plane."""

@final
class Position:
    """A position of a game. It is immutable: `play` returns the position after a move.

    Positions of the same game are equal if their position texts are equal. `str` returns the text. Positions can be
    hashed and pickled.
    """

    def __new__(cls, game: str, text: str | None = None, *, size: int | None = None) -> Position:
        """Read a position text, or set up the start on a board of this size (by default the usual one)."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Board size, in squares per side."""
    @property
    def turn(self) -> int:
        """The player to move: 0 or 1."""
    @property
    def side_to_move(self) -> str:
        """The name of the player to move, such as `"Black"`."""
    @property
    def side_names(self) -> tuple[str, str]:
        """The names of player 0 and player 1."""
    @property
    def is_over(self) -> bool:
        """`True` if the board is decided, or the player to move has no move."""
    @property
    def winner(self) -> int | None:
        """The player who has won, if the position is over."""
    @property
    def key(self) -> int:
        """A 64-bit hash of the position. It is the same in every run."""
    @property
    def num_actions(self) -> int:
        """Number of action ids. Every id is below it."""
    def legal_moves(self) -> list[str]:
        """Return the legal moves in a fixed order. A decided board has none."""
    def legal_actions(self) -> list[int]:
        """Return the ids of the legal moves in ascending order."""
    def is_legal(self, move: str) -> bool:
        """Return `True` if the rules allow this move. Moves on a decided board are also allowed."""
    def action_of(self, move: str) -> int:
        """Return the id of a legal move. A `ValueError` names the rule that an illegal move breaks."""
    def move_of(self, action: int) -> str:
        """Return the legal move with this id."""
    def play(self, move: str) -> Position:
        """Return the position after a move. A `ValueError` names the rule that an illegal move breaks."""
    def play_action(self, action: int) -> Position:
        """Return the position after the move with this id."""
    def perft(self, depth: int) -> int:
        """Count the sequences of exactly `depth` legal moves. Other threads continue during the count."""
    def perft_divide(self, depth: int) -> dict[str, int]:
        """Count the sequences below each move."""
    def diagram(self) -> str:
        """Return a drawing of the board with its coordinates."""
    def observation(self) -> NDArray[np.float32]:
        """Return the board as planes: an array [plane, row, column]. `about` describes the planes."""
    def action_mask(self) -> NDArray[np.bool_]:
        """Return an array [id] in which the legal moves are `True`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Position], tuple[str, str]]: ...

@final
class Game:
    """A game being played: its positions and moves, its draw rules, and its result."""

    def __new__(
        cls,
        game: str,
        *,
        size: int | None = None,
        start: str | None = None,
        moves: Sequence[str] | None = None,
        rules: str = "plyhouse",
        repetitions: int | None = None,
        move_limit: int | None = None,
    ) -> Game:
        """Start a game, and play these moves.

        With the rules `"plyhouse"` a game without progress is drawn as in matches of this game (checkers: the third
        occurrence of a position, 80 plies without a capture or a move of a man; other games: never). It is also drawn
        when a position occurs `repetitions` times, and after `move_limit` moves of both sides.

        The rules `"openspiel"` exist for Lines of Action on the usual board. A repeated board draws the game, even if
        the side to move is different. So does the move limit (by default 1000). Both apply even if the last move wins.

        Lines of Action also has the rules `"mso"` of the Mind Sports Olympiad: a move that connects both sides and a
        third occurrence of a position draw, and a side without a move passes (`pass`). `"cs61b"` and `"nus"` are the
        usual rules. A start may be a position text or the name of a start: `"scrambled-eggs"`.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Board size, in squares per side."""
    @property
    def rules(self) -> str:
        """The name of the rules: `"plyhouse"`, `"openspiel"`, `"mso"`, `"cs61b"` or `"nus"`."""
    @property
    def move_limit(self) -> int | None:
        """Number of moves of both sides after which the game is drawn."""
    @property
    def position(self) -> Position:
        """The current position."""
    @property
    def positions(self) -> list[Position]:
        """All positions so far, from the start on."""
    @property
    def turn(self) -> int:
        """The player to move: 0 or 1."""
    @property
    def moves(self) -> list[str]:
        """The moves so far."""
    @property
    def actions(self) -> list[int]:
        """The ids of the moves so far."""
    @property
    def is_over(self) -> bool:
        """`True` if the game has ended."""
    @property
    def winner(self) -> int | None:
        """The player who has won; `None` after a draw and during the game."""
    @property
    def reason(self) -> Literal["board", "move limit", "stuck", "repetition", "quiet plies"] | None:
        """The rule that ended the game."""
    @property
    def returns(self) -> tuple[float, float]:
        """The players' rewards: 1 for a win, -1 for a loss, otherwise 0."""
    def legal_moves(self) -> list[str]:
        """Return the legal moves. A finished game has none."""
    def legal_actions(self) -> list[int]:
        """Return the ids of the legal moves in ascending order. A finished game has none."""
    def play(self, move: str) -> str:
        """Play a move, and return it in its usual notation. After a `ValueError` the game is unchanged."""
    def play_action(self, action: int) -> str:
        """Play the move with this id, and return its notation."""
    def undo(self) -> str | None:
        """Take back the last move, and return it. Return `None` at the start."""
    def copy(self) -> Game:
        """Return a copy that can be played independently."""
    def diagram(self) -> str:
        """Return a drawing of the board with its coordinates and the last move."""
    def sgf(
        self,
        *,
        players: tuple[str, str] = ("", ""),
        event: str = "",
        date: str = "",
        result: str | None = None,
        comment: str = "",
    ) -> str:
        """Return the game as an SGF file. Only Lines of Action has SGF files."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __len__(self) -> int: ...

@final
class Score:
    """The value of a position for the player to move. Scores with the same value are equal."""

    @property
    def win_in(self) -> int | None:
        """Plies to a proven win."""
    @property
    def loss_in(self) -> int | None:
        """Plies to a proven loss."""
    @property
    def units(self) -> int | None:
        """Hundredths of a piece, if nothing is proven."""
    @property
    def is_proven(self) -> bool:
        """`True` if the score is a proven win or loss."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Line:
    """A line of best play for both sides, with its value."""

    @property
    def score(self) -> Score:
        """The value for the player to move."""
    @property
    def moves(self) -> list[str]:
        """The moves of both sides."""

@final
class Choice:
    """A move chosen by an engine, with the results of its search."""

    @property
    def move(self) -> str:
        """The move."""
    @property
    def score(self) -> Score | None:
        """The value of the move."""
    @property
    def lines(self) -> list[Line]:
        """The best lines, best first: at most as many as the argument `lines` of the engine."""
    @property
    def depth(self) -> int:
        """Finished depth, in plies."""
    @property
    def nodes(self) -> int:
        """Visited positions."""

@final
class Engine:
    """A player of one game on one board size."""

    def __new__(
        cls, game: str, words: str = "", *, size: int | None = None, lines: int = 1, seed: int = 0, **named: object
    ) -> Engine:
        """Create a player from options such as `"level=3"` or `"nodes=20000,without=lmr+null"`.

        Each option can also be a named argument: `level=3`, `nodes=20000`, `book=False`, `with_="lmr"`.
        `docs/engine.md` lists the options. With a node budget and one thread, the same seed gives the same moves.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Board size, in squares per side."""
    def choose(self, game: Game | Position) -> Choice:
        """Choose a move. Other threads continue during the search, and Ctrl-C stops it."""
    def new_game(self, seed: int = 0) -> None:
        """Reset the engine for a new game. The seed determines its random choices."""

@final
class Fact:
    """A result of perfect play that is known without a search."""

    @property
    def winner(self) -> int | None:
        """The player who wins; `None` for a draw."""
    @property
    def plies(self) -> int:
        """Maximum number of plies until the win."""
    @property
    def best(self) -> str | None:
        """A move that keeps the result, if one is known."""
    @property
    def source(self) -> Literal["book", "tables", "search"]:
        """Source of the result."""

@final
class Analysis:
    """The evaluation of a position by the engine at full strength."""

    @property
    def lines(self) -> list[Line]:
        """The best lines, best first."""
    @property
    def best(self) -> str | None:
        """The best move."""
    @property
    def score(self) -> Score | None:
        """The value of the best line."""
    @property
    def depth(self) -> int:
        """Finished depth, in plies."""
    @property
    def nodes(self) -> int:
        """Visited positions."""
    @property
    def known(self) -> Fact | None:
        """The result of perfect play, if it is known without a search."""

def analyse(game: Game | Position, words: str = "", *, lines: int = 1, **named: object) -> Analysis:
    """Find the best lines of a position and their values. A win or a loss in a score is proven.

    The options are those of `Engine`. Other threads continue during the analysis, and Ctrl-C stops it.
    """

@final
class Reply:
    """A reply of the losing side, and the winner's answer."""

    @property
    def move(self) -> str:
        """The losing side's move."""
    @property
    def answer(self) -> str | None:
        """The winner's answer; `None` if the reply ends the game."""
    @property
    def plies(self) -> int | None:
        """Maximum number of plies until the win; `None` if the budget did not suffice to prove the win again."""
    @property
    def ends(self) -> bool:
        """`True` if the answer ends the game."""

@final
class Proof:
    """The result of a proof attempt. `replies` shows how a win continues after each reply."""

    @property
    def status(self) -> Literal["won", "no win", "open", "over"]:
        """`won`: one side wins; `no win`: neither can force a win; `open`: budget exhausted; `over`: game over."""
    @property
    def winner(self) -> int | None:
        """The player who wins."""
    @property
    def plies(self) -> int | None:
        """Maximum number of plies until the win."""
    @property
    def best(self) -> str | None:
        """The winner's move, if the winner is to move."""
    @property
    def source(self) -> Literal["book", "tables", "search"] | None:
        """Source of the result."""
    def replies(self, line: Sequence[str] | None = None) -> list[Reply]:
        """Return the losing side's replies after a line from the proven position, longest resistance first."""

def prove(position: Position, *, nodes: int = 1_000_000, table: int = 64) -> Proof:
    """Try to prove that one side wins a position, within a budget of `nodes` positions and a `table` in MiB.

    Move limits and repetitions do not count. Other threads continue during the attempt, and Ctrl-C stops it.
    """

@final
class SgfNode:
    """A node of a game in a file: a move, or the start."""

    @property
    def parent(self) -> int | None:
        """The number of the preceding node; `None` at the start."""
    @property
    def move(self) -> str | None:
        """The move; `None` at the start."""
    @property
    def comment(self) -> str:
        """A comment on the move."""
    @property
    def mark(self) -> str | None:
        """The annotation of the move's quality, such as `"!"` or `"?!"`."""

@final
class SgfGame:
    """A game of Lines of Action from an SGF file. `str` returns it as SGF with its variations."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of Black and White."""
    @property
    def event(self) -> str:
        """The name of the event."""
    @property
    def date(self) -> str:
        """The date of the game."""
    @property
    def result(self) -> str:
        """`B+`, `W+`, `0` for a draw, or a result with a reason, such as `B+Time`."""
    @property
    def comment(self) -> str:
        """A comment on the game."""
    @property
    def start(self) -> str | None:
        """The position text of the start, if it is not the usual one."""
    @property
    def moves(self) -> list[str]:
        """The moves of the main line."""
    @property
    def nodes(self) -> list[SgfNode]:
        """The start and all moves, each after its parent. The first child of a node continues the main line."""
    def game(self) -> Game:
        """Return the main line as a game that can be continued."""

def read_sgf(text: str | bytes) -> list[SgfGame]:
    """Read the games of an SGF file. The property `CA` of the file determines how bytes are decoded.

    Each invalid game is skipped with a `UserWarning` that describes the error and its place. If no game is valid, a
    `ValueError` is raised.
    """

@final
class Batch:
    """Many games of one kind that are played in parallel, in NumPy arrays.

    The arrays belong to the batch, and every call overwrites them. Copy values that must be kept. `step`, `sample`,
    `rollout` and `reset` release Python's global lock: threads can run several batches in parallel. Only one thread at
    a time may use a batch.
    """

    def __new__(
        cls,
        game: str,
        count: int,
        *,
        size: int | None = None,
        start: str | None = None,
        rules: str = "plyhouse",
        repetitions: int | None = None,
        move_limit: int | None = 1000,
        auto_reset: bool = True,
        observations: bool = True,
        masks: bool = True,
        seed: int = 0,
    ) -> Batch:
        """Start `count` games; for `rules`, `repetitions` and `move_limit` see `Game`.

        With `auto_reset`, a finished game restarts in the same step: `rewards`, `terminated` and `truncated` are those
        of the finished game, `observations` and `action_masks` those of the new one. Without it, a finished game has an
        empty mask and waits for `reset`; its actions are ignored. `observations=False` and `masks=False` save the time
        for writing those arrays.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Board size, in squares per side."""
    @property
    def num_actions(self) -> int:
        """Number of action ids. Every id is below it."""
    @property
    def auto_reset(self) -> bool:
        """`True` if finished games restart in the same step."""
    @property
    def move_limit(self) -> int | None:
        """Number of moves of both sides after which a game is truncated; with the rules `"openspiel"`, drawn."""
    @property
    def observations(self) -> NDArray[np.float32] | None:
        """Boards as planes: an array [game, plane, row, column]; `None` if switched off."""
    @property
    def action_masks(self) -> NDArray[np.bool_] | None:
        """The legal ids: an array [game, id]; `None` if switched off."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """Rewards of the last step: an array [game, player]; 1 for a win, -1 for a loss, otherwise 0."""
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Games that the last step ended by their rules."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Games that the last step ended by a move limit that is not part of the rules."""
    @property
    def players(self) -> NDArray[np.int8]:
        """The player to move in each game."""
    @property
    def plies(self) -> NDArray[np.int32]:
        """Number of plies played in each game."""
    def step(self, actions: NDArray[np.integer[Any]] | Sequence[int]) -> None:
        """Play one action in each game. If one is illegal, a `ValueError` names it and nothing changes."""
    def sample(self) -> NDArray[np.int32]:
        """Return a random legal action for each game (-1 if over), in an array that the next call overwrites."""
    def rollout(self, steps: int) -> int:
        """Play this many random moves in each game in one call. Return the number of games that ended during it."""
    def reset(self, which: NDArray[np.bool_] | Sequence[bool] | None = None, *, seed: int | None = None) -> None:
        """Restart all games, or the marked ones. A seed restarts the random numbers."""
    def position(self, number: int) -> Position:
        """Return the position of one game."""
    def __len__(self) -> int: ...
