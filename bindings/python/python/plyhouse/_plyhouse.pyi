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
    """What is fixed for a game."""

    name: str
    title: str
    sizes: list[int]
    usual_size: int
    sides: list[str]
    planes: list[str]

def about(game: str) -> _About:
    """Say what is fixed for a game: title, board sizes, sides, and what each plane of an observation shows."""

@final
class Position:
    """One state of a game. It never changes: `play` returns the position after a move.

    Positions of the same game are equal if everything on them is equal. They can be hashed, pickled and read from a
    position text, which `str` gives back.
    """

    def __new__(cls, game: str, text: str | None = None, *, size: int | None = None) -> Position:
        """Read a position text, or set up the start on a board of this size (the usual one if unset)."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Squares a side."""
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
        """Whether the board is decided, or the player to move has no move."""
    @property
    def winner(self) -> int | None:
        """The player who has won, if the position is over."""
    @property
    def key(self) -> int:
        """A 64-bit hash of the position, the same in every run."""
    @property
    def num_actions(self) -> int:
        """How many action ids there are; every id is below it."""
    def legal_moves(self) -> list[str]:
        """List the moves in a fixed order; none if the board is decided."""
    def legal_actions(self) -> list[int]:
        """List the ids of the legal moves, the smallest first."""
    def is_legal(self, move: str) -> bool:
        """Say whether the rules allow this move, also on a decided board, which may be played on."""
    def action_of(self, move: str) -> int:
        """Give the id of a legal move; a `ValueError` names the rule that refuses it."""
    def move_of(self, action: int) -> str:
        """Give the legal move with this id."""
    def play(self, move: str) -> Position:
        """Give the position after a move; a `ValueError` names the rule that refuses it."""
    def play_action(self, action: int) -> Position:
        """Give the position after the move with this id."""
    def perft(self, depth: int) -> int:
        """Count the sequences of exactly `depth` legal moves. Other threads go on meanwhile."""
    def perft_divide(self, depth: int) -> dict[str, int]:
        """Count the sequences below each move."""
    def diagram(self) -> str:
        """Draw the board with its coordinates."""
    def observation(self) -> NDArray[np.float32]:
        """Show the board as planes: an array [plane, row, column]; `about` says what the planes are."""
    def action_mask(self) -> NDArray[np.bool_]:
        """Mark the ids of the legal moves."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Position], tuple[str, str]]: ...

@final
class Game:
    """A game being played: its positions and moves, when it is drawn, and how it has finished."""

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
        """Begin a game, and play these moves.

        With the rules `"plyhouse"` a game without progress is drawn as in the game's own matches (checkers: the third
        occurrence of a position, 80 plies without a capture or a move of a man; other games: never), or when a position
        occurs `repetitions` times, and after `move_limit` moves of both sides.

        With the rules `"openspiel"`, of Lines of Action on the usual board, a board that occurs again draws the game
        whoever is to move, and so does the move limit (1000 if unset), even if the last move wins.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Squares a side."""
    @property
    def rules(self) -> str:
        """The name of the rules: `"plyhouse"` or `"openspiel"`."""
    @property
    def move_limit(self) -> int | None:
        """Moves of both sides after which the game is drawn."""
    @property
    def position(self) -> Position:
        """The present position."""
    @property
    def positions(self) -> list[Position]:
        """Every position so far, the start first."""
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
        """Whether the game has finished."""
    @property
    def winner(self) -> int | None:
        """The player who has won; `None` in a draw and while the game goes on."""
    @property
    def reason(self) -> Literal["board", "move limit", "stuck", "repetition", "quiet plies"] | None:
        """The rule that ended the game."""
    @property
    def returns(self) -> tuple[float, float]:
        """What the game has brought to the players: 1 for a win, -1 for a loss, otherwise 0."""
    def legal_moves(self) -> list[str]:
        """List the moves; none if the game is over."""
    def legal_actions(self) -> list[int]:
        """List the ids of the legal moves, the smallest first; none if the game is over."""
    def play(self, move: str) -> str:
        """Play a move, and give it back in its usual notation. A `ValueError` leaves the game as it was."""
    def play_action(self, action: int) -> str:
        """Play the move with this id, and give it back in words."""
    def undo(self) -> str | None:
        """Take the last move back and return it; `None` at the start."""
    def copy(self) -> Game:
        """Copy the game, so that the copy can be played on."""
    def diagram(self) -> str:
        """Draw the board with its coordinates and the last move."""
    def sgf(
        self,
        *,
        players: tuple[str, str] = ("", ""),
        event: str = "",
        date: str = "",
        result: str | None = None,
        comment: str = "",
    ) -> str:
        """Write the game as an SGF file; only for Lines of Action."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __len__(self) -> int: ...

