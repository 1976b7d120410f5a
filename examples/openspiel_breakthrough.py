#!/usr/bin/env python3
"""Plays games of Breakthrough: Plyhouse's engine, over the Universal Game Interface, against OpenSpiel's MCTS bot.

    pip install open_spiel
    python3 examples/openspiel_breakthrough.py --plyhouse target/release/plyhouse --games 20 --simulations 500

In OpenSpiel Black moves first, from the top. It is the same game with top and bottom exchanged, so this program
reverses the ranks.
"""
import argparse
import random
import subprocess

import pyspiel


class Engine:
    """The process `plyhouse engine breakthrough`."""

    def __init__(self, path, player):
        command = [path, "engine", "breakthrough", "--player", player]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("ugi")
        self.until("ugiok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        """Returns the words of the next line that begins with this word."""
        for line in self.process.stdout:
            if line.startswith(word):
                return line.split()
        raise SystemExit("the engine has ended")

    def best(self, moves):
        self.say(" ".join(["position", "startpos", *(["moves"] if moves else []), *moves]))
        self.say("go")
        return self.until("bestmove")[1]

    def close(self):
        self.say("quit")
        self.process.wait()


def ours(text):
    """Converts a move from OpenSpiel's notation to Plyhouse's: `a7b6*` to `a2-b3`."""
    turned = [text[0], str(9 - int(text[1])), "-", text[2], str(9 - int(text[3]))]
    return "".join(turned)


def play(options, engine, number):
    """Plays one game, after two random moves of each side. Returns whether Plyhouse wins, and the number of plies."""
    game = pyspiel.load_game("breakthrough")
    state = game.new_initial_state()
    rng = random.Random(options.seed + number // 2)
    evaluator = pyspiel.RandomRolloutEvaluator(1, options.seed + number)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, options.simulations, 500, True, options.seed + number, False)
    moves = []
    while not state.is_terminal():
        names = {ours(state.action_to_string(action)): action for action in state.legal_actions()}
        if len(moves) < 4:
            action = rng.choice(state.legal_actions())
        elif state.current_player() == number % 2:
            action = names[engine.best(moves).replace("x", "-")]
        else:
            action = bot.step(state)
        moves.append(ours(state.action_to_string(action)))
        state.apply_action(action)
    return state.returns()[number % 2] > 0, len(moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plyhouse", default="target/release/plyhouse")
    parser.add_argument("--player", default="", help="options of Plyhouse's engine")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine = Engine(options.plyhouse, options.player)
    wins = 0
    for number in range(options.games):
        won, plies = play(options, engine, number)
        wins += won
        print(f"game {number + 1}: {'won' if won else 'lost'} in {plies} plies; {wins} of {number + 1}", flush=True)
    engine.close()


main()
