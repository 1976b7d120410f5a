"""Ctrl-C, threads and forks during long operations."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading

import plyhouse
import pytest

#: An engine that searches with an evaluator.
NETWORK = """
import numpy as np
def uniform(planes, offsets, ids):
    return np.zeros(len(ids), np.float32), np.zeros(len(planes), np.float32)
engine = plyhouse.Engine("loa", evaluator=uniform, nodes=10**15)
"""

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"

#: An engine that searches with an ONNX file, and a batch for it.
FILE = f"""
import sys
sys.path.append({str(EXAMPLES)!r})
from alphazero import VIEW, Network
batch = plyhouse.Batch("loa", 100, size=5, **VIEW)
planes = batch.observations.shape[1:]
Network(planes[0] * 5 * 5, batch.num_actions, width=8, blocks=1, seed=1).save_onnx("net.onnx", planes)
engine = plyhouse.Engine("loa", size=5, evaluator="net.onnx", nodes=10**15, **VIEW)
"""

#: Statements that run for years unless they are interrupted, each with its preparation.
PROGRAMS = {
    "perft": ('start = plyhouse.Position("loa")', "start.perft(30)"),
    "perft of a wide board": ('start = plyhouse.Position("jump61", size=10)', "start.perft(20)"),
    "perft_divide": ('start = plyhouse.Position("checkers")', "start.perft_divide(40)"),
    "choose": ('engine = plyhouse.Engine("loa", nodes=10**15, book=False)', 'engine.choose(plyhouse.Position("loa"))'),
    "choose with an engine in use": (
        """
engine = plyhouse.Engine("loa", nodes=10**15, book=False)
threading.Thread(target=lambda: engine.choose(plyhouse.Position("loa")), daemon=True).start()
while True:
    try:
        engine.new_game()
    except RuntimeError:
        break
""",
        'engine.choose(plyhouse.Position("loa"))',
    ),
    "analyse": ('start = plyhouse.Position("loa")', "plyhouse.analyse(start, nodes=10**15)"),
    "prove": ('start = plyhouse.Position("loa")', "plyhouse.prove(start, nodes=10**15)"),
    "rollout": (
        'batch = plyhouse.Batch("loa", 64, observations=False, masks=False)',
        "batch.rollout(10**9)",
    ),
    "choose with an evaluator": (NETWORK, 'engine.choose(plyhouse.Position("loa"))'),
    "choose_batch": (
        'engine = plyhouse.Engine("loa", nodes=10**15, book=False)',
        'engine.choose_batch(plyhouse.Batch("loa", 100))',
    ),
    "choose_batch with an evaluator": (NETWORK, 'engine.choose_batch(plyhouse.Batch("loa", 100))'),
    "choose with a file": (FILE, 'engine.choose(plyhouse.Position("loa", size=5))'),
    "choose_batch with a file": (FILE, "engine.choose_batch(batch)"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_interrupt_ends_it(name: str, tmp_path: pathlib.Path) -> None:
    prepare, run = PROGRAMS[name]
    program = f"""
import _thread, os, signal, threading, plyhouse
# A program that was started in the background ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
{prepare}
try:
    threading.Timer(0.3, _thread.interrupt_main).start()
    {run}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "interrupted"


def test_other_threads_go_on_during_a_count() -> None:
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(plyhouse.Position("loa").perft(4)))
    thread.start()
    assert plyhouse.Position("loa").perft(1) == 36
    thread.join()
    assert counts == [1563208]


def test_threads_share_a_game_and_an_engine() -> None:
    game = plyhouse.Game("breakthrough", size=5)
    engine = plyhouse.Engine("breakthrough", size=5, nodes=300, seed=1)
    errors: list[Exception] = []

    def play() -> None:
        while not game.is_over:
            try:
                move = engine.choose(game).move
            except ValueError:  # The other thread has ended the game.
                continue
            try:
                game.play(move)
            except ValueError:  # The other thread has moved first.
                continue
            except Exception as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert plyhouse.Game("breakthrough", size=5, moves=game.moves) == game


def test_a_call_may_use_the_game_of_a_call_that_has_not_ended() -> None:
    game = plyhouse.Game("loa")

    class First:
        """The first legal action, which is computed when it is used."""

        def __index__(self) -> int:
            return game.legal_actions()[0]

    assert game.play_action(First()) == game.moves[0]  # type: ignore[arg-type]


def test_a_searching_engine_refuses_a_new_game() -> None:
    engine = plyhouse.Engine("loa", movetime=1.5, book=False)
    thread = threading.Thread(target=lambda: engine.choose(plyhouse.Position("loa")))
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            engine.new_game()
        except RuntimeError as error:
            refused = str(error) == "the engine is searching in another thread: expected an idle engine"
    thread.join()
    assert refused
    engine.new_game()


FORK = """
import os, signal, threading, time, warnings, plyhouse
warnings.simplefilter("ignore")  # Python warns of forks in programs with threads.
signal.alarm(50)
start = plyhouse.Position("loa")
engine = plyhouse.Engine("loa", nodes=10**15, book=False, seed=4)
small = plyhouse.Engine("loa", nodes=1000, book=False, seed=4)
expected = small.choose(start).move
threading.Thread(target=lambda: engine.choose(start), daemon=True).start()
threading.Thread(target=lambda: plyhouse.Position("loa").perft(30), daemon=True).start()
def is_searching():
    try:
        engine.new_game(4)
        return False
    except RuntimeError:
        return True
while not is_searching():
    time.sleep(0.01)
child = os.fork()
if child == 0:
    signal.alarm(40)
    engine.new_game(5)
    assert engine.seed == 5
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        engine.choose(start)
    except KeyboardInterrupt:
        pass
    else:
        os._exit(1)
    os._exit(0 if small.choose(start).move in start.legal_moves() and start.perft(3) > 0 else 2)
_, status = os.waitpid(child, 0)
print("child", os.waitstatus_to_exitcode(status), "searching", is_searching(), flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_during_a_search_does_not_block_the_child() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "child 0 searching True", done.stderr
