"""Lines of Action by the rules, ids and planes of OpenSpiel, compared with its wheel."""

from __future__ import annotations

import contextlib
import itertools
import random
import types

import numpy as np
import plyhouse
import pytest
from plyhouse.kaggle import agent, history, make_agent
from plyhouse.openspiel import Player

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

GAMES = 1000


def compare(count: int, seed: int, max_game_length: int) -> dict[str, int]:
    """Play random games of OpenSpiel in a batch, compare every ply, and count how they ended."""
    theirs = pyspiel.load_game("lines_of_action", {"max_game_length": max_game_length})
    rng = random.Random(seed)
    states = [theirs.new_initial_state() for _ in range(count)]
    batch = plyhouse.Batch("loa", count, rules="openspiel", move_limit=max_game_length, auto_reset=False)
    assert batch.observations is not None and batch.action_masks is not None
    assert theirs.num_distinct_actions() == batch.num_actions
    assert tuple(theirs.observation_tensor_shape()) == batch.observations.shape[1:]
    going = list(range(count))
    ends = {"first": 0, "second": 0, "draw": 0}
    while going:
        actions = np.full(count, -1, np.int32)
        for number in going:
            state, legal = states[number], np.flatnonzero(batch.action_masks[number])
            assert legal.tolist() == state.legal_actions()
            assert batch.players[number] == state.current_player()
            assert batch.observations[number].ravel().tolist() == state.observation_tensor(0)
            actions[number] = rng.choice(legal)
            state.apply_action(int(actions[number]))
        batch.step(actions)
        for number in going:
            state = states[number]
            assert batch.terminated[number] == state.is_terminal()
            assert batch.rewards[number].tolist() == state.returns()
            if state.is_terminal():
                ends["first" if state.returns()[0] > 0 else "second" if state.returns()[1] > 0 else "draw"] += 1
        going = [number for number in going if not states[number].is_terminal()]
    for state in states[:50]:
        game = plyhouse.Game("loa", rules="openspiel", move_limit=max_game_length)
        for action in state.history():
            assert not game.is_over and game.legal_actions()
            game.play_action(action)
        assert game.is_over and list(game.returns) == state.returns() and game.actions == state.history()
    assert sum(ends.values()) == count
    return ends


def test_1000_random_games_are_the_same_move_for_move() -> None:
    ends = compare(GAMES, seed=1, max_game_length=1000)
    assert all(ends.values()), ends


def test_move_limits_and_late_wins_are_the_same() -> None:
    assert all(compare(100, seed=2, max_game_length=180).values())


def test_moves_are_written_alike() -> None:
    state, position = pyspiel.load_game("lines_of_action").new_initial_state(), plyhouse.Position("loa")
    rng = random.Random(3)
    while not state.is_terminal():
        for action in state.legal_actions():
            assert position.move_of(action) == state.action_to_string(action).replace("x", "-")
        action = rng.choice(state.legal_actions())
        position = position.play_action(action)
        state.apply_action(action)


def test_a_bot_beats_random_moves() -> None:
    from plyhouse.openspiel import Bot

    game = pyspiel.load_game("lines_of_action")
    won = 0
    for seed in range(4):
        bots = [Bot("nodes=1000", seed=seed), pyspiel.make_uniform_random_bot(1, seed)]
        if seed % 2:
            bots = [pyspiel.make_uniform_random_bot(0, seed), bots[0]]
        state = game.new_initial_state()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        won += state.returns()[seed % 2] > 0
    assert won == 4
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [Bot("level=1"), Bot("level=1", seed=1)], 1)
    assert sum(returns) == 0
    with pytest.raises(ValueError, match="'breakthrough' found, expected 'lines_of_action'"):
        Bot().step(pyspiel.load_game("breakthrough").new_initial_state())


def circle() -> list[str]:
    """Return four moves that lead back to the start position."""
    start = plyhouse.Position("loa")
    for one, other in itertools.product(start.legal_moves(), start.play("c1-c3").legal_moves()):
        moves = [one, other, *("-".join(reversed(move.split("-"))) for move in (one, other))]
        with contextlib.suppress(ValueError):
            if plyhouse.Game("loa", moves=moves).position == start:
                return moves
    raise AssertionError("there is a circle")


@pytest.mark.parametrize(("units", "draws"), [(50, False), (-50, True)])
def test_a_player_repeats_a_board_only_if_it_is_not_better(units: int, draws: bool) -> None:
    *moves, last = circle()
    game = plyhouse.Game("loa", rules="openspiel", moves=moves)
    player = Player("nodes=500")
    score = types.SimpleNamespace(win_in=None, units=units)
    player._engine = types.SimpleNamespace(choose=lambda _: types.SimpleNamespace(move=last, score=score))  # type: ignore[assignment]
    game.play_action(player.choose(game.actions))
    assert (game.reason == "repetition") == draws


def observation(state: pyspiel.State, player: int, serialized: str) -> dict[str, object]:
    """Return the observation of an agent in Kaggle's environment by default, without lists of legal actions."""
    return {
        "observationString": "{}",
        "currentPlayer": state.current_player(),
        "playerId": player,
        "isTerminal": state.is_terminal(),
        "serializedGameAndState": serialized,
        "remainingOverageTime": 60,
        "step": len(state.history()),
    }


def proxied(state: pyspiel.State) -> str:
    """Serialize the same state like Kaggle's environment, with Kaggle's proxy of the game."""
    moves = ",".join(f"{number % 2}:{action}" for number, action in enumerate(state.history()))
    return (
        "# Automatically generated by OpenSpiel SerializeGameAndState\n[Meta]\nVersion: 1\n\n[Game]\n"
        "lines_of_action_proxy(max_game_length=1000)\n[State]\n"
        f"history={moves}\nmove_number={len(state.history())}\n__dict__=gASVvAAAAAAAAAB9lC4=\n"
    )


@pytest.mark.parametrize(
    "serialize", [lambda state: pyspiel.serialize_game_and_state(state.get_game(), state), proxied]
)
def test_an_agent_plays_in_kaggles_environment(serialize: object) -> None:
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    agents = [make_agent("nodes=500"), make_agent("build=random", seed=2)]
    while not state.is_terminal():
        answers = [
            act(observation(state, player, serialize(state)), {"actTimeout": 5})  # type: ignore[operator]
            for player, act in enumerate(agents)
        ]
        player = state.current_player()
        assert answers[1 - player] == {"submission": -1}
        assert set(answers[player]) == {"submission"}
        state.apply_action(answers[player]["submission"])
    assert state.returns() == [1, -1]
    ended = observation(state, 0, serialize(state))  # type: ignore[operator]
    assert agents[0](ended, {}) == {"submission": -1}


def test_the_agent_itself_answers_with_a_legal_action() -> None:
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    told = observation(state, 0, proxied(state))
    assert agent(told, {})["submission"] in state.legal_actions()
    assert agent({"remainingOverageTime": 60, "step": 0}, {}) == {"submission": -1}


def test_another_game_is_refused() -> None:
    other = pyspiel.load_game("breakthrough")
    text = pyspiel.serialize_game_and_state(other, other.new_initial_state())
    with pytest.raises(ValueError, match="'breakthrough' found, expected a game of lines_of_action"):
        history(text)
    with pytest.raises(ValueError, match="'hello' found"):
        history("hello")
    assert history("[Game]\nlines_of_action(max_game_length=30)\n[State]\n142\n1026\n\n") == ([142, 1026], 30)
