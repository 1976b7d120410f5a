"""Rules of Lines of Action for agents in Python. A board is a list of rows of "X", "O" or ".", the top row first."""

DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


def other(side):
    return "O" if side == "X" else "X"


def inside(board, r, c):
    return 0 <= r < len(board) and 0 <= c < len(board)


def pieces_on_line(board, r, c, dr, dc):
    """Returns the number of pieces of both sides on the line through a square."""
    count = board[r][c] != "."
    for sign in (1, -1):
        i, j = r + sign * dr, c + sign * dc
        while inside(board, i, j):
            count += board[i][j] != "."
            i, j = i + sign * dr, j + sign * dc
    return count


def moves(board, side):
    """Returns the legal moves as ((row, column), (row, column))."""
    found = []
    for r in range(len(board)):
        for c in range(len(board)):
            if board[r][c] != side:
                continue
            for dr, dc in DIRECTIONS:
                distance = pieces_on_line(board, r, c, dr, dc)
                i, j = r + distance * dr, c + distance * dc
                if not inside(board, i, j) or board[i][j] == side:
                    continue
                if all(board[r + k * dr][c + k * dc] != other(side) for k in range(1, distance)):
                    found.append(((r, c), (i, j)))
    return found


def play(board, move):
    """Returns the board after a move."""
    (r, c), (i, j) = move
    rows = [list(row) for row in board]
    rows[i][j], rows[r][c] = rows[r][c], "."
    return rows


def groups(board, side):
    """Returns the number of groups that a side's pieces form."""
    todo = {(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == side}
    count = 0
    while todo:
        count += 1
        group = [todo.pop()]
        while group:
            r, c = group.pop()
            for dr, dc in DIRECTIONS:
                if (r + dr, c + dc) in todo:
                    todo.remove((r + dr, c + dc))
                    group.append((r + dr, c + dc))
    return count
