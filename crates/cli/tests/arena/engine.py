"""An engine with the Universal Chess Interface for 8x8 Breakthrough, with its own rules. Its argument is its behaviour:
`good`, `illegal` (an illegal move at its second move), `silent` (no move at its second move) or `chess` (another game).
"""
import sys

behaviour = sys.argv[1]
board, white, answers = {}, True, 0


def say(line):
    print(line, flush=True)


def set_up(rows, side):
    global white
    board.clear()
    for rank, row in enumerate(reversed(rows.split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, rank] = letter == "P"
                file += 1
        assert file == 8, row
    white = side == "w"


def square(file, rank):
    return "abcdefgh"[file] + str(rank + 1)


def legal_moves():
    """Returns the legal moves, with captures first."""
    step = 1 if white else -1
    captures, others = [], []
    for (file, rank), is_white in sorted(board.items()):
        for to in (-1, 0, 1):
            target = file + to, rank + step
            is_blocked = target in board if to == 0 else board.get(target) == white
            if is_white == white and 0 <= target[0] < 8 and not is_blocked:
                (captures if target in board else others).append(square(file, rank) + square(*target))
    return captures + others


def play(move):
    global white
    assert move in legal_moves(), (move, sorted(board.items()))
    places = [("abcdefgh".index(move[i]), int(move[i + 1]) - 1) for i in (0, 2)]
    board[places[1]] = board.pop(places[0])
    white = not white


for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        say("id name Test engine")
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name UCI_Variant type combo default chess var chess" + " var breakthrough" * (behaviour != "chess"))
        say("uciok")
    elif words == ["isready"]:
        say("readyok")
    elif words[:1] == ["setoption"]:
        say("info string " + line.strip())
    elif words[:1] == ["position"]:
        if words[1] == "startpos":
            set_up("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP", "w")
        else:
            set_up(words[2], words[3])
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            play(move)
    elif words[:1] == ["go"]:
        answers += 1
        best = legal_moves()[0]
        if answers == 2 and behaviour == "illegal":
            best = "a1a8"
        elif answers == 2 and behaviour == "silent":
            best = "(none)"
        say(f"info depth 3 seldepth 4 multipv 1 score cp {len(board)} nodes 50 nps 9 time 1 pv {best}")
        say(f"bestmove {best} ponder a7a6")
    elif words == ["quit"]:
        break
