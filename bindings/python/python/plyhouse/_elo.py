"""The rating of a policy from games against levels of Plyhouse."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plyhouse._arguments import act, refuse
from plyhouse._plyhouse import Batch, Engine, _difference, _level_elo, _openings, _performance

__all__ = ["LevelResult", "Rating", "elo"]


@dataclass(frozen=True)
class LevelResult:
    """The results of a policy against one level."""

    level: str
    """The name of the level."""
    elo: int | None
    """The strength of the level; `None` if it was not measured on boards of this size."""
    wins: int
    """Number of games that the policy won."""
    draws: int
    """Number of drawn games, including those that the move limit ended."""
    losses: int
    """Number of games that the policy lost."""
    score: float
    """The policy's share of the points, from 0 to 1."""
    difference: float
    """The Elo of the policy minus that of the level; infinite if one side has all points."""
    error: float
    """Half the width of the 95 % interval of `difference`; infinite if unknown."""


@dataclass(frozen=True)
class Rating:
    """The rating of a policy, and its results against each level."""

    elo: float | None
    """The rating on the scale of the levels; `None` if the strength of a level is unknown."""
    error: float
    """Half the width of the 95 % interval of `elo`; infinite if unknown."""
    results: tuple[LevelResult, ...]
    """The results against each level, in the order of the levels."""

    def __str__(self) -> str:
        """Return a table."""
        rows = [
            f"{f'level {result.level}':14} {result.wins:5} - {result.draws} - {result.losses}"
            f" {100 * result.score:7.1f} % {result.difference:+8.0f} ± {_error_text(result.error)}"
            for result in self.results
        ]
        total = "unknown" if self.elo is None else f"{self.elo:.0f} ± {_error_text(self.error)}"
        return "\n".join([*rows, f"Elo {total}"])


def _error_text(value: float) -> str:
    """Return the text of an error."""
    return "unknown" if math.isinf(value) else f"{value:.0f}"


def _play(policy: Engine | Callable[[Batch], ArrayLike], batch: Batch, seat: int, levels: list[Engine]) -> NDArray[Any]:
    """Play all games of a batch to their ends, and return the points of the policy, which is this player."""
    points = np.full(len(batch), 0.5)
    block = np.repeat(np.arange(len(levels)), len(batch) // len(levels))
    while not batch.finished.all():
        own = ~batch.finished & (batch.players == seat)
        other = ~batch.finished & ~own
        actions = act(policy, batch, own, "policy") if own.any() else np.zeros(len(batch), np.int32)
        for number, engine in enumerate(levels):
            marked = other & (block == number)
            if marked.any():
                actions = np.where(marked, engine.choose_batch(batch, where=marked)[0], actions)
        batch.step(actions)
        ended = batch.terminated | batch.truncated
        points[ended] = (batch.rewards[ended, seat] + 1) / 2
    return points


def elo(
    policy: Engine | Callable[[Batch], ArrayLike],
    game: str,
    *,
    levels: Sequence[int | str] = (1, 3, 5),
    size: int | None = None,
    pairs: int = 50,
    plies: int = 6,
    move_limit: int = 300,
    seed: int | None = None,
    threads: int | None = None,
    **options: Any,  # noqa: ANN401
) -> Rating:
    """Rate a policy by parallel games against levels of Plyhouse.

    The policy is an engine, or a function that receives a batch and returns an action for each game. The actions of
    games in which it is not to move are ignored. `options` are further arguments of the batch, such as `actions` and
    `perspective`, but not `count`, `start`, `auto_reset` or `rewards`. An engine with an evaluator brings its own.

    `pairs` pairs of games are played against each level. The games of a pair begin with the same random opening of
    `plies` plies, with colours exchanged. Games that reach the move limit are drawn.

    The errors of the differences are computed over pairs. The rating is the most likely one under a weak prior, given
    the strengths of the levels on the usual board (`docs/engine.md`); its error treats games as independent.
    """
    if not (isinstance(policy, Engine) or callable(policy)):
        raise TypeError(f"policy: {type(policy).__name__} found, expected an Engine or a function")
    if isinstance(levels, str):
        raise TypeError(f"levels: the text {levels!r} found, expected a sequence of levels")
    refuse(options, "elo", "count", "start", "auto_reset", "rewards")
    names = [str(level) for level in levels]
    if not names:
        raise ValueError("levels: none found, expected at least one")
    strengths = [_level_elo(game, name, size) for name in names]
    starts = _openings(game, size, pairs, plies, seed)
    if isinstance(policy, Engine):
        options = {"observations": False, "masks": False, **policy._encoding, **options}
    points = []
    for seat in range(2):
        engines = [Engine(game, size=size, level=name, seed=seed) for name in names]
        batch = Batch(
            game, len(names) * pairs, size=size, start=starts * len(names), move_limit=move_limit, auto_reset=False,
            seed=seed, threads=threads, **options,
        )  # fmt: skip
        points.append(_play(policy, batch, seat, engines).reshape(len(names), pairs))
    results, games = [], []
    for name, strength, first, second in zip(names, strengths, *points, strict=True):
        score, difference, error = _difference(np.stack([first, second], axis=1).tolist())
        both = np.concatenate([first, second])
        wins, draws, losses = (int((both == value).sum()) for value in (1, 0.5, 0))
        results.append(LevelResult(name, strength, wins, draws, losses, score, difference, error))
        games += [(strength, value) for value in both.tolist()]
    if any(strength is None for strength in strengths):
        return Rating(None, float("inf"), tuple(results))
    return Rating(*_performance(games), tuple(results))
