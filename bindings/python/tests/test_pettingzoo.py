from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import plyhouse
import pytest

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402
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
def test_pettingzoos_wrapper_makes_parallel_environments(game: str, options: dict[str, Any]) -> None:
    environment = turn_based_aec_to_parallel(env(game, **options))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "reset has no options")
        parallel_api_test(environment, num_cycles=300)
    record = plyhouse.Game(game, **{"move_limit": 1000, **options})
    observations, _ = environment.reset(seed=1)
    total = dict.fromkeys(environment.possible_agents, 0.0)
    while environment.agents:
        # A player who is not to move has an empty mask, from which the sample is 0.
        actions = {
            agent: environment.action_space(agent).sample(observation["action_mask"])
            for agent, observation in observations.items()
        }
        record.play_action(int(actions[environment.possible_agents[record.turn]]))
        observations, rewards, terminations, truncations, _ = environment.step(actions)
        for agent, reward in rewards.items():
            total[agent] += reward
    assert record.is_over and tuple(total.values()) == record.returns
    assert all(terminations.values()) or all(truncations.values())


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


@pytest.mark.parametrize(
    "use",
    [
        lambda environment: environment.agents,
        lambda environment: environment.num_agents,
        lambda environment: environment.agent_selection,
        lambda environment: environment.rewards,
        lambda environment: environment.observe("player_0"),
        lambda environment: environment.last(),
        lambda environment: environment.step(0),
        lambda environment: environment.render(),
    ],
)
def test_nothing_is_available_before_reset(use: Callable[[Any], object]) -> None:
    environment = raw_env("jump61", size=3, render_mode="ansi")
    with pytest.raises(AttributeError, match=r"is unset: expected a call of reset\(\) first"):
        use(environment)
    assert environment.action_space("player_0").n == 9  # type: ignore[attr-defined]
    environment.reset()
    assert environment.agents == ["player_0", "player_1"] and environment.num_agents == 2
    # Some calls of PettingZoo's wrappers raise an AssertionError.
    with pytest.raises((AttributeError, AssertionError), match="reset"):
        use(env("jump61", size=3, render_mode="ansi"))


def test_wrong_agents_and_actions_are_refused() -> None:
    environment = raw_env("loa")
    environment.reset()
    for use in (environment.observe, environment.observation_space, environment.action_space):
        for agent in ("player_2", "", None):
            with pytest.raises(ValueError, match="expected 'player_0' or 'player_1'"):
                use(agent)  # type: ignore[arg-type]
    for action in (142.9, "142", [142], np.float32(142)):
        with pytest.raises(TypeError):
            environment.step(action)  # type: ignore[arg-type]
    for action in (-1, 3, 10**30):
        with pytest.raises(
            ValueError, match=f"^action {action} is not legal for player_0: its action_mask marks the legal actions$"
        ):
            environment.step(action)
    with pytest.raises(ValueError, match="action None for player_0"):
        environment.step(None)
    assert environment.agent_selection == "player_0" and len(environment.game) == 0
    environment.step(np.int64(environment.game.legal_actions()[0]))
    assert len(environment.game) == 1


def test_unknown_options_are_named() -> None:
    with pytest.raises(TypeError, match="sise"):
        env("loa", sise=6)
    environment = env("loa")
    with pytest.warns(UserWarning, match="reset has no options, so these are ignored: size"):
        environment.reset(options={"size": 6})
    environment.reset(options={})
