"""The part of `plyhouse` that is written in Rust."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypedDict, final, type_check_only

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "GAMES", "Analysis", "Batch", "Choice", "Engine", "Fact", "Game", "Line", "Position", "Proof", "Reply", "Score",
    "SgfGame", "SgfNode", "__version__", "_difference", "_level_elo", "_openings", "_performance", "about", "analyse",
    "prove", "read_sgf",
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

def _level_elo(game: str, level: str, size: int | None) -> int | None: ...
def _openings(game: str, size: int | None, pairs: int, plies: int, seed: int | None) -> list[str]: ...
def _difference(pairs: Sequence[Sequence[float]]) -> tuple[float, float, float]: ...
def _performance(games: Sequence[tuple[float, float]]) -> tuple[float, float]: ...
def about(game: str) -> _About:
    """Returns the fixed properties of a game: title, board sizes, sides, and the meaning of each plane."""

@final
class Position:
    """A position of a game. It is immutable: `play` returns the position after a move.

    The constructor parses a position text, or returns the start on a board of this `size`, by default the usual one.

    Positions of the same game are equal if their position texts are equal. `str` returns the text. Positions can be
    hashed, copied and pickled.

    Moves are texts such as `b1-d3` (checkers: `G6-F5`, Jump61: `2:3`). Captures are written like other moves. Other
    spellings are read, such as `x` for a capture, or capital letters.
    """

    def __new__(cls, game: str, text: str | None = None, *, size: int | None = None) -> Position: ...
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
        """Returns the legal moves in a fixed order. A decided board has none."""
    def legal_actions(self) -> list[int]:
        """Returns the ids of the legal moves in ascending order."""
    def is_legal(self, move: str) -> bool:
        """Returns `True` if the rules allow this move. Moves on a decided board are also allowed."""
    def action_of(self, move: str) -> int:
        """Returns the id of a legal move. A `ValueError` names the rule that an illegal move breaks."""
    def move_of(self, action: int) -> str:
        """Returns the legal move with this id."""
    def play(self, move: str) -> Position:
        """Returns the position after a move. A `ValueError` names the rule that an illegal move breaks."""
    def play_action(self, action: int) -> Position:
        """Returns the position after the move with this id."""
    def perft(self, depth: int) -> int:
        """Counts the sequences of exactly `depth` legal moves.

        Other threads continue during the count, and Ctrl-C stops it.
        """
    def perft_divide(self, depth: int) -> dict[str, int]:
        """Counts the sequences of exactly `depth` legal moves for each first move.

        Other threads continue during the count, and Ctrl-C stops it.
        """
    def diagram(self) -> str:
        """Returns a drawing of the board with its coordinates."""
    def observation(self) -> NDArray[np.float32]:
        """Returns the board as planes: an array [plane, row, column]. `about` describes the planes."""
    def action_mask(self) -> NDArray[np.bool_]:
        """Returns an array [id] in which the legal moves are `True`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Position], tuple[str, str]]: ...

