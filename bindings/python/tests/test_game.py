from __future__ import annotations

import copy
import re
import warnings

import plyhouse
import pytest
from conftest import BOARDS, random_game


def test_a_game_is_played_and_taken_back() -> None:
    game = plyhouse.Game("loa")
    assert game.play("b1-d3") == "b1-d3"
    assert game.play_action(game.position.action_of("a2-c2")) == "a2-c2"
    assert (game.moves, len(game), str(game)) == (["b1-d3", "a2-c2"], 2, "b1-d3 a2-c2")
    assert [position.turn for position in game.positions] == [0, 1, 0]
    assert game.positions[0] == plyhouse.Position("loa")
    fork, deep = game.copy(), copy.deepcopy(game)
    assert game.undo() == "a2-c2"
    assert (len(game), len(fork), len(deep), game.turn) == (1, 2, 2, 1)
    assert (game.undo(), game.undo()) == ("b1-d3", None)
    assert fork.actions == [plyhouse.Position("loa").action_of("b1-d3"), fork.positions[1].action_of("a2-c2")]


def test_a_wrong_move_changes_nothing() -> None:
    game = plyhouse.Game("breakthrough", size=5, moves=["a2-a3"])
    before = game.position
    for wrong in ["a2-a3", "e9-e8", "", "a4-a2"]:
        with pytest.raises(ValueError, match="move"):
            game.play(wrong)
    with pytest.raises(ValueError, match="action 999 is not legal"):
        game.play_action(999)
    assert (game.position, game.moves) == (before, ["a2-a3"])


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_random_games_end_as_the_rules_say(name: str, size: int) -> None:
    for seed in range(20):
        game = random_game(name, size, seed)
        assert game.legal_moves() == game.legal_actions() == []
        assert game.reason in ("board", "stuck", "move limit", "repetition", "quiet plies")
        assert sum(game.returns) == 0
        if game.winner is not None:
            assert game.returns[game.winner] == 1
        with pytest.raises(ValueError, match="move"):
            game.play(game.moves[-1])
        again = plyhouse.Game(name, size=size, moves=game.moves, move_limit=300)
        assert (again.reason, again.winner, again.position) == (game.reason, game.winner, game.position)
        again.undo()
        assert again.reason is None and again.legal_moves()


def test_repetitions_draw_if_the_rules_say_so() -> None:

    circle = find_circle()
    free = plyhouse.Game("loa", size=5, moves=circle)
    assert free.reason is None
    twice = plyhouse.Game("loa", size=5, moves=circle, repetitions=2)
    assert (twice.reason, twice.winner, twice.returns) == ("repetition", None, (0, 0))
    thrice = plyhouse.Game("loa", size=5, moves=circle * 2, repetitions=3)
    assert thrice.reason == "repetition"


def find_circle() -> list[str]:
    """Return four moves that lead back to the start position."""
    start = plyhouse.Position("loa", size=5)

    def back(move: str) -> str:
        return "-".join(reversed(move.split("-")))

    for one in start.legal_moves():
        for other in start.play(one).legal_moves():
            position = start.play(one).play(other)
            if position.is_legal(back(one)) and position.play(back(one)).is_legal(back(other)):
                circle = [one, other, back(one), back(other)]
                if position.play(back(one)).play(back(other)) == start:
                    return circle
    raise AssertionError("there is a circle")