@final
class Score:
    """The value of a position for the player to move. Equal values are equal."""

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
        """Whether the score is a proven win or loss."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Line:
    """Best play for both sides, and its value."""

    @property
    def score(self) -> Score:
        """The value for the player to move."""
    @property
    def moves(self) -> list[str]:
        """The moves of both sides."""

@final
class Choice:
    """The move that an engine has chosen, and why."""

    @property
    def move(self) -> str:
        """The move."""
    @property
    def score(self) -> Score | None:
        """The value of the move."""
    @property
    def lines(self) -> list[Line]:
        """The best lines, best first; one, unless the engine was made with more."""
    @property
    def depth(self) -> int:
        """Finished depth, in plies."""
    @property
    def nodes(self) -> int:
        """Visited positions."""

@final
class Engine:
    """One of our players, for one game on one size of board."""

    def __new__(
        cls, game: str, words: str = "", *, size: int | None = None, lines: int = 1, seed: int = 0, **named: object
    ) -> Engine:
        """Make the player that the words describe, such as `"level=3"` or `"nodes=20000,without=lmr+null"`.

        Each word can be a named argument as well: `level=3`, `nodes=20000`, `book=False`, `with_="lmr"`.
        `docs/engine.md` lists the words. With a budget of nodes and one thread, the same seed gives the same moves.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Squares a side."""
    def choose(self, game: Game | Position) -> Choice:
        """Choose a move. Other threads go on meanwhile, and Ctrl-C ends the search."""
    def new_game(self, seed: int = 0) -> None:
        """Forget everything; this seed fixes the choices from now on."""

@final
class Fact:
    """The result of perfect play, where a book or a table knows it without a search."""

    @property
    def winner(self) -> int | None:
        """The player who wins; `None` in a draw."""
    @property
    def plies(self) -> int:
        """Within how many plies the winner wins."""
    @property
    def best(self) -> str | None:
        """A move that keeps the result, as far as one is known."""
    @property
    def source(self) -> Literal["book", "tables", "search"]:
        """How the result is known."""

@final
class Analysis:
    """What the engine at full strength thinks of a position."""

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
    """Find the best lines of a position and their values; a win or a loss in a score is proven.

    Words are those of `Engine`. Other threads go on meanwhile, and Ctrl-C ends the analysis.
    """

@final
class Reply:
    """A reply of the losing side, and the winner's answer."""

    @property
    def move(self) -> str:
        """The losing side's move."""
    @property
    def answer(self) -> str | None:
        """The winner's answer; `None` if the reply has ended the game."""
    @property
    def plies(self) -> int | None:
        """Within how many plies the winner then wins; `None` if it was not proven again in time."""
    @property
    def ends(self) -> bool:
        """Whether the answer ends the game."""

@final
class Proof:
    """What an attempt at a proof has found. A win can be followed reply by reply."""

    @property
    def status(self) -> Literal["won", "no win", "open", "over"]:
        """`won`: one side wins; `no win`: neither can force it; `open`: the budget was spent; `over`: nobody moves."""
    @property
    def winner(self) -> int | None:
        """The player who wins."""
    @property
    def plies(self) -> int | None:
        """Within how many plies the winner wins."""
    @property
    def best(self) -> str | None:
        """The winner's move, if the winner is to move."""
    @property
    def source(self) -> Literal["book", "tables", "search"] | None:
        """How the result is known."""
    def replies(self, line: Sequence[str] | None = None) -> list[Reply]:
        """List the loser's replies after a line from the proven position, the one that holds out longest first."""