@final
class Game:
    """A game being played: its positions and moves, its draw rules, and its result.

    The constructor starts a game and plays `moves`. `start` is a position text or the name of a start
    (`"scrambled-eggs"` in Lines of Action), by default the usual start on a board of this `size`.

    `rules` is the name of the rules. Under `"plyhouse"` a game without progress is drawn as in matches of this game
    (checkers: the third occurrence of a position, 80 plies without a capture or a move of a man; other games: never).
    `repetitions` sets the number of occurrences of a position that draws the game. A game is also drawn after
    `move_limit` moves of both sides, by default never.

    The rules `"openspiel"` exist for Lines of Action on the usual board. A repeated board draws the game, even if the
    side to move is different. So does the move limit (by default 1000). Both apply even if the last move wins.

    Lines of Action also has the rules `"mso"` of the Mind Sports Olympiad: a move that connects both sides and a third
    occurrence of a position draw, and a side without a move passes (`pass`). `"cs61b"` and `"nus"` are other names of
    the usual rules.

    Games are equal if their rules, starts and moves are equal. They can be copied and pickled, but not hashed, because
    they change. Several threads may use a game; each call is atomic.
    """

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
    ) -> Game: ...
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
        """The rule that ended the game: `"board"`, `"move limit"`, `"stuck"`, `"repetition"` or `"quiet plies"`."""
    @property
    def returns(self) -> tuple[float, float]:
        """The players' rewards: 1 for a win, -1 for a loss, otherwise 0."""
    def legal_moves(self) -> list[str]:
        """Returns the legal moves. A finished game has none."""
    def legal_actions(self) -> list[int]:
        """Returns the ids of the legal moves in ascending order. A finished game has none."""
    def play(self, move: str) -> str:
        """Plays a move, and returns it in its usual notation. After a `ValueError` the game is unchanged."""
    def play_action(self, action: int) -> str:
        """Plays the move with this id, and returns its notation."""
    def undo(self) -> str | None:
        """Takes back the last move, and returns it. Returns `None` at the start."""
    def copy(self) -> Game:
        """Returns a copy that can be played independently."""
    def diagram(self) -> str:
        """Returns a drawing of the board with its coordinates and the last move."""
    def sgf(
        self,
        *,
        players: tuple[str, str] = ("", ""),
        event: str = "",
        date: str = "",
        result: str | None = None,
        comment: str = "",
    ) -> str:
        """Returns the game as an SGF file. Only Lines of Action has SGF files."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Score:
    """The value of a position for the player to move.

    The constructor takes one of the three numbers. Scores can be compared and hashed:
    `Score(win_in=1) > Score(win_in=3) > Score(25) > Score(loss_in=2)`.
    """

    def __new__(cls, units: int | None = None, win_in: int | None = None, loss_in: int | None = None) -> Score: ...
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
    def __lt__(self, other: Score, /) -> bool: ...
    def __le__(self, other: Score, /) -> bool: ...
    def __gt__(self, other: Score, /) -> bool: ...
    def __ge__(self, other: Score, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Score], tuple[int | None, int | None, int | None]]: ...

@final
class Line:
    """A line of best play for both sides, with its value."""

    def __new__(cls, score: Score, moves: Sequence[str]) -> Line: ...
    @property
    def score(self) -> Score:
        """The value for the player to move."""
    @property
    def moves(self) -> list[str]:
        """The moves of both sides."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Line], tuple[Score, list[str]]]: ...

