"""Measures steps of Lines of Action per second on one core: batches, OpenSpiel, and a loop over PettingZoo.

    target/python/venv/bin/python bindings/python/benches/steps.py

Every program plays random legal moves by the rules of OpenSpiel. Each row compares programs with the same output: moves
only, moves and planes, or moves, planes and masks. The programs run in alternating rounds; the results are medians.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import plyhouse

#: Minimum ratio of the steps per second of a batch to those of OpenSpiel.
BAR = 50

#: A function that plays for about this many seconds of processor time, and returns the number of steps and the time
#: that they took.
Program = Callable[[float], tuple[int, float]]


def clocked(step: Callable[[], None], count: int) -> Program:
    """Return a program that repeats `step`, which plays a move in `count` games."""

    def play(seconds: float) -> tuple[int, float]:
        steps, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            for _ in range(16):
                step()
            steps += 16 * count
        return steps, time.process_time() - start

    return play


def batch(count: int, *, planes: bool, masks: bool) -> Program:
    """Return a program that plays random actions in a batch of `count` games."""
    games = plyhouse.Batch("loa", count, rules="openspiel", observations=planes, masks=masks)
    return clocked(lambda: games.step(games.sample()), count)


def openspiel(*, planes: bool, masks: bool) -> Program:
    """Return a program that plays random actions in OpenSpiel, one game after the other."""
    import pyspiel

    game, rng = pyspiel.load_game("lines_of_action"), random.Random(1)

    def play(seconds: float) -> tuple[int, float]:
        steps, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if planes:
                    state.observation_tensor(0)
                if masks:
                    state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
        return steps, time.process_time() - start

    return play


def pettingzoo() -> Program:
    """Return a program that plays random actions in the PettingZoo environment, one game after the other."""
    from plyhouse.pettingzoo import raw_env

    environment, rng = raw_env("loa", rules="openspiel"), random.Random(1)

    def play(seconds: float) -> tuple[int, float]:
        steps, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            environment.reset()
            for _ in environment.agent_iter():
                observation, _, termination, truncation, _ = environment.last()
                if termination or truncation:
                    environment.step(None)
                    continue
                environment.step(rng.choice(np.flatnonzero(observation["action_mask"])))
                steps += 1
        return steps, time.process_time() - start

    return play


def rates(programs: dict[str, Program], rounds: int, seconds: float) -> dict[str, float]:
    """Return the steps per second of each program: the median of alternating rounds."""
    found: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            steps, took = program(seconds)
            found[name].append(steps / took)
    return {name: statistics.median(all_rates) for name, all_rates in found.items()}


def begin(description: str | None) -> argparse.Namespace:
    """Parse the options of a benchmark, and restrict this process to one core."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1024, help="number of games in a batch")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="duration of each program in each round")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return options


def main() -> int:
    """Measure and print a table. Return 1 if a batch is slower than `BAR` requires."""
    options = begin(__doc__)
    forms = {
        "moves": {"planes": False, "masks": False},
        "moves, planes": {"planes": True, "masks": False},
        "moves, planes, masks": {"planes": True, "masks": True},
    }
    programs: dict[str, Program] = {}
    for name, form in forms.items():
        programs[f"batch: {name}"] = batch(options.games, **form)
        programs[f"OpenSpiel: {name}"] = openspiel(**form)
    programs["PettingZoo"] = pettingzoo()
    found = rates(programs, options.rounds, options.seconds)
    print(f"steps per second on one core, batches of {options.games:,} games, median of {options.rounds} rounds")
    missed = False
    for name in forms:
        ours, theirs = found[f"batch: {name}"], found[f"OpenSpiel: {name}"]
        missed |= ours / theirs < BAR
        print(f"{name:22} batch {ours:12,.0f}   OpenSpiel {theirs:9,.0f}   {ours / theirs:5.0f} times")
    ours, theirs = found["batch: moves, planes, masks"], found["PettingZoo"]
    print(f"{'moves, planes, masks':22} batch {ours:12,.0f}   PettingZoo {theirs:8,.0f}   {ours / theirs:5.0f} times")
    if missed:
        print(f"a batch is less than {BAR} times as fast as OpenSpiel", file=sys.stderr)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
