"""Ratings of policies against levels."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import smallest
from numpy.typing import NDArray


def test_an_engine_is_rated_near_its_level() -> None:
    levels = ["gentle1", "gentle2", "gentle3"]

    def rate(threads: int) -> plyhouse.Rating:
        engine = plyhouse.Engine("loa", level="gentle2", seed=5)
        return plyhouse.elo(engine, "loa", levels=levels, pairs=25, seed=3, threads=threads)

    rating = rate(1)
    assert [result.level for result in rating.results] == levels
    strengths = [result.elo for result in rating.results if result.elo is not None]
    assert len(strengths) == 3 and sorted(strengths) == strengths
    assert rating.elo is not None and abs(rating.elo - strengths[1]) < 2 * rating.error < 300
    for result in rating.results:
        assert result.wins + result.draws + result.losses == 50
        assert result.score == pytest.approx((result.wins + result.draws / 2) / 50)
        assert (result.difference > 0) == (result.score > 0.5)
        assert 20 < result.error < 300
    assert rating.results[0].score > 0.5 > rating.results[2].score
    assert rate(3) == rating
    assert str(rating).splitlines()[-1] == f"Elo {rating.elo:.0f} ± {rating.error:.0f}"


def test_a_function_is_rated() -> None:
    seen: list[tuple[int, int]] = []

    def first_legal(batch: plyhouse.Batch) -> NDArray[np.int32]:
        seen.append((len(batch), int((~batch.finished).sum())))
        assert batch.num_actions == 8 * 36
        return smallest(batch)

    rating = plyhouse.elo(
        first_legal, "loa", size=6, levels=[4, "gentle3"], pairs=4, plies=4, seed=1, actions="compact"
    )  # fmt: skip
    assert rating.elo is None and [result.elo for result in rating.results] == [None, None]
    assert rating.results[0].score < 0.2 and rating.results[0].losses > 5
    # All games of a colour are played at once, and the function is called when it is to move.
    assert seen[0] == (8, 8) and len(seen) < 2 * 150
    assert "Elo unknown" in str(rating)


def test_perfect_scores_have_finite_ratings() -> None:
    rating = plyhouse.elo(
        plyhouse.Engine("breakthrough", level=3, seed=1), "breakthrough", levels=["gentle1"], pairs=4, seed=2
    )  # fmt: skip
    (result,) = rating.results
    assert (result.score, result.difference, result.error) == (1, math.inf, math.inf)
    assert rating.elo is not None and result.elo is not None and result.elo < rating.elo < 5_000
    assert 100 < rating.error < 5_000


def test_even_scores_are_printed_without_a_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    def split(policy: object, batch: plyhouse.Batch, seat: int, levels: list[plyhouse.Engine]) -> NDArray[np.float64]:
        return np.full(len(batch), float(seat))

    monkeypatch.setattr("plyhouse._elo._play", split)
    rating = plyhouse.elo(smallest, "breakthrough", levels=["gentle1"], pairs=3, seed=1)
    (result,) = rating.results
    assert (result.score, str(result.difference), result.error) == (0.5, "0.0", math.inf)
    assert str(rating).splitlines()[0].endswith("50.0 %       +0 ± unknown")


def test_an_engine_with_an_evaluator_brings_its_encoding() -> None:
    def evaluate(planes: NDArray[Any], offsets: NDArray[Any], ids: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        assert planes.shape[1] == 4
        return np.zeros(len(ids), np.float32), np.zeros(len(planes), np.float32)

    engine = plyhouse.Engine(
        "loa", size=5, evaluator=evaluate, nodes=12, perspective="mover", actions="compact", turn_plane=True, seed=1
    )
    rating = plyhouse.elo(engine, "loa", size=5, levels=[1], pairs=5, plies=4, move_limit=60, seed=1)
    (result,) = rating.results
    assert result.wins + result.draws + result.losses == 10


@pytest.mark.parametrize(
    ("named", "error", "text"),
    [
        ({"levels": []}, ValueError, "levels: none found, expected at least one"),
        ({"levels": [11]}, ValueError, "level `11`: expected 1 to 10, or gentle1, gentle2 or gentle3"),
        ({"pairs": 0}, ValueError, "pairs 0: expected 1 or more"),
        ({"plies": -1}, ValueError, "plies -1: expected 0 or more"),
        ({"size": 3}, ValueError, "board size 3"),
        ({"policy": lambda batch: [0]}, ValueError, "policy: actions of shape [1]: expected [2], one for each game"),
        ({"policy": lambda batch: [0.5] * len(batch)}, TypeError, "policy: float64 found, expected whole numbers"),
        ({"policy": lambda batch: [0] * len(batch)}, ValueError, "game 0: action 0 is not legal"),
        ({"policy": plyhouse.Engine("jump61", level=1)}, ValueError, "a batch of loa found, expected jump61"),
        ({"policy": 5}, TypeError, "policy: int found, expected an Engine or a function"),
        ({"policy": "level=3"}, TypeError, "policy: str found, expected an Engine or a function"),
        ({"levels": "35"}, TypeError, "levels: the text '35' found, expected a sequence of levels"),
        ({"colour": "red"}, TypeError, "colour"),
        ({"rewards": "mover"}, TypeError, "rewards: set by elo, not an option"),
        ({"auto_reset": True}, TypeError, "auto_reset: set by elo, not an option"),
        ({"start": None}, TypeError, "start: set by elo, not an option"),
    ],
)
def test_wrong_arguments_are_named(named: dict[str, Any], error: type[Exception], text: str) -> None:
    arguments: dict[str, Any] = {"policy": lambda batch: batch.sample(), "levels": [1], "pairs": 2, **named}
    with pytest.raises(error, match=re.escape(text)):
        plyhouse.elo(game="loa", **arguments)