@final
class Choice:
    """A move chosen by an engine, with the results of its search."""

    def __new__(cls, move: str, lines: Sequence[Line], depth: int = 0, nodes: int = 0) -> Choice: ...
    @property
    def move(self) -> str:
        """The move."""
    @property
    def score(self) -> Score | None:
        """The value of the move."""
    @property
    def lines(self) -> list[Line]:
        """The best lines, best first: at most as many as the option `lines` of the engine."""
    @property
    def depth(self) -> int:
        """Finished depth, in plies."""
    @property
    def nodes(self) -> int:
        """Visited positions."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Choice], tuple[str, list[Line], int, int]]: ...

_Evaluator: TypeAlias = Callable[
    [NDArray[np.float32], NDArray[np.int64], NDArray[np.int32]], tuple[ArrayLike, ArrayLike]
]

@final
class Engine:
    """A player of one game on one board size.

    Its options are words such as `"level=3"` or `"nodes=20000,without=lmr+null"`. Each option can also be a named
    argument: `level=3`, `nodes=20000`, `book=False`, `with_="lmr"`. Frequent options are:

    * `level`: strength, 1 to 10 or `"gentle1"` to `"gentle3"`, by default 10;
    * `nodes`: number of positions to search for a move; `movetime`: time for a move in seconds; `depth`: maximum depth
      in plies; `threads`: number of threads of the search, by default 1;
    * `book`: `False` switches the opening book off;
    * `build`: version of the engine, for example `"mcts"` for Monte Carlo tree search or `"random"` for random moves.

    `docs/engine.md` in the repository describes all options. `lines` is the number of best moves that get a score and a
    line.

    The same seed gives the same moves, except with `movetime` or several threads. An engine therefore repeats its games
    unless `new_game()` is called between them. Without a seed, random choices differ from engine to engine.

    Engines can be copied and pickled. A copy has the same options and seed, and begins as after `new_game(seed)`.
    Several threads may use an engine: without an evaluator, each call waits for the previous one. After a `fork` during
    a search, the engine of the child process begins as a copy does.

    With an evaluator, the engine is a Monte Carlo tree search: PUCT, or the Gumbel rule for few simulations. Positions
    with forced results are proven. The evaluator is a function or the path of an ONNX file. Calls from several threads
    run concurrently.

    A function `evaluator(planes, offsets, ids)` receives positions of undecided games:

    * `planes`: an array [position, plane, row, column] of float32, as the observations of a batch with the options
      `perspective`, `history` and `turn_plane`. Only `perspective="mover"` or a turn plane shows who is to move;
    * `offsets` and `ids`: the legal actions of each position, as those of `Batch.legal_actions`, with the option
      `actions`.

    It returns a tuple `(logits, values)` of arrays or lists: a logit for each of `ids`, or an array [position, id], and
    for each position the expected result for the player to move, from -1 to 1. Their numbers may be floats or integers
    of any width, and are converted to float32. As in `Batch.sample`, a logit of -inf gives an action the probability 0.
    The function runs in the thread that calls the engine. Its exceptions pass through.

    An ONNX file, whose name ends in `.onnx`, has one input, `planes` with a dynamic first dimension, and two outputs in
    this order: logits [position, id], and values [position] or [position, 1]. Their names do not matter. The network
    runs without Python: in `choose` on one thread, in `choose_batch` on as many as the batch has. Results do not depend
    on the number of threads. The file is read by the constructor, by copies, and by child processes after a `fork`.

    With an evaluator, the options are `nodes` (the number of simulations, by default 800), `movetime` and `depth`.
    `actions`, `perspective`, `history` and `turn_plane` are those of a batch, and:

    * `leaves`: maximum number of positions of one search in a call of the evaluator. They are selected under virtual
      loss, before any of them is evaluated. More leaves make calls larger, and the search slightly weaker;
    * `root`: `"puct"`, `"gumbel"`, or `"auto"`, which is `"gumbel"` up to 64 simulations;
    * `considered`: maximum number of moves that the Gumbel rule searches;
    * `gumbel_noise`: factor of the random numbers of the Gumbel rule. With 1, as in self-play, it samples moves from
      the logits; with 0 it searches those with the greatest logits. The samples repeat until `new_game()`;
    * `exploration`: weight of the priors in PUCT.
    """

    def __new__(
        cls,
        game: str,
        words: str = "",
        *,
        size: int | None = None,
        lines: int = 1,
        seed: int | None = None,
        evaluator: _Evaluator | str | PathLike[str] | None = None,
        actions: Literal["standard", "compact"] = "standard",
        perspective: Literal["board", "mover"] = "board",
        history: int = 0,
        turn_plane: bool = False,
        leaves: int = 8,
        root: Literal["auto", "puct", "gumbel"] = "auto",
        considered: int = 16,
        gumbel_noise: float = 0.0,
        exploration: float = 1.25,
        **named: object,
    ) -> Engine: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def size(self) -> int:
        """Board size, in squares per side."""
    @property
    def words(self) -> str:
        """The options as a text, such as `"level=3"`."""
    @property
    def lines(self) -> int:
        """Number of best moves that get a score and a line."""
    @property
    def seed(self) -> int:
        """The seed of the current game, random unless the constructor or `new_game` received one.

        Games with the same seed and the same moves get the same choices.
        """
    @property
    def evaluator(self) -> _Evaluator | str | PathLike[str] | None:
        """The evaluator, a function or a path; `None` for the engines of Plyhouse."""
    @property
    def _encoding(self) -> dict[str, Any]: ...
    def choose(self, game: Game | Position) -> Choice:
        """Chooses a move.

        Calls repeat each other: until `new_game()`, the same game gets the same move, also with `gumbel_noise` and at
        low levels. Call `new_game()` before each game of self-play, with a seed if it has to be reproducible. Searches
        with `movetime` or several threads may differ.

        Other threads continue during the search, and Ctrl-C stops it.
        """
    def choose_batch(
        self, batch: Batch, *, where: NDArray[np.bool_] | Sequence[bool] | None = None
    ) -> tuple[
        NDArray[np.int32], NDArray[np.float32], tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]
    ]:
        """Chooses an action in each game of a batch, or in each game that `where` marks.

        Returns `(actions, values, (offsets, ids, weights))`. `actions` has the ids for `Batch.step`, and -1 for games
        that are over or not marked. `values` has the expected results for the player to move, from -1 to 1, and 0 for
        those games. `ids[offsets[i]:offsets[i + 1]]` are the legal actions of game `i`, as those of
        `Batch.legal_actions`, and `weights` their probabilities: with an evaluator, the share of the simulations, or
        under the Gumbel rule the improved policy; otherwise 1 for the chosen action.

        The seed of game `i` is the seed of the engine plus `i`. After `k` restarts of the game it is larger by
        `k * len(batch)`, so that games differ from each other. A new batch, and one after `reset` with a seed, count
        restarts from 0. They get the same choices in the same positions until `new_game()` changes the seed of the
        engine. Searches know the game since its last irreversible move, and the move limit.

        With an evaluator, all games are searched together: a call of a function has leaves of all games, and the runs
        of an ONNX file share the threads of the batch. `movetime` is the time for all games together. Without an
        evaluator, the games are searched one by one, on as many threads as the batch has. Choices do not depend on the
        number of threads. Other threads continue during the search, and Ctrl-C stops it.
        """
    def new_game(self, seed: int | None = None) -> None:
        """Resets the engine for a new game. The seed determines its random choices; `None` draws a new seed."""
    def __reduce__(self) -> tuple[Callable[[str, str], Engine], tuple[str, str]]: ...

@final
class Fact:
    """A result of perfect play that is known without a search."""

    def __new__(
        cls, winner: int | None, plies: int, best: str | None, source: Literal["book", "tables", "search"]
    ) -> Fact: ...
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
        """Source of the result: `"book"`, `"tables"` or `"search"`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Fact], tuple[int | None, int, str | None, str]]: ...

