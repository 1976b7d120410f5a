#!/usr/bin/env python3
"""An agent for the 6x6 competition that looks one move ahead. It prefers few groups and pieces close together."""
import lines
import nus_agent


def spread(board, side):
    """Returns the sum of the distances of a side's pieces from their centre."""
    squares = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == side]
    r = sum(square[0] for square in squares) / len(squares)
    c = sum(square[1] for square in squares) / len(squares)
    return sum(max(abs(i - r), abs(j - c)) for i, j in squares)


def value(board):
    """Returns the value of a board after a move of X. Larger is better for X."""
    own, theirs = lines.groups(board, "X"), lines.groups(board, "O")
    if own == 1:
        return 1000
    if theirs == 1:
        return -1000
    return 2 * (theirs - own) + spread(board, "O") - spread(board, "X")


def choose(board, turns):
    return max(lines.moves(board, "X"), key=lambda move: value(lines.play(board, move)))


nus_agent.serve("Greedy: looks one move ahead", choose)
