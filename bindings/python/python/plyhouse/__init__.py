"""Two-player board games with perfect information: rules, engines, proofs and fast batches of games.

The games are Lines of Action (`"loa"`), the Melbourne variant of checkers (`"checkers"`), Jump61 (`"jump61"`) and
Breakthrough (`"breakthrough"`). Players are numbered 0 and 1 in the order in which they move.

    >>> import plyhouse
    >>> game = plyhouse.Game("loa")
    >>> game.play("b1-d3")
    'b1-d3'
    >>> plyhouse.Engine("loa", level=3).choose(game).move in game.legal_moves()
    True

`plyhouse.gymnasium` and `plyhouse.pettingzoo` have environments for Gymnasium and PettingZoo, `plyhouse.pgx` has
batches under the names of pgx, `plyhouse.openspiel` a bot for OpenSpiel, and `plyhouse.kaggle` an agent for Kaggle's
environment of OpenSpiel games.
"""

from plyhouse._elo import LevelResult, Rating, elo
from plyhouse._plyhouse import (
    GAMES,
    Analysis,
    Batch,
    Choice,
    Engine,
    Fact,
    Game,
    Line,
    Position,
    Proof,
    Reply,
    Score,
    SgfGame,
    SgfNode,
    __version__,
    about,
    analyse,
    prove,
    read_sgf,
)

__all__ = [
    "GAMES",
    "Analysis",
    "Batch",
    "Choice",
    "Engine",
    "Fact",
    "Game",
    "LevelResult",
    "Line",
    "Position",
    "Proof",
    "Rating",
    "Reply",
    "Score",
    "SgfGame",
    "SgfNode",
    "__version__",
    "about",
    "analyse",
    "elo",
    "prove",
    "read_sgf",
]
