"""The protocol of the 6x6 competition: read one request, print one answer."""
import sys

SQUARES = "ABCDEF"


def serve(name, choose):
    """Answers one request. `choose(board, turns)` returns one of `lines.moves(board, "X")`: the agent is always X."""
    request = sys.stdin.readline().strip()
    if request == "identify":
        print(name, flush=True)
    elif request == "move":
        turns = int(sys.stdin.readline())
        size = int(sys.stdin.readline())
        board = [list(sys.stdin.readline().strip()) for _ in range(size)]
        (r, c), (i, j) = choose(board, turns)
        print(f"{SQUARES[c]}{r + 1}{SQUARES[j]}{i + 1}", flush=True)
    else:
        sys.exit(f"{request!r} found, expected identify or move")
