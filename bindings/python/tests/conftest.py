"""Helpers for several tests."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import plyhouse
import pytest
from numpy.typing import NDArray

#: A small and a usual board of every game.
BOARDS = [
    ("loa", 4), ("loa", 5), ("loa", 8), ("checkers", 8), ("jump61", 2), ("jump61", 6), ("jump61", 10),
    ("breakthrough", 4), ("breakthrough", 7), ("breakthrough", 8),
]  # fmt: skip


@pytest.fixture(autouse=True, scope="session")
def _interrupts() -> None:
    """Handle Ctrl-C also in jobs in the background of a shell, which ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def random_game(game: str, size: int, seed: int, **options: object) -> plyhouse.Game:
    """Play a random game to its end."""
    rng = random.Random(seed)
    record = plyhouse.Game(game, size=size, move_limit=300, **options)  # type: ignore[arg-type]
    while not record.is_over:
        record.play(rng.choice(record.legal_moves()))
    return record


def positions() -> Iterator[plyhouse.Position]:
    """Yield the positions of a random game on each board."""
    for game, size in BOARDS:
        yield from random_game(game, size, 7).positions


def smallest(batch: plyhouse.Batch) -> NDArray[np.int32]:
    """Return the smallest legal id of each game, or -1."""
    offsets, ids = batch.legal_actions()
    return np.append(ids, -1)[np.where(np.diff(offsets) > 0, offsets[:-1], -1)]


def uniform(planes: NDArray[Any], offsets: NDArray[Any], ids: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Evaluate positions with zeros."""
    return np.zeros(len(ids), np.float32), np.zeros(len(planes), np.float32)
