#!/usr/bin/env python3
"""A minimal CS61B-style `loa` for tournaments. It reads commands, plays random moves, and prints them as `* b1-b3`."""
import random
import sys

import lines

NAMES = {"black": "X", "white": "O"}
START = [".XXXXXX."] + ["O......O"] * 6 + [".XXXXXX."]


class Game:
    def __init__(self):
        self.automated = {"X": False, "O": True}
        self.limit = 60
        self.new()

    def new(self):
        self.board, self.side, self.made, self.over = [list(row) for row in START], "X", 0, False

    def play(self, move):
        self.board = lines.play(self.board, move)
        mover, self.side = self.side, lines.other(self.side)
        self.made += 1
        for side in (mover, self.side):
            if lines.groups(self.board, side) == 1:
                return self.end("Black wins." if side == "X" else "White wins.")
        if self.made >= self.limit:
            return self.end("Tie game.")
        if not lines.moves(self.board, self.side):
            return self.end("Black wins." if mover == "X" else "White wins.")

    def end(self, text):
        self.over = True
        say(f"* {text}")

    def automatic(self):
        while not self.over and self.automated[self.side]:
            move = random.choice(lines.moves(self.board, self.side))
            say("* " + "-".join(square(point) for point in move))
            self.play(move)

    def dump(self):
        rows = ["    " + " ".join({"X": "b", "O": "w", ".": "-"}[cell] for cell in row) for row in self.board]
        mover = "black" if self.side == "X" else "white"
        say("\n".join(["===", *rows, f"Next move: {mover}", "==="]))

    def obey(self, words):
        if words[0] == "new":
            self.new()
        elif words[0] in ("auto", "manual"):
            self.automated[NAMES[words[1].lower()]] = words[0] == "auto"
        elif words[0] == "limit":
            self.limit = 2 * int(words[1])
        elif words[0] == "seed":
            random.seed(int(words[1]))
        elif words[0] == "dump":
            self.dump()
        else:
            move = tuple(point(text) for text in words[0].split("-"))
            if self.over or move not in lines.moves(self.board, self.side):
                raise ValueError(f"illegal move {words[0]}")
            self.play(move)


def square(point):
    return "abcdefgh"[point[1]] + str(8 - point[0])


def point(text):
    return 8 - int(text[1]), "abcdefgh".index(text[0])


def say(text):
    print(text, flush=True)


def main():
    game = Game()
    for line in sys.stdin:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "quit":
            break
        try:
            game.obey(words)
        except (ValueError, IndexError, KeyError) as error:
            print(f"Error: {error}", file=sys.stderr, flush=True)
        game.automatic()


main()
