from __future__ import annotations

import warnings
from typing import Any

import plyhouse
import pytest

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402
from plyhouse.pettingzoo import env, raw_env  # noqa: E402

GAMES: list[tuple[str, dict[str, Any]]] = [
    *[(game, {}) for game in plyhouse.GAMES],
    ("loa", {"rules": "openspiel"}),
    ("loa", {"size": 5, "move_limit": 40}),
    ("jump61", {"size": 3}),
]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_pettingzoos_own_tests_pass(game: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        # The warnings recommend flattened planes, and Discrete spaces for masks.
        warnings.simplefilter("ignore")
        api_test(env(game, **options), num_cycles=300)
        seed_test(lambda: env(game, **options), num_cycles=60)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_rewards_are_those_of_the_game(game: str, options: dict[str, Any]) -> None:
    environment = raw_env(game, **options)
    for seed in range(3):
        environment.reset(seed=seed)
        for number, agent in enumerate(environment.possible_agents):
            environment.action_space(agent).seed(10 * seed + number)
        total = dict.fromkeys(environment.possible_agents, 0.0)
        for agent in environment.agent_iter():
            observation, reward, termination, truncation, info = environment.last()
            total[agent] += reward
            assert environment.observation_space(agent).contains(observation)
            if termination or truncation:
                assert not observation["action_mask"].any() and info["reason"] == environment.game.reason
                environment.step(None)
                continue
            other = environment.observe(next(name for name in environment.agents if name != agent))
            assert not other["action_mask"].any()
            environment.step(environment.action_space(agent).sample(observation["action_mask"]))
        assert tuple(total.values()) == environment.game.returns


def test_a_move_limit_truncates_unless_it_is_a_rule() -> None:
    for options, truncates in [({}, True), ({"rules": "openspiel"}, False)]:
        environment = env("loa", move_limit=4, **options)
        environment.reset(seed=1)
        for agent in environment.agent_iter():
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                assert (termination, truncation) == (not truncates, truncates)
                environment.step(None)
            else:
                environment.step(environment.action_space(agent).sample(observation["action_mask"]))


def test_boards_are_drawn() -> None:
    environment = env("breakthrough", render_mode="ansi")
    environment.reset()
    assert environment.render() == plyhouse.Position("breakthrough").diagram()
    with pytest.raises(ValueError, match="render_mode 'video': expected None"):
        env("loa", render_mode="video")
