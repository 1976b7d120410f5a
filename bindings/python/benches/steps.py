"""Measures steps per second: batches of Lines of Action beside OpenSpiel, PettingZoo, pgx and Ludax.

    target/python/venv/bin/pip install pgx ludax
    target/python/venv/bin/python bindings/python/benches/steps.py

Prints a Markdown table. Packages that are not installed are left out; Ludax is measured only beside pgx. Every program
plays random legal moves, or samples from fixed random logits: no network is evaluated. The programs of a column run in
alternating rounds; the results are medians. With one thread the time is processor time on one core, with two it is
elapsed time on two cores. OpenSpiel and PettingZoo play one game after the other, whatever the column. A program of
plyhouse.gymnasium counts the agent's moves only.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import plyhouse

#: Minimum ratio of the steps per second of a batch of `BAR_COUNT` games to those of OpenSpiel.
BAR = 40

#: Minimum number of steps per second of such a batch with a policy, compact ids and one thread.
POLICY_BAR = 1_500_000

#: Number of games in the batches that must meet the bars.
BAR_COUNT = 1024

#: A function that plays for at least this many seconds, and returns the number of steps and the time that they took.
Program = Callable[[float, Callable[[], float]], tuple[int, float]]

#: The package, the game, and what each step delivers.
Row = tuple[str, str, str]

LOA = "Lines of Action"
MOVES, PLANES, MASKS = "random moves", "random moves, planes", "random moves, planes, masks"
POLICY = "policy, planes"


def repeated(step: Callable[[], object], count: int) -> Program:
    """Return a program that repeats `step`, which plays a move in `count` games."""

    def play(seconds: float, clock: Callable[[], float]) -> tuple[int, float]:
        steps, start = 0, clock()
        while clock() - start < seconds:
            for _ in range(max(1, 4096 // count)):
                step()
                steps += count
        return steps, clock() - start

    return play


def batches(count: int, threads: int) -> Iterator[tuple[Row, Program]]:
    """Yield programs that play in batches, and in the environments that use them."""
    from plyhouse.gymnasium import VectorEnv
    from plyhouse.pgx import auto_reset, make

    def random_moves(**options: Any) -> Program:  # noqa: ANN401
        games = plyhouse.Batch("loa", count, rules="openspiel", threads=threads, **options)
        return repeated(lambda: games.step(games.sample()), count)

    def policy(**options: Any) -> Program:  # noqa: ANN401
        games = plyhouse.Batch("loa", count, rules="openspiel", threads=threads, masks=False, **options)
        logits = np.random.default_rng(1).standard_normal((count, games.num_actions), dtype=np.float32)
        return repeated(lambda: games.step(games.sample(logits)), count)

    name = "plyhouse.Batch"
    yield (name, LOA, MOVES), random_moves(observations=False, masks=False)
    yield (name, LOA, PLANES), random_moves(masks=False)
    yield (name, LOA, MASKS), random_moves()
    yield (name, LOA, "policy, compact ids"), policy(actions="compact", observations=False)
    yield (name, LOA, "policy, compact ids, planes"), policy(actions="compact")
    yield (name, LOA, POLICY), policy()
    yield (name, LOA, "policy in NumPy, masks"), policy_in_numpy(count, threads)

    env = make("loa", donate=True, rules="openspiel", threads=threads)
    games, seats = env.init(count), np.arange(count)
    step, state = auto_reset(env.step, env.init), [games]

    def step_state() -> None:
        state[0] = step(state[0], games.batch.sample(), seats)

    yield ("plyhouse.pgx, donated states", LOA, "random moves, planes, masks, compact ids"), repeated(step_state, count)
    environment = VectorEnv("loa", count, opponent="random", rules="openspiel", threads=threads)
    environment.reset(seed=1)
    row = "plyhouse.gymnasium, random opponent", LOA, MASKS
    yield row, repeated(lambda: environment.step(environment.batch.sample()), count)


def policy_in_numpy(count: int, threads: int) -> Program:
    """Return a program that samples from the ids set in the masks, in NumPy, by the Gumbel-max trick."""
    games = plyhouse.Batch("loa", count, rules="openspiel", observations=False, threads=threads)
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

    return repeated(step, count)


def pettingzoo() -> Iterator[tuple[Row, Program]]:
    """Yield a program that plays in the PettingZoo environment, one game after the other."""
    from plyhouse.pettingzoo import raw_env

    environment, rng = raw_env("loa", rules="openspiel"), random.Random(1)

    def play(seconds: float, clock: Callable[[], float]) -> tuple[int, float]:
        steps, start = 0, clock()
        while clock() - start < seconds:
            environment.reset()
            for _ in environment.agent_iter():
                observation, _, termination, truncation, _ = environment.last()
                if termination or truncation:
                    environment.step(None)
                    continue
                assert observation is not None
                environment.step(rng.choice(np.flatnonzero(observation["action_mask"])))
                steps += 1
        return steps, clock() - start

    yield ("plyhouse.pettingzoo", LOA, MASKS), play


def openspiel() -> Iterator[tuple[Row, Program]]:
    """Yield programs that play in OpenSpiel, one game after the other."""
    import pyspiel

    game, rng = pyspiel.load_game("lines_of_action"), random.Random(1)
    noise = np.random.default_rng(1)
    logits = noise.standard_normal(game.num_distinct_actions(), dtype=np.float32)

    def program(*, planes: bool, masks: bool, policy: bool) -> Program:
        def play(seconds: float, clock: Callable[[], float]) -> tuple[int, float]:
            steps, start = 0, clock()
            while clock() - start < seconds:
                state = game.new_initial_state()
                while not state.is_terminal():
                    if planes:
                        state.observation_tensor(0)
                    if masks:
                        state.legal_actions_mask()
                    actions = state.legal_actions()
                    if policy:
                        action = actions[int((logits[actions] + noise.gumbel(size=len(actions))).argmax())]
                    else:
                        action = rng.choice(actions)
                    state.apply_action(action)
                    steps += 1
            return steps, clock() - start

        return play

    yield ("OpenSpiel", LOA, MOVES), program(planes=False, masks=False, policy=False)
    yield ("OpenSpiel", LOA, PLANES), program(planes=True, masks=False, policy=False)
    yield ("OpenSpiel", LOA, MASKS), program(planes=True, masks=True, policy=False)
    yield ("OpenSpiel", LOA, POLICY), program(planes=True, masks=False, policy=True)


def in_jax(count: int) -> Iterator[tuple[Row, Program]]:
    """Yield programs that play in pgx and Ludax, compiled for the processor. Neither has Lines of Action."""
    import jax
    import pgx

    jax.config.update("jax_platforms", "cpu")
    env = pgx.make("othello")
    yield from compiled("pgx", "Othello", env, lambda state: state.observation, count)
    from ludax import LudaxEnvironment, games

    draughts = LudaxEnvironment(game_str=games.english_draughts)
    observe = jax.vmap(lambda state: draughts.observe(state, state.current_player))
    yield from compiled("Ludax", "English draughts", draughts, observe, count)


def compiled(
    package: str,
    game: str,
    env: Any,  # noqa: ANN401
    observe: Callable[[Any], Any],
    count: int,
) -> Iterator[tuple[Row, Program]]:
    """Yield programs that call a compiled function for each step, or for 16 steps if they deliver nothing else."""
    import jax
    import jax.numpy as jnp
    from pgx.experimental import auto_reset

    first = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), count))
    step_games = jax.vmap(auto_reset(env.step, env.init))
    noise = jax.random.normal(jax.random.PRNGKey(1), first.legal_action_mask.shape)

    def step(state: Any, key: Any, logits: Any) -> Any:  # noqa: ANN401
        keys = jax.random.split(key, count + 1)
        chosen = jax.random.categorical(keys[0], jnp.where(state.legal_action_mask, logits, -jnp.inf))
        return step_games(state, chosen, keys[1:])

    def several(state: Any, key: Any, logits: Any) -> tuple[Any, None]:  # noqa: ANN401
        def body(number: Any, inner: Any) -> Any:  # noqa: ANN401
            after = step(inner, jax.random.fold_in(key, number), logits)
            # Planes that no program reads are not computed.
            return after.replace(observation=inner.observation) if hasattr(inner, "observation") else after

        return jax.lax.fori_loop(0, 16, body, state), None

    def one(state: Any, key: Any, logits: Any) -> tuple[Any, Any]:  # noqa: ANN401
        after = step(state, key, logits)
        return after, (observe(after), after.legal_action_mask)

    def program(function: Callable[..., Any], steps: int, logits: Any) -> Program:  # noqa: ANN401
        run, now = jax.jit(function), [first, jax.random.PRNGKey(2)]

        def play() -> None:
            key, now[1] = jax.random.split(now[1])
            now[0], delivered = run(now[0], key, logits)
            jax.block_until_ready((now[0], delivered))

        play()
        return repeated(play, count * steps)

    yield (package, game, MOVES), program(several, 16, jnp.zeros(()))
    yield (package, game, MASKS), program(one, 1, jnp.zeros(()))
    yield (package, game, "policy, planes, masks"), program(one, 1, noise)


def rows(count: int, threads: int) -> dict[Row, Program]:
    """Return the programs of a column of the table. Those that play one game after the other use one thread."""
    sources = [lambda: batches(count, threads), lambda: in_jax(count)]
    if threads == 1:
        sources[1:1] = [pettingzoo, openspiel]
    programs: dict[Row, Program] = {}
    for source in sources:
        with contextlib.suppress(ImportError):
            programs.update(source())
    return programs


def measure(options: argparse.Namespace) -> None:
    """Print the steps per second of each program on this number of cores, as JSON."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    clock = time.process_time if options.threads == 1 else time.perf_counter
    for count in options.games:
        programs = rows(count, options.threads)
        found: dict[Row, list[float]] = {row: [] for row in programs}
        for _ in range(options.rounds):
            for row, program in programs.items():
                steps, took = program(options.seconds, clock)
                found[row].append(steps / took)
        rates = [[*row, statistics.median(all_rates)] for row, all_rates in found.items()]
        print(json.dumps([count, rates]), flush=True)


