#!/usr/bin/env python3
"""Plays Plyhouse's `loa` against OpenSpiel's Monte-Carlo tree search bot, by Plyhouse's rules.

    pip install open_spiel
    python3 examples/openspiel_match.py --loa target/release/loa --games 20 --simulations 500

`loa` is the referee: it receives OpenSpiel's moves as commands and reports the result. OpenSpiel ends a game as a draw
when a board repeats. The game then counts as half a point, because the bot cannot continue from there.
"""
import argparse
import random
import subprocess

import pyspiel


class Program:
    """The text program, with one manual and one automated side."""

    def __init__(self, path, ours, seed):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        theirs = "white" if ours == "black" else "black"
        self.say("limit 500")
        self.say(f"seed {seed}")
        self.say(f"manual {theirs}")
        self.say(f"manual {ours}")
        self.ours = ours

    def say(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def answer(self):
        """Returns the program's next move, or the result, without prompts: `b1-b3`, `Black wins.`"""
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the program has ended")
            line = line.split("> ")[-1].strip()
            if line.startswith("*"):
                return line[1:].strip()
            if line.startswith("==="):
                return line.strip("= ")
            if line.lower().startswith("error"):
                raise SystemExit(line)

    def close(self):
        self.process.kill()
        self.process.wait()


def action(state, move):
    """Returns OpenSpiel's action for a move in Plyhouse's notation. OpenSpiel writes captures with an x."""
    for candidate in state.legal_actions():
        if state.action_to_string(candidate).replace("x", "-") == move:
            return candidate
    raise SystemExit(f"{move} is not legal in OpenSpiel in\n{state}")


def play(options, number):
    """Plays one game, after two random moves of each side. Returns the points of `loa`, the plies and the end."""
    game = pyspiel.load_game("lines_of_action")
    state = game.new_initial_state()
    rng = random.Random(options.seed + number // 2)
    ours = "black" if number % 2 == 0 else "white"
    program = Program(options.loa, ours, number)
    for _ in range(4):
        chosen = rng.choice(state.legal_actions())
        program.say(state.action_to_string(chosen).replace("x", "-"))
        state.apply_action(chosen)
    evaluator = pyspiel.RandomRolloutEvaluator(1, options.seed + number)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, options.simulations, 500, True, options.seed + number, False)
    program.say(f"auto {ours}")
    plies = 4
    while True:
        if state.is_terminal() and state.returns() == [0.0, 0.0]:
            program.close()
            return 0.5, plies, "repetition"
        side = "black" if state.current_player() == 0 else "white"
        if state.is_terminal() or side == ours:
            said = program.answer()
            if "win" in said.lower():
                program.close()
                return (1.0 if said.lower().startswith(ours) else 0.0), plies, said
            if "tie" in said.lower():
                program.close()
                return 0.5, plies, said
            state.apply_action(action(state, said))
        else:
            chosen = bot.step(state)
            program.say(state.action_to_string(chosen).replace("x", "-"))
            state.apply_action(chosen)
        plies += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loa", default="target/release/loa")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    points = 0.0
    for number in range(options.games):
        score, plies, why = play(options, number)
        points += score
        print(f"game {number + 1}: {score} in {plies} plies ({why}); {points} of {number + 1}", flush=True)


main()
