"""Measures steps of Lines of Action per second on one core with actions sampled from a policy.

    target/python/venv/bin/python bindings/python/benches/policy.py

Each step samples an action of every game from the softmax of its logits over the legal actions, and plays it. The
logits are fixed random numbers: no program evaluates a network. The programs run in alternating rounds; the results are
medians.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import plyhouse
from steps import Program, batch, begin, clocked, rates

#: Minimum number of steps per second with the compact action space, without planes.
BAR = 1_500_000


def in_rust(count: int, **options: Any) -> Program:  # noqa: ANN401
    """Return a program that samples with `Batch.sample(logits)`."""
    games = plyhouse.Batch("loa", count, rules="openspiel", masks=False, **options)
    logits = np.random.default_rng(1).standard_normal((count, games.num_actions), dtype=np.float32)
    return clocked(lambda: games.step(games.sample(logits)), count)


def in_numpy(count: int) -> Program:
    """Return a program that samples from the ids set in the masks, in NumPy, by the Gumbel-max trick."""
    games = plyhouse.Batch("loa", count, rules="openspiel", observations=False)
    rng = np.random.default_rng(1)
    logits = rng.standard_normal((count, games.num_actions), dtype=np.float32)

    def step() -> None:
        rows, ids = np.nonzero(games.action_masks)
        noise = np.log(np.maximum(rng.standard_exponential(len(ids), dtype=np.float32), 1e-30))
        values, starts = logits[rows, ids] - noise, np.flatnonzero(np.diff(rows, prepend=-1))
        greatest = np.repeat(np.maximum.reduceat(values, starts), np.diff(starts, append=len(ids)))
        chosen, actions = np.flatnonzero(values == greatest), np.empty(count, np.int32)
        actions[rows[chosen]] = ids[chosen]
        games.step(actions)

    return clocked(step, count)


def main() -> int:
    """Measure and print a table. Return 1 if sampling in Rust is slower than `BAR`."""
    options = begin(__doc__)
    programs = {
        "uniform random moves": batch(options.games, planes=False, masks=False),
        "policy, compact actions": in_rust(options.games, actions="compact", observations=False),
        "the same, and planes": in_rust(options.games, actions="compact"),
        "policy, OpenSpiel's actions": in_rust(options.games, observations=False),
        "policy in NumPy with masks": in_numpy(options.games),
    }
    found = rates(programs, options.rounds, options.seconds)
    print(f"steps per second on one core, batches of {options.games:,} games, median of {options.rounds} rounds")
    slowest = found["policy in NumPy with masks"]
    for name, rate in found.items():
        print(f"{name:28} {rate:12,.0f}   {rate / slowest:6.1f} times NumPy")
    if found["policy, compact actions"] < BAR:
        print(f"fewer than {BAR:,} steps per second", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
