#!/usr/bin/env python3
"""Plays random moves in Breakthrough (8x8), as a minimal UGI engine for tournaments of the arena."""
import random
import sys

START = ["w"] * 16 + ["-"] * 32 + ["b"] * 16


def legal(board, side):
    """Returns all moves as pairs of squares: 0 is a1, 8 is a2."""
    step, moves = (8 if side == "w" else -8), []
    for start, man in enumerate(board):
        ahead = start + step
        if man != side or not 0 <= ahead < 64:
            continue
        for turn in (-1, 0, 1):
            # Straight ahead only to an empty square; diagonally also to capture.
            if 0 <= start % 8 + turn < 8 and (board[ahead + turn] == "-" or turn and board[ahead + turn] != side):
                moves.append((start, ahead + turn))
    return moves


def square(number):
    return "abcdefgh"[number % 8] + str(number // 8 + 1)


def number(text):
    return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)


def main():
    board, side = list(START), "w"
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("ugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "startpos"]:
            board, side = list(START), "w"
            for word in words[3:]:
                # `a2-a3`, or `b4xa3` for a capture.
                start, end = number(word[:2]), number(word[3:])
                board[start], board[end] = "-", board[start]
                side = "b" if side == "w" else "w"
        elif words[:1] == ["go"]:
            print("bestmove " + "-".join(map(square, random.choice(legal(board, side)))), flush=True)
        elif words[:1] == ["quit"]:
            break


main()
