#!/usr/bin/env python3
"""OpenSpiel's Monte-Carlo tree search bot as an engine with the Universal Game Interface, for 8x8 Lines of Action.

    pip install open_spiel
    plyhouse arena run examples/openspiel.toml --sandbox none

OpenSpiel ends a game as a draw when a board occurs for the second time, and its bot cannot continue from there. A
tournament against it should therefore have the same rules (`rules = "openspiel"`). OpenSpiel also limits the length of
a game, and applies this limit even if the last move wins. A smaller `move_limit` ends games before that.
"""
import sys

import pyspiel

GAME = pyspiel.load_game("lines_of_action")


def state_after(moves):
    state = GAME.new_initial_state()
    for move in moves:
        state.apply_action(action(state, move))
    return state


def action(state, move):
    """Returns OpenSpiel's action for a move in Plyhouse's notation. OpenSpiel writes captures with an x."""
    for candidate in state.legal_actions():
        if state.action_to_string(candidate).replace("x", "-") == move:
            return candidate
    sys.exit(f"{move} is not legal in OpenSpiel in\n{state}")


def main():
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    state, seed = state_after([]), 0
    for line in sys.stdin:
        words = line.split()
        answer = None
        if words[:1] == ["ugi"]:
            answer = f"id name OpenSpiel MCTS, {simulations} simulations\nugiok"
        elif words[:1] == ["isready"]:
            answer = "readyok"
        elif words[:3] == ["setoption", "name", "seed"]:
            seed = int(words[-1]) % 2**31
        elif words[:2] == ["position", "startpos"]:
            state = state_after(words[3:])
        elif words[:1] == ["position"]:
            sys.exit("only games from the start position are supported")
        elif words[:1] == ["go"]:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot = pyspiel.MCTSBot(GAME, evaluator, 2.0, simulations, 500, True, seed, False)
            answer = "bestmove " + state.action_to_string(bot.step(state)).replace("x", "-")
        elif words[:2] == ["query", "result"]:
            # A draw by OpenSpiel's rules may not be a draw by the tournament's rules.
            won = state.is_terminal() and state.returns() != [0.0, 0.0]
            answer = "response " + ("none" if not won else "p1win" if state.returns()[0] > 0 else "p2win")
        elif words[:1] == ["quit"]:
            break
        if answer:
            print(answer, flush=True)


main()