def rounded(rate: float | None) -> str:
    """Return a rate with three digits."""
    return "" if rate is None else f"{float(f'{rate:.3g}'):,.0f}"


def table(threads: int, columns: dict[int, dict[Row, float]]) -> None:
    """Print the lines of the table for this number of threads."""
    found = dict.fromkeys(row for rates in columns.values() for row in rates)
    for row in found:
        print("|", " | ".join([*row, str(threads), *(rounded(rates.get(row)) for rates in columns.values())]), "|")


def misses(rates: dict[Row, float]) -> Iterator[str]:
    """Yield the requirements that a batch of `BAR_COUNT` games misses with one thread."""
    for what in (MOVES, PLANES, MASKS):
        ours, theirs = rates["plyhouse.Batch", LOA, what], rates.get(("OpenSpiel", LOA, what))
        if theirs is None:
            continue
        print(f"{what}: {ours / theirs:.0f} times OpenSpiel")
        if ours / theirs < BAR:
            yield f"{what}: less than {BAR} times as fast as OpenSpiel"
    policy = rates["plyhouse.Batch", LOA, "policy, compact ids"]
    if policy < POLICY_BAR:
        yield f"policy, compact ids: {policy:,.0f} steps per second, fewer than {POLICY_BAR:,}"


def versions() -> str:
    """Return the processor, the versions of Python and of the compared packages, and which are not installed."""
    processor = platform.processor()
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as lines:
        processor = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), processor)
    found = [f"CPython {platform.python_version()}"]
    for package in ("plyhouse", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "ludax"):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"no {package}")
    return f"{processor}; {', '.join(found)}"


def main() -> int:
    """Measure in a process for each number of threads, and print a table. Return 1 if a batch is too slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[1, 16, 256, 1024, 16384], help="numbers of games")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="duration of each program in each round")
    parser.add_argument("--threads", type=int, help="measure with this number of threads only, and print JSON")
    options = parser.parse_args()
    if options.threads:
        measure(options)
        return 0
    print(versions())
    heads = [f"{count:,}" for count in options.games]
    print("| package | game | each step delivers | threads |", " | ".join(heads), "|")
    print("| --- | --- | --- |", " | ".join(["---:"] * (len(heads) + 1)), "|")
    single: dict[int, dict[Row, float]] = {}
    for threads in range(1, min(2, os.cpu_count() or 1) + 1):
        command = [sys.executable, __file__, *sys.argv[1:], f"--threads={threads}"]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        columns = {count: {tuple(row): rate for *row, rate in rates} for count, rates in map(json.loads, lines)}
        table(threads, columns)
        single = single or columns
    missed = list(misses(single[BAR_COUNT])) if BAR_COUNT in single else []
    for line in missed:
        print(line, file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
