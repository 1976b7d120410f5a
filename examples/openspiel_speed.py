#!/usr/bin/env python3
"""Measures OpenSpiel from Python: perft leaves, compared with `plyhouse perft`, and random moves of Lines of Action.

    pip install open_spiel
    python3 examples/openspiel_speed.py
"""
import random
import subprocess
import time

import pyspiel

GAME = pyspiel.load_game("lines_of_action")


def leaves(state, depth):
    """Returns the number of leaves at this depth. Moves of the last ply are counted, but not played."""
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(leaves(state.child(a), depth - 1) for a in actions)


def made(state, depth):
    """Returns the number of leaves at this depth. All moves are played, as in a search."""
    if depth == 0 or state.is_terminal():
        return int(depth == 0)
    return sum(made(state.child(a), depth - 1) for a in state.legal_actions())


def rate(count, depth):
    """Returns the leaves per second."""
    start = time.perf_counter()
    return count(GAME.new_initial_state(), depth) / (time.perf_counter() - start)


def playouts(seconds):
    """Returns the random moves per second of OpenSpiel."""
    rng, moves, start = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = GAME.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves / (time.perf_counter() - start)


def main():
    counted, played = rate(leaves, 4), rate(made, 3)
    printed = subprocess.run(
        ["target/release/plyhouse", "perft", "loa", "--depth", "5"], capture_output=True, text=True, check=True
    ).stdout.split()
    ours = float(printed[-2])
    print(f"perft leaves/s: plyhouse {ours:,.0f}")
    print(f"OpenSpiel, last ply counted: {counted:,.0f}, slower by a factor of {ours / counted:.0f}")
    print(f"OpenSpiel, every leaf played: {played:,.0f}, slower by a factor of {ours / played:.0f}")
    print(f"random moves/s: OpenSpiel {playouts(3):,.0f}")


main()
