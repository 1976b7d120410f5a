from __future__ import annotations

import re
import subprocess
import sys
import threading
import time

import plyhouse
import pytest

#: A position in which Black can win with one move.
NEAR = "------/--b---/--b---/-b-ww-/-----w/w-b--- b"


@pytest.mark.parametrize("game", plyhouse.GAMES)
def test_engines_play_by_words_and_by_names(game: str) -> None:
    start = plyhouse.Game(game)
    by_words = plyhouse.Engine(game, "nodes=500,noise=3", seed=5).choose(start)
    by_names = plyhouse.Engine(game, nodes=500, noise=3, seed=5).choose(start)
    assert by_words.move == by_names.move and by_words.move in start.legal_moves()
    assert by_words.lines[0].moves == by_names.lines[0].moves
    assert by_words.lines[0].moves[0] == by_words.move
    assert len(start) == 0


@pytest.mark.parametrize("level", ["gentle1", 1, 3])
def test_a_level_plays_a_game_to_its_end(level: object) -> None:
    game = plyhouse.Game("breakthrough", size=5)
    engine = plyhouse.Engine("breakthrough", level=level, size=5)
    while not game.is_over:
        game.play(engine.choose(game).move)
    assert game.reason == "board" and game.winner is not None


def test_a_seed_fixes_a_whole_game() -> None:
    def play(seed: int) -> list[str]:
        game, engine = plyhouse.Game("loa", size=5, move_limit=30), plyhouse.Engine("loa", level=2, size=5)
        engine.new_game(seed)
        while not game.is_over:
            game.play(engine.choose(game).move)
        return game.moves

    assert play(1) == play(1)
    assert len({tuple(play(seed)) for seed in range(4)}) > 1


def test_a_win_is_proven() -> None:
    choice = plyhouse.Engine("loa", nodes=20000, size=6).choose(plyhouse.Position("loa", NEAR))
    assert choice.score is not None
    assert (choice.score.win_in, choice.score.loss_in, choice.score.units) == (1, None, None)
    assert choice.score.is_proven and str(choice.score) == "win in 1"
    assert plyhouse.Position("loa", NEAR).play(choice.move).winner == 0


def test_an_analysis_has_lines_and_facts() -> None:
    analysis = plyhouse.analyse(plyhouse.Position("loa", size=6), nodes=5000, lines=3)
    assert len(analysis.lines) == 3 and analysis.best == analysis.lines[0].moves[0]
    assert len({line.moves[0] for line in analysis.lines}) == 3
    assert analysis.score == analysis.lines[0].score
    assert analysis.depth > 0 and analysis.nodes > 0
    fact = analysis.known
    assert fact is not None and (fact.winner, fact.best, fact.source) == (0, "b1-b3", "book")
    for line in analysis.lines:
        game = plyhouse.Game("loa", size=6)
        for move in line.moves:
            game.play(move)
    # The opening book has this position, but an analysis is a search.
    opening = plyhouse.analyse(plyhouse.Position("jump61"), nodes=500)
    assert opening.known is None and opening.nodes > 0


def test_a_proof_is_followed_to_its_last_move() -> None:
    start = plyhouse.Position("loa", size=4)
    proof = plyhouse.prove(start)
    assert (proof.status, proof.winner, proof.source) == ("won", 0, "search")
    assert proof.best is not None and proof.plies is not None

    def follow(line: list[str], left: int) -> int:
        count = 0
        for reply in proof.replies(line):
            assert reply.plies is not None and reply.plies < left
            count += 1
            if reply.answer is None:
                continue
            after = [*line, reply.move, reply.answer]
            assert plyhouse.Game("loa", size=4, moves=after).is_over == reply.ends
            if not reply.ends:
                count += follow(after, reply.plies)
        return count

    assert follow([proof.best], proof.plies + 1) > 3
    with pytest.raises(ValueError, match="winner is to move"):
        proof.replies([])