@final
class Analysis:
    """The evaluation of a position by the engine at full strength."""

    def __new__(cls, lines: Sequence[Line], depth: int = 0, nodes: int = 0, known: Fact | None = None) -> Analysis: ...
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
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Analysis], tuple[list[Line], int, int, Fact | None]]: ...

def analyse(game: Game | Position, words: str = "", *, lines: int = 1, **named: object) -> Analysis:
    """Finds the best lines of a position and their values. A win or a loss in a score is proven.

    The options are those of `Engine`. Other threads continue during the analysis, and Ctrl-C stops it.
    """

@final
class Reply:
    """A reply of the losing side, and the winner's answer."""

    def __new__(cls, move: str, answer: str | None, plies: int | None, ends: bool) -> Reply: ...
    @property
    def move(self) -> str:
        """The losing side's move."""
    @property
    def answer(self) -> str | None:
        """The winner's answer; `None` if the reply ends the game."""
    @property
    def plies(self) -> int | None:
        """Maximum number of plies until the win; `None` if the budget was too small to prove it again."""
    @property
    def ends(self) -> bool:
        """`True` if the answer ends the game."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Reply], tuple[str, str | None, int | None, bool]]: ...

@final
class Proof:
    """The result of a proof attempt. `replies` shows how a win continues after each reply.

    `prove` makes proofs; the constructor is for pickles. A pickled proof contains the result, but not the tree: the
    first `replies` then repeats the attempt.
    """

    def __new__(
        cls,
        position: Position,
        status: Literal["won", "no win", "open", "over"],
        winner: int | None,
        plies: int | None,
        best: str | None,
        source: Literal["book", "tables", "search"] | None,
        nodes: int,
        table: int,
    ) -> Proof: ...
    @property
    def position(self) -> Position:
        """The position of the attempt."""
    @property
    def status(self) -> Literal["won", "no win", "open", "over"]:
        """`"won"`: one side wins; `"no win"`: neither can; `"open"`: budget exhausted; `"over"`: game over."""
    @property
    def winner(self) -> int | None:
        """The player who wins, if a win is proven."""
    @property
    def plies(self) -> int | None:
        """Maximum number of plies until the win."""
    @property
    def best(self) -> str | None:
        """The winner's move, if the winner is to move."""
    @property
    def source(self) -> Literal["book", "tables", "search"] | None:
        """Source of the result: `"book"`, `"tables"` or `"search"`."""
    def replies(self, line: Sequence[str] | None = None) -> list[Reply]:
        """Returns the losing side's replies after a line from the proven position, longest resistance first.

        The line is a list of moves of both sides, by default empty.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Proof: ...
    def __deepcopy__(self, _memo: object, /) -> Proof: ...
    def __reduce__(
        self,
    ) -> tuple[type[Proof], tuple[Position, str, int | None, int | None, str | None, str | None, int, int]]: ...

def prove(position: Position, *, nodes: int = 1_000_000, table: int = 64) -> Proof:
    """Tries to prove that one side wins a position, within `nodes` positions and a `table` in MiB.

    Move limits and repetitions do not count. Other threads continue during the attempt, and Ctrl-C stops it.
    """

@final
class SgfNode:
    """A node of a game in a file: a move, or the start."""

    def __new__(
        cls, parent: int | None = None, move: str | None = None, comment: str = "", mark: str | None = None
    ) -> SgfNode: ...
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
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[SgfNode], tuple[int | None, str | None, str, str | None]]: ...

@final
class SgfGame:
    """A game of Lines of Action from an SGF file. `str` returns it as SGF with its variations.

    The constructor reads a file with one game; `read_sgf` reads files with any number. A variation is cut before its
    first illegal move, with a `UserWarning`.

    Games are equal if their SGF texts are equal. They can be hashed, copied and pickled.
    """

    def __new__(cls, text: str) -> SgfGame: ...
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
        """Returns the main line as a game that can be continued."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[SgfGame], tuple[str]]: ...

