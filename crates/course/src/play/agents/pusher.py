"""An agent for Breakthrough on 5×5 that moves the first pawn which can move in a preferred direction.

Tests replace ORDER by a tuple of directions: 1 is straight ahead, 0 and 2 are diagonal. It writes its moves to standard
error."""
import sys
N = 5
board, side = {}, 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        board, side = {}, 0
        for x in range(N):
            for y in (0, 1): board[x, y] = 0
            for y in (N - 2, N - 1): board[x, y] = 1
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            (a, b), (c, d) = [(ord(s[0]) - 97, int(s[1]) - 1) for s in (move[:2], move[-2:])]
            board[c, d] = board.pop((a, b))
            side = 1 - side
    elif words[0] == "go":
        up = 1 - 2 * side
        moves = [(x, y, x + dx, y + up) for dx in [d - 1 for d in ORDER]
            for (x, y), s in sorted(board.items()) if s == side and 0 <= x + dx < N
            and ((x + dx, y + up) not in board or dx != 0 and board[x + dx, y + up] != side)]
        x, y, a, b = moves[0]
        text = f"{chr(97 + x)}{y + 1}{'x' if (a, b) in board else '-'}{chr(97 + a)}{b + 1}"
        print("SECRET plays", text, file=sys.stderr)
        print("bestmove", text, flush=True)
    elif words[0] == "quit":
        break