@pytest.mark.parametrize(
    ("position", "source"),
    [
        (plyhouse.Position("breakthrough", "-----/-w--b/-----/w----/----- b"), "tables"),
        (plyhouse.Position("loa", size=6).play("b1-b3"), "book"),
        (plyhouse.Position("loa", size=4).play("b1-b3"), "search"),
    ],
)
def test_the_loser_has_no_best_move(position: plyhouse.Position, source: str) -> None:
    proof = plyhouse.prove(position)
    assert (proof.winner, proof.source, proof.best) == (1 - position.turn, source, None)
    reply = proof.replies()[0]
    assert reply.answer is not None
    after = plyhouse.prove(position.play(reply.move))
    assert after.winner == proof.winner and after.best in position.play(reply.move).legal_moves()


def test_a_line_of_replies_is_a_list() -> None:
    proof = plyhouse.prove(plyhouse.Position("loa", size=4))
    with pytest.raises(TypeError, match="str found, expected a list of moves"):
        proof.replies("b1-b3")


@pytest.mark.parametrize("options", [{"level": "gentle1"}, {"level": 3}, {"build": "random"}])
def test_games_repeat_until_a_new_game(options: dict[str, object]) -> None:
    engine = plyhouse.Engine("loa", size=5, **options)  # type: ignore[arg-type]

    def play() -> tuple[str, ...]:
        game = plyhouse.Game("loa", size=5, move_limit=8)
        while not game.is_over:
            game.play(engine.choose(game).move)
        return tuple(game.moves)

    assert len({play() for _ in range(3)}) == 1
    games = set()
    for seed in range(6):
        engine.new_game(seed)
        games.add(play())
    assert len(games) > 1


def test_what_is_not_proven_stays_open() -> None:
    proof = plyhouse.prove(plyhouse.Position("loa"), nodes=50_000)
    assert (proof.status, proof.winner) == ("open", None)
    with pytest.raises(ValueError, match='nothing is proven: the status is "open"'):
        proof.replies()
    over = plyhouse.Position("breakthrough", "w---/b---/----/---- b")
    assert plyhouse.prove(over).status == "over"


@pytest.mark.parametrize(
    ("words", "named", "expected"),
    [
        ("level=11", {}, "a level: "),
        ("strength=3", {}, "strength"),
        ("", {"nodes": "many"}, "nodes"),
        ("build=reference", {}, "jump61: the game has no player `build=reference`"),
        ("", {"lines": 0}, "lines 0: expected 1 or more"),
        ("", {"size": 11}, "board size 11: jump61 is played on 2 to 10"),
    ],
)
def test_wrong_words_are_named(words: str, named: dict[str, object], expected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(expected)):
        plyhouse.Engine("jump61", words, **named)  # type: ignore[arg-type]


def test_an_engine_refuses_what_it_does_not_play() -> None:
    engine = plyhouse.Engine("loa", size=6, nodes=100)
    with pytest.raises(ValueError, match="a game of jump61 found, expected loa"):
        engine.choose(plyhouse.Game("jump61"))
    with pytest.raises(ValueError, match="a board of 8 squares per side found, expected 6"):
        engine.choose(plyhouse.Game("loa"))
    with pytest.raises(TypeError, match="expected a Game or a Position"):
        engine.choose("loa")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the game is over"):
        engine.choose(plyhouse.Game("loa", size=6, moves=["b1-b3"], move_limit=1))


def test_other_threads_go_on_while_an_engine_thinks() -> None:
    thread = threading.Thread(
        target=lambda: plyhouse.Engine("loa", movetime=0.6, book=False).choose(plyhouse.Position("loa")),
    )
    thread.start()
    count = 0
    while thread.is_alive():
        count += 1
        time.sleep(0.001)
    assert count > 20


def test_an_interrupt_ends_a_search() -> None:
    program = """
import _thread, signal, threading, plyhouse
# A program that was started in the background ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, _thread.interrupt_main).start()
try:
    plyhouse.Engine("loa", nodes=10**12, book=False).choose(plyhouse.Position("loa"))
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "interrupted"