def prove(position: Position, *, nodes: int = 1_000_000, table: int = 64) -> Proof:
    """Try to prove that one side wins a position, within a budget of positions and with a table of so many MiB.

    Move limits and repetitions do not count. Other threads go on meanwhile, and Ctrl-C ends the attempt.
    """

@final
class SgfNode:
    """A move of a game of a file, or its start."""

    @property
    def parent(self) -> int | None:
        """The number of the node before it; `None` at the start."""
    @property
    def move(self) -> str | None:
        """The move; `None` at the start."""
    @property
    def comment(self) -> str:
        """A comment on the move."""
    @property
    def mark(self) -> str | None:
        """What the move is worth, such as `"!"` or `"?!"`."""

@final
class SgfGame:
    """A game of Lines of Action from an SGF file. `str` writes it back with its variations."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of Black and White."""
    @property
    def event(self) -> str:
        """The name of the event."""
    @property
    def date(self) -> str:
        """The day."""
    @property
    def result(self) -> str:
        """`B+`, `W+`, `0` for a draw, or something like `B+Time`."""
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
        """The start and all moves, each after the node before it; a node's first child is the main line."""
    def game(self) -> Game:
        """Give the main line as a game that can be played on."""

def read_sgf(text: str | bytes) -> list[SgfGame]:
    """Read the games of an SGF file; bytes are decoded by the file's property `CA`.

    Each invalid game is left out with a `UserWarning` that says what is wrong and where. If no game is valid, that is a
    `ValueError`.
    """

@final
class Batch:
    """Many games of one kind that go on together, in NumPy arrays.

    The arrays belong to the batch: every call writes them anew, and the same arrays stay valid. Copy what must be kept.
    `step`, `sample`, `rollout` and `reset` release Python's global lock, so that several batches run side by side in
    threads. One batch belongs to one thread at a time.
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
        """Begin so many games; for `rules`, `repetitions` and `move_limit` see `Game`.

        With `auto_reset` a game that ends begins anew in the same step: `rewards`, `terminated` and `truncated` are
        those of the game that has ended, `observations` and `action_masks` those of the new one. Without it, a finished
        game has an empty mask and waits for `reset`; its actions are ignored. `observations=False` and `masks=False`
        save the time that writing those arrays takes.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Squares a side."""
    @property
    def num_actions(self) -> int:
        """How many action ids there are; every id is below it."""
    @property
    def auto_reset(self) -> bool:
        """Whether a game that ends begins anew at once."""
    @property
    def move_limit(self) -> int | None:
        """Moves of both sides after which a game is drawn."""
    @property
    def observations(self) -> NDArray[np.float32] | None:
        """Boards as planes: an array [game, plane, row, column]; `None` if it was switched off."""
    @property
    def action_masks(self) -> NDArray[np.bool_] | None:
        """The legal ids: an array [game, id]; `None` if it was switched off."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """What the last step has brought: an array [game, player]; 1 for a win, -1 for a loss, otherwise 0."""
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Which games the last step has ended by their rules."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Which games the last step has ended by a move limit that is no rule of the game."""
    @property
    def players(self) -> NDArray[np.int8]:
        """The player to move in each game."""
    @property
    def plies(self) -> NDArray[np.int32]:
        """Plies played in each game."""
    def step(self, actions: NDArray[np.integer[Any]] | Sequence[int]) -> None:
        """Play one action in each game. If one of them is not legal, a `ValueError` names it and nothing changes."""
    def sample(self) -> NDArray[np.int32]:
        """Choose a random legal action for each game, in an array that the next call writes anew; -1 if over."""
    def rollout(self, steps: int) -> int:
        """Play so many random moves in each game without a return to Python. Return how many games have ended."""
    def reset(self, which: NDArray[np.bool_] | Sequence[bool] | None = None, *, seed: int | None = None) -> None:
        """Begin all games anew, or those that are marked; a seed fixes what is random from now on."""
    def position(self, number: int) -> Position:
        """Give the position of one game."""
    def __len__(self) -> int: ...