def read_sgf(text: str | bytes) -> list[SgfGame]:
    """Reads the games of an SGF file. The property `CA` of the file determines how bytes are decoded.

    Each invalid game is skipped with a `UserWarning` that describes the error and its place. If no game is valid, a
    `ValueError` is raised. A variation is cut before its first illegal move, with a warning.
    """

@final
class Batch:
    """Many games of one kind that are played in parallel, in `NumPy` arrays.

    The arrays that are properties belong to the batch. Each `step`, `rollout`, `reset` and `set_positions` overwrites
    them. They are read-only: copy values that must be kept or changed.

    The methods release Python's global lock: threads can run several batches in parallel. Only one thread at a time may
    use a batch; otherwise a `RuntimeError` is raised. Batches can be copied and pickled.

    Each game has random numbers of its own, which depend only on the seed and the number of the game. Results therefore
    do not depend on the number of threads. Without a seed, the random numbers differ in every batch.

    `start` is a position or its text for all games, or a list with one for all games or one for each. Finished
    positions are refused. For `rules`, `repetitions` and `move_limit` see `Game`. A game that reaches the move limit is
    truncated. With the rules `"openspiel"` it is drawn instead, and `move_limit=None` means 1000.

    With `auto_reset`, a finished game restarts in the same step: `rewards`, `terminated` and `truncated` are those of
    the finished game, `observations` and `action_masks` those of the new one. Without it, a finished game has an empty
    mask and waits for `reset`; its actions are ignored. `observations=False` and `masks=False` save the time for
    writing those arrays; `final_observations=True` adds an array.

    `actions="compact"` selects the action space with the fewest ids. In Lines of Action these are 8·N² ids instead of
    2·N⁴: 8·(N·rank + file) + direction, with the square that the piece leaves, and directions clockwise from the north.
    A pass has the id of a move to the north. The other games keep their ids.

    An observation has the planes that `about` describes. `history` adds the planes of this number of earlier boards,
    the latest first, and `turn_plane` a plane of ones if player 1 is to move, otherwise of zeros. With
    `perspective="mover"` the planes of the player to move come first. In checkers and Breakthrough, observations and
    action ids are then those of the board turned by 180 degrees if player 1 is to move. `planes` describes all planes.

    A call uses up to `threads` threads, by default one for each core, if there are at least 1024 games for each.
    """

    def __new__(
        cls,
        game: str,
        count: int,
        *,
        size: int | None = None,
        start: str | Position | Sequence[str | Position] | None = None,
        rules: str = "plyhouse",
        repetitions: int | None = None,
        move_limit: int | None = 1000,
        auto_reset: bool = True,
        observations: bool = True,
        masks: bool = True,
        seed: int | None = None,
        actions: Literal["standard", "compact"] = "standard",
        perspective: Literal["board", "mover"] = "board",
        history: int = 0,
        turn_plane: bool = False,
        rewards: Literal["players", "mover"] = "players",
        final_observations: bool = False,
        threads: int | None = None,
    ) -> Batch: ...
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
    def rules(self) -> str:
        """The name of the rules."""
    @property
    def actions(self) -> Literal["standard", "compact"]:
        """The action space: `"standard"` or `"compact"`."""
    @property
    def perspective(self) -> Literal["board", "mover"]:
        """The point of view of observations: `"board"` or `"mover"`."""
    @property
    def history(self) -> int:
        """Number of earlier boards in an observation."""
    @property
    def auto_reset(self) -> bool:
        """`True` if finished games restart in the same step."""
    @property
    def move_limit(self) -> int | None:
        """Number of moves of both sides after which a game is truncated; with the rules `"openspiel"`, drawn."""
    @property
    def threads(self) -> int:
        """Maximum number of threads of a call."""
    @property
    def planes(self) -> list[str]:
        """A description of each plane of an observation."""
    @property
    def observations(self) -> NDArray[np.float32] | None:
        """Boards as planes: an array [game, plane, row, column]; `None` if switched off."""
    @property
    def final_observations(self) -> NDArray[np.float32] | None:
        """Like `observations`, the final positions of the games that the last step has ended.

        The planes of the other games are zeros. `None` if not switched on.
        """
    @property
    def action_masks(self) -> NDArray[np.bool_] | None:
        """The legal ids: an array [game, id]; `None` if switched off."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """Rewards of the last step: an array [game, player]; 1 for a win, -1 for a loss, otherwise 0.

        With `rewards="mover"`, an array [game] with the reward of the player who has moved.
        """
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Games that the last step has ended by their rules."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Games that the last step has ended by a move limit that is not part of the rules."""
    @property
    def finished(self) -> NDArray[np.bool_]:
        """Games that are over and wait for `reset`. With `auto_reset` there are none."""
    @property
    def players(self) -> NDArray[np.int8]:
        """The player to move in each game."""
    @property
    def plies(self) -> NDArray[np.int32]:
        """Number of plies played in each game."""
    def step(
        self,
        actions: NDArray[np.integer[Any]] | Sequence[int],
        *,
        where: NDArray[np.bool_] | Sequence[bool] | None = None,
    ) -> None:
        """Plays one action in each game, or in each game that `where` marks; the other actions are ignored.

        If one is illegal, a `ValueError` names it and nothing changes. Games in which no action is played have no
        reward, and are not in `terminated` and `truncated`.
        """
    def sample(self, logits: ArrayLike | None = None, *, temperature: float = 1.0) -> NDArray[np.int32]:
        """Returns a random legal action for each game (-1 if over), in an array that the next `sample` overwrites.

        Without logits, each legal action has the same probability. With logits, an array [game, id], the probability is
        proportional to e^(logit / temperature). At the temperature 0, the legal action with the greatest logit is
        chosen, of several the one with the smallest id.

        Logits may be floats or integers of any width, and are converted to float32. A logit of -inf gives an action the
        probability 0. A `ValueError` is raised if a legal action has NaN or +inf, or if all have -inf. Logits of
        illegal actions are ignored.
        """
    def legal_actions(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Returns the legal actions as new arrays `(offsets, ids)`.

        `ids[offsets[i]:offsets[i + 1]]` are those of game `i` in ascending order. A finished game has none.
        """
    def log_softmax(self, logits: ArrayLike) -> NDArray[np.float32]:
        """Returns the logarithms of the probabilities of the legal actions, in the order of `legal_actions`.

        The probability of an action is proportional to e^logit. The logits are those of `sample`.
        """
    def rollout(self, steps: int) -> int:
        """Plays this many random moves in each game in one call. Returns the number of games that ended during it.

        `rewards`, `terminated`, `truncated` and `final_observations` are those of the last move in each game, and zeros
        in games without a move. Ctrl-C stops the call.
        """
    def reset(self, which: NDArray[np.bool_] | Sequence[bool] | None = None, *, seed: int | None = None) -> None:
        """Restarts all games, or the marked ones.

        A seed restarts their random numbers and the count of their restarts, which the seeds of engines depend on.
        """
    def set_positions(
        self,
        positions: Sequence[str | Position | None],
        *,
        where: NDArray[np.bool_] | Sequence[bool] | None = None,
    ) -> None:
        """Continues each game, or each game that `where` marks, from a position without earlier moves.

        There is a position or its text for each game. Entries of unmarked games are ignored, and may be `None`. `plies`
        is 0 then. A restart still returns to the start of the game. Finished positions are refused. After a
        `ValueError` nothing has changed.
        """
    def clone(self, indices: NDArray[np.integer[Any]] | Sequence[int] | None = None) -> Batch:
        """Returns a new batch with copies of the games with these numbers, or of all games.

        A number may occur several times. Each copy has random numbers of its own, so that copies of the same game
        differ in their samples, also those of several clones. Cloning therefore advances the random numbers of the
        copied games. `copy.copy` keeps the random numbers and changes nothing.
        """
    def position(self, number: int) -> Position:
        """Returns the position of one game."""
    def move_of(self, number: int, action: int) -> str:
        """Returns the notation of a legal action of one game."""
    def action_of(self, number: int, move: str) -> int:
        """Returns the id of a legal move of one game. A `ValueError` names the rule that an illegal move breaks."""
    def symmetries(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the symmetries of the game as index permutations `(squares, actions)`. The first is the identity.

        After symmetry `i`, the observation `planes` is `planes.reshape(-1, size * size)[:, squares[i]]` in the same
        shape, and `logits` are `logits[..., actions[i]]`. Lines of Action and Jump61 have eight symmetries,
        Breakthrough has two, and checkers one. The id of a pass is not mapped.
        """
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[[], Batch], tuple[()], dict[str, Any]]: ...
    def __setstate__(self, state: dict[str, Any], /) -> None: ...