def test_rules_of_the_mind_sports_olympiad() -> None:
    start = "---b--/wb----/-bbw--/b-b---/------/------ b"
    game = plyhouse.Game("loa", start=start, rules="mso", moves=["d6-d4"])
    assert (game.rules, game.is_over, game.winner, game.reason) == ("mso", True, None, "board")
    assert plyhouse.Game("loa", start=start, rules="cs61b", moves=["d6-d4"]).winner == 0
    stuck = plyhouse.Position("loa", "---bbw/----bb/---b--/------/bb----/wb---- w mso")
    assert stuck.legal_moves() == ["pass"]
    (action,) = stuck.legal_actions()
    game = plyhouse.Game("loa", start=str(stuck))
    assert game.rules == "mso", "the text names the rules"
    assert game.play_action(action) == "pass"
    assert plyhouse.Position("loa", "scrambled-eggs") == plyhouse.Game("loa", start="scrambled-eggs").position


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rules": "chess"}, 'rules "chess" for loa: expected "plyhouse", "cs61b", "nus", "mso", "openspiel"'),
        ({"rules": "openspiel", "size": 6}, 'rules "openspiel" for loa on 6 squares per side: expected loa on 8'),
        ({"rules": "openspiel", "repetitions": 3}, 'repetitions: the rules "openspiel" have their own'),
        ({"repetitions": 1}, "repetitions 1: expected 2 or more"),
        ({"move_limit": 0}, "move_limit 0: expected 1 or more"),
        ({"moves": ["b1-d3", "b1-d3"]}, "move 2: illegal move b1-d3"),
        ({"start": "b b"}, "expected"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        plyhouse.Game("loa", **options)  # type: ignore[arg-type]


def test_a_move_limit_draws() -> None:
    game = plyhouse.Game("jump61", move_limit=2, moves=["1:1", "2:2"])
    assert (game.reason, game.winner, game.move_limit) == ("move limit", None, 2)


def test_sgf_is_written_and_read() -> None:
    text = "(;FF[4]GM[9]SZ[8]PB[Ann]PW[Bob];B[b1-b3]TE[1]C[Solid.](;W[a2:c2++])(;W[h2-f2]))"
    (file,) = plyhouse.read_sgf(text)
    assert (file.players, file.moves, file.start) == (("Ann", "Bob"), ["b1-b3", "a2-c2"], None)
    nodes = [(node.parent, node.move, node.comment, node.mark) for node in file.nodes]
    assert nodes == [
        (None, None, "", None), (0, "b1-b3", "Solid.", "!"), (1, "a2-c2", "", None), (1, "h2-f2", "", None),
    ]  # fmt: skip
    assert plyhouse.read_sgf(str(file))[0].nodes[3].move == "h2-f2"
    game = file.game()
    assert game.moves == ["b1-b3", "a2-c2"]
    game.play("b3-b1")
    (again,) = plyhouse.read_sgf(game.sgf(players=("Ann", "Bob"), event="Club", date="2026-11-22", comment="Short."))
    assert (again.moves, again.players, again.event) == (game.moves, ("Ann", "Bob"), "Club")
    assert (again.date, again.comment, again.result) == ("2026-11-22", "Short.", "")


def test_random_games_come_back_from_sgf_with_their_results() -> None:
    for size in (4, 5, 8):
        game = random_game("loa", size, 3)
        (file,) = plyhouse.read_sgf(game.sgf())
        assert file.moves == game.moves
        assert file.game().position == game.position
        assert file.result == {0: "B+", 1: "W+", None: "0"}[game.winner]


def test_the_bytes_of_a_file_are_decoded() -> None:
    text = "(;GM[9]{}PB[Jörg];B[b1-b3])"
    cases = [("latin-1", "CA[ISO-8859-1]"), ("latin-1", ""), ("utf-8", "CA[UTF-8]"), ("utf-8-sig", "")]
    for encoding, charset in cases:
        (game,) = plyhouse.read_sgf(text.format(charset).encode(encoding))
        assert (game.players[0], game.moves) == ("Jörg", ["b1-b3"]), (encoding, charset)
    assert plyhouse.read_sgf("\ufeff(;GM[9];B[b1-b3])")[0].moves == ["b1-b3"]
    with pytest.raises(ValueError, match=r"CA\[Big5\] found, expected UTF-8 or ISO-8859-1"):
        plyhouse.read_sgf(text.format("CA[Big5]").encode("latin-1"))


def test_a_broken_file_is_refused_with_the_place() -> None:
    with pytest.raises(ValueError, match=r"line 1, column 9: B\[zz\]"):
        plyhouse.read_sgf("(;GM[9];B[zz])")
    with pytest.warns(UserWarning, match=r"a game was left out: SGF, line 2, column 9: B\[zz\]"):
        games = plyhouse.read_sgf("(;GM[9];B[b1-b3])\n(;GM[9];B[zz])\n(;GM[9];B[c1-c3])")
    assert [game.moves for game in games] == [["b1-b3"], ["c1-c3"]]
    with pytest.raises(TypeError, match="int found, expected str or bytes"):
        plyhouse.read_sgf(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="checkers has no SGF: expected a game of loa"):
        plyhouse.Game("checkers").sgf()


def test_a_cut_variation_is_a_warning() -> None:
    text = "(;GM[9]SZ[8];B[b1-d3](;W[a4-c4])(;W[a2-a9]))"
    for read in (plyhouse.SgfGame, lambda text: plyhouse.read_sgf(text)[0]):
        with pytest.warns(UserWarning, match=r"moves of variations were left out \(1\): .*W\[a2-a9\]"):
            file = read(text)
        assert [node.move for node in file.nodes] == [None, "b1-d3", "a4-c4"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plyhouse.SgfGame(str(file)) == copy.copy(file) == file


def test_moves_are_a_list() -> None:
    for moves in ("b1-d3", ""):
        with pytest.raises(TypeError, match="str found, expected a list of moves"):
            plyhouse.Game("loa", moves=moves)
        with pytest.raises(TypeError, match="str found, expected a list of moves"):
            plyhouse.Line(plyhouse.Score(3), moves)
    assert plyhouse.Game("loa", moves=("b1-d3",)) == plyhouse.Game("loa", moves=["b1-d3"])
