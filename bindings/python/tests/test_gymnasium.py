"""Environments for Gymnasium, compared with its own checks and its own vector environments."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import smallest, uniform

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from plyhouse.gymnasium import Env, Opponent, VectorEnv

GAMES: list[tuple[str, dict[str, Any]]] = [
    *[(game, {}) for game in plyhouse.GAMES],
    ("loa", {"size": 5, "move_limit": 9, "actions": "compact", "perspective": "board"}),
    ("loa", {"rules": "mso", "masks": False}),
    ("jump61", {"size": 3, "history": 1, "turn_plane": True}),
    ("breakthrough", {"size": 4}),
]


@pytest.mark.parametrize("game", plyhouse.GAMES)
@pytest.mark.parametrize("opponent", ["random", "level=gentle1"])
def test_gymnasiums_own_checks_pass(game: str, opponent: str) -> None:
    def make(**options: object) -> gymnasium.Env[Any, Any]:
        return gymnasium.make(f"plyhouse.gymnasium:plyhouse/{game}-v0", opponent=opponent, illegal="lose", **options)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(render_mode="ansi").unwrapped)
        check_environments_match(make(render_mode="ansi"), make(render_mode="ansi"), num_steps=20, seed=3)


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("side", [0, 1])
def test_games_are_those_of_gymnasiums_own_vector_environment(
    game: str, options: dict[str, Any], mode: AutoresetMode, side: int
) -> None:
    options = {"opponent": smallest, "side": side, "illegal": "lose", **options}
    ours = VectorEnv(game, 5, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: Env(game, **options)] * 5, autoreset_mode=mode)
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "metadata"):
        assert getattr(ours, name) == getattr(theirs, name)
    rng, ends = np.random.default_rng(side), 0
    found, expected = ours.reset(seed=1), theirs.reset(seed=1)
    for _ in range(150):
        assert data_equivalence(tuple(found), tuple(expected), exact=True)
        assert ours.observation_space.contains(found[0])
        actions = ours.batch.sample().copy()
        actions[rng.random(5) < 0.02] = ours.batch.num_actions - 1
        actions[actions < 0] = 0
        found, expected = ours.step(actions), theirs.step(actions)
        over = found[2] | found[3]
        ends += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            assert data_equivalence(tuple(found), tuple(expected), exact=True)
            found, expected = (environment.reset(options={"reset_mask": over.copy()}) for environment in (ours, theirs))
    assert ends > 5


@pytest.mark.parametrize("opponent", ["random", "level=gentle1", "nodes=50", smallest])
def test_a_seed_repeats_the_games(opponent: Opponent) -> None:
    def play(environment: VectorEnv) -> list[Any]:
        seen = [environment.reset(seed=5)]
        for _ in range(12):
            seen.append(environment.step(environment.batch.sample()))  # type: ignore[arg-type]
        return seen

    environment = VectorEnv("breakthrough", 4, opponent=opponent, size=5)
    first = play(environment)
    assert data_equivalence(play(environment), first, exact=True)
    assert data_equivalence(play(VectorEnv("breakthrough", 4, opponent=opponent, size=5)), first, exact=True)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda environment: pickle.loads(pickle.dumps(environment))])
def test_copies_continue_alike(copied: Callable[[VectorEnv], VectorEnv]) -> None:
    environment = VectorEnv("loa", 4, opponent="random", size=5)
    environment.reset(seed=2)
    same = copied(environment)
    for _ in range(40):
        actions = environment.batch.sample()
        assert data_equivalence(environment.step(actions), same.step(same.batch.sample()), exact=True)


def test_the_agent_changes_sides_after_every_game() -> None:
    environment = VectorEnv("breakthrough", 4, opponent="random", size=4)
    _, infos = environment.reset(seed=1)
    sides = np.array([0, 1, 0, 1])
    assert infos["side"].tolist() == sides.tolist()
    over = np.zeros(4, np.bool_)
    for _ in range(60):
        assert (environment.batch.players == sides)[~over].all()
        assert (infos["action_mask"].sum(axis=1) > 0).tolist() == (~over).tolist()
        _, _, terminated, _, infos = environment.step(environment.batch.sample())
        sides[over] = 1 - sides[over]
        over = terminated
        assert infos["side"].tolist() == sides.tolist()
    _, infos = environment.reset()
    sides = 1 - sides
    assert infos["side"].tolist() == sides.tolist()
    some, plies = np.array([True, True, False, False]), environment.batch.plies.copy()
    for seed, expected in [(None, 1 - sides[:2]), (7, [0, 1])]:
        _, infos = environment.reset(seed=seed, options={"reset_mask": some})
        assert infos["side"].tolist() == [*expected, 0, 0] and infos["_side"].tolist() == some.tolist()
        assert (environment.batch.plies[2:] == plies[2:]).all()
    _, _, _, _, infos = environment.step(environment.batch.sample())
    assert infos["side"].tolist() == [0, 1, *sides[2:]]
    assert Env("loa", side=1).reset()[1]["side"] == 1


def test_rewards_are_the_agents() -> None:
    wins = {}
    for opponent in ("random", "level=5"):
        environment = VectorEnv("breakthrough", 16, opponent=opponent, size=5, autoreset_mode="SameStep")
        environment.reset(seed=1)
        total = np.zeros(2)
        for _ in range(40):
            _, rewards, terminated, _, _ = environment.step(environment.batch.sample())
            assert ((rewards != 0) == terminated).all()
            total += (rewards > 0).sum(), (rewards < 0).sum()
        wins[opponent] = total
    assert wins["random"].min() > 10
    assert wins["level=5"][1] > 20 * wins["level=5"][0]


def play_first_actions(environment: VectorEnv) -> list[Any]:
    """Return the results of a few steps with the smallest legal actions."""
    seen: list[Any] = [environment.reset(seed=5)]
    for _ in range(10):
        seen.append(environment.step(smallest(environment.batch)))
    return seen


@pytest.mark.parametrize("level", ["gentle1", "3"])
def test_an_engine_plays_as_its_options_do(level: str) -> None:
    engine = plyhouse.Engine("breakthrough", level=level, size=5, seed=8)
    environment = VectorEnv("breakthrough", 6, opponent=engine, size=5)
    first = play_first_actions(environment)
    named = VectorEnv("breakthrough", 6, opponent=f"level={level}", size=5)
    assert data_equivalence(first, play_first_actions(named), exact=True)
    assert data_equivalence(first, play_first_actions(environment), exact=True)
    assert data_equivalence(first, play_first_actions(pickle.loads(pickle.dumps(environment))), exact=True)
    random = VectorEnv("breakthrough", 6, opponent="random", size=5)
    assert not data_equivalence(first, play_first_actions(random), exact=True)
    # The environment plays with a copy.
    assert engine.seed == 8
    single = gymnasium.make("plyhouse/breakthrough-v0", opponent=engine, size=5)
    assert data_equivalence(single.reset(seed=5)[0], first[0][0][0], exact=True)


def test_an_engine_keeps_its_seed_until_reset_receives_one() -> None:
    engine = plyhouse.Engine("loa", level="gentle1", seed=8)
    environment = VectorEnv("loa", 2, opponent=engine)
    environment.reset()
    assert environment._opponent.seed == 8  # type: ignore[union-attr]
    environment.reset(seed=5)
    assert environment._opponent.seed != 8  # type: ignore[union-attr]


def test_an_engine_with_an_evaluator_plays() -> None:
    engine = plyhouse.Engine("loa", size=5, evaluator=uniform, nodes=4, perspective="mover", seed=1)
    environment = VectorEnv("loa", 3, opponent=engine, size=5, side=1)
    environment.reset(seed=1)
    actions = environment.batch.sample().copy()
    played = environment.batch.clone()
    environment.step(actions)
    played.step(actions)
    copied = copy.copy(engine)
    copied.new_game(environment._opponent.seed)  # type: ignore[union-attr]
    played.step(copied.choose_batch(played)[0])
    assert [str(played.position(game)) for game in range(3)] == [
        str(environment.batch.position(game)) for game in range(3)
    ]


@pytest.mark.parametrize(
    ("opponent", "error", "text"),
    [
        (5, TypeError, 'opponent: int found, expected an Engine, the options of one, "random" or a function'),
        (None, TypeError, "opponent: NoneType found, expected an Engine"),
        (["level=3"], TypeError, "opponent: list found, expected an Engine"),
        (
            plyhouse.Engine("loa"),
            ValueError,
            "opponent: an engine for loa with 8 squares per side found, expected breakthrough with 5 squares per side",
        ),
        (
            plyhouse.Engine("breakthrough"),
            ValueError,
            "opponent: an engine for breakthrough with 8 squares per side found",
        ),
        (
            plyhouse.Engine("breakthrough", size=5, evaluator=uniform),
            ValueError,
            'opponent: a batch with 75 action ids, perspective="mover", history=0, turn_plane=False found',
        ),
    ],
)
def test_other_opponents_are_refused(opponent: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=re.escape(text)):
        VectorEnv("breakthrough", 2, size=5, opponent=opponent)  # type: ignore[arg-type]
    with pytest.raises(error, match=re.escape(text)):
        Env("breakthrough", size=5, opponent=opponent)


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        (None, ValueError, "opponent: actions of shape []: expected [2], one for each game"),
        ([0], ValueError, "opponent: actions of shape [1]: expected [2], one for each game"),
        ([0.5, 0.5], TypeError, "opponent: float64 found, expected whole numbers"),
        ([0, 0], ValueError, "game 1: action 0 is not legal"),
    ],
)
def test_wrong_answers_of_an_opponent_are_named(answer: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=re.escape(text)):
        VectorEnv("loa", 2, opponent=lambda batch: answer).reset(seed=1)  # type: ignore[arg-type,return-value]


def test_illegal_actions_are_refused() -> None:
    environment = VectorEnv("loa", 3, opponent="random")
    environment.reset(seed=1)
    actions, boards = environment.batch.sample().copy(), [str(environment.batch.position(n)) for n in range(3)]
    for wrong in (0, -1, 8192):
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"action {wrong} is not legal"):
            environment.step(actions)
    for shape in (actions[:2], actions.astype(np.float64)):
        with pytest.raises((TypeError, ValueError), match="actions"):
            environment.step(shape)  # type: ignore[arg-type]
    assert [str(environment.batch.position(n)) for n in range(3)] == boards
    losing = VectorEnv("loa", 3, opponent="random", illegal="lose", masks=False)
    losing.reset(seed=1)
    _, rewards, terminated, truncated, infos = losing.step(np.append(losing.batch.sample()[:2], 10**9))
    assert rewards.tolist() == [0, 0, -1] and terminated.tolist() == [False, False, True] and not truncated.any()
    assert "action_mask" not in infos
    with pytest.raises(ValueError, match=r"actions of shape \(2,\): expected \(3,\)"):
        losing.step(actions[:2])


def test_games_wait_if_they_are_not_reset() -> None:
    environment = VectorEnv("loa", 2, opponent="random", move_limit=4, autoreset_mode="Disabled", side=0)
    environment.reset(seed=1)
    environment.step(environment.batch.sample())
    _, _, _, truncated, _ = environment.step(environment.batch.sample())
    assert truncated.tolist() == [True, True]
    with pytest.raises(ValueError, match=r"game 0 is over: expected reset\(options="):
        environment.step(environment.batch.sample())
    environment.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ValueError, match="game 1 is over"):
        environment.step(environment.batch.sample())
    for mask in ([True], np.array([1, 0])):
        with pytest.raises(ValueError, match=r"reset_mask of .*: expected bool \(2,\)"):
            environment.reset(options={"reset_mask": mask})


def test_wrong_options_are_named() -> None:
    for options, words in [
        ({"side": 2}, 'side 2: expected 0, 1 or "alternate"'),
        ({"illegal": "skip"}, 'illegal \'skip\': expected "error" or "lose"'),
        ({"render_mode": "human"}, "render_mode 'human': expected None or \"ansi\""),
        ({"opponent": "level=77"}, "level"),
        ({"autoreset_mode": "Never"}, "Never"),
    ]:
        with pytest.raises(ValueError, match=re.escape(words)):
            VectorEnv("loa", 2, **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="sise"):
        VectorEnv("loa", 2, sise=6)
    for name in ("observations", "auto_reset", "rewards", "count"):
        with pytest.raises(TypeError, match=f"^{name}: set by VectorEnv, not an option$"):
            VectorEnv("loa", 2, **{name: False})  # type: ignore[arg-type]
    for name in ("num_envs", "autoreset_mode"):
        with pytest.raises(TypeError, match=f"^{name}: set by Env, not an option$"):
            Env("loa", **{name: 1})
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        VectorEnv("loa", 2).step(np.zeros(2, np.int64))
    near = plyhouse.Position("loa", "------/--b---/--b---/-b-ww-/-----w/w-b--- b")
    with pytest.raises(ValueError, match="game 1 is over before the agent's first move: expected another start"):
        VectorEnv("loa", 2, opponent="level=3", start=near).reset(seed=1)


def test_unknown_options_of_reset_are_named() -> None:
    environment = VectorEnv("loa", 2, opponent="random")
    with pytest.warns(
        UserWarning, match="reset has only the option reset_mask, so these are ignored: size, rules"
    ) as found:
        environment.reset(options={"size": 6, "reset_mask": np.ones(2, np.bool_), "rules": "mso"})
    assert found[0].filename == __file__
    single = Env("loa", opponent="random")
    with pytest.warns(UserWarning, match="reset has no options, so these are ignored: size"):
        single.reset(options={"size": 6})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        environment.reset(options={"reset_mask": np.ones(2, np.bool_)})
        single.reset(options={})


def test_a_finished_game_asks_for_reset() -> None:
    environment = Env("loa", opponent="random", side=0, move_limit=1)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        environment.step(0)
    environment.reset(seed=1)
    action = int(environment.action_masks().argmax())
    assert environment.step(action)[3]
    with pytest.raises(ValueError, match=r"^the game is over: expected a call of reset\(\) first$"):
        environment.step(action)
    environment.reset()
    environment.step(action)


def test_environments_are_made_by_name_and_wrapped() -> None:
    environment = gymnasium.make_vec("plyhouse/loa-v0", num_envs=3, opponent="random", size=5, render_mode="ansi")
    assert isinstance(environment, VectorEnv) and environment.spec is not None
    environment.reset(seed=1)
    assert environment.render() == tuple(environment.batch.position(number).diagram() for number in range(3))
    wrapped = DictInfoToList(RecordEpisodeStatistics(environment))
    wrapped.reset(seed=1)
    episodes = 0
    for _ in range(100):
        _, _, _, _, infos = wrapped.step(environment.batch.sample())
        episodes += sum("episode" in info for info in infos)
        assert all(info["action_mask"].shape == (environment.batch.num_actions,) for info in infos)
    assert episodes > 3
    environment.close()


@pytest.mark.parametrize("options", [{}, {"actions": "compact"}, {"masks": False}])
def test_masks_have_the_name_that_maskable_ppo_expects(options: dict[str, Any]) -> None:
    environment = Env("loa", opponent="random", side=1, **options)
    _, info = environment.reset(seed=1)
    mask = environment.action_masks()
    assert mask.dtype == np.bool_ and mask.sum() > 10
    if "masks" not in options:
        assert (mask == info["action_mask"]).all()
    environment.step(environment.action_space.sample(mask.astype(np.int8)))
