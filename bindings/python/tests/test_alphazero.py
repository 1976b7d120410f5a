"""The example of AlphaZero, on a small scale."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
from types import ModuleType

import numpy as np
import plyhouse
import pytest

EXAMPLE = pathlib.Path(__file__).parents[1] / "examples" / "alphazero.py"

#: Lines of Action on 4x4, in which the first player wins.
SIZES = {"size": 4, "games": 64, "simulations": 16, "plies": 8, "width": 64, "blocks": 1, "sample": 128, "opening": 1}
SMALL = [f"--{name}={value}" for name, value in {**SIZES, "capacity": 4000, "pairs": 2}.items()]


@pytest.fixture(scope="module")
def alphazero() -> ModuleType:
    specification = importlib.util.spec_from_file_location("alphazero", EXAMPLE)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_network_learns_from_its_own_games(alphazero: ModuleType, tmp_path: pathlib.Path) -> None:
    run = alphazero.Run(alphazero.parse([*SMALL, "--out", str(tmp_path / "run.npz")]))
    losses = [run.round() for _ in range(12)]
    assert losses[-1][0] < losses[0][0] - 0.3 and losses[-1][1] < losses[0][1] / 3, losses
    start = plyhouse.Batch("loa", 1, size=4, **alphazero.VIEW)
    assert run.network.forward(np.array(start.observations))[1][0] > 0.3

    run.save()
    loaded = alphazero.Run(run.options)
    loaded.load()
    assert (loaded.games, loaded.positions, loaded.adam.steps) == (run.games, run.positions, run.adam.steps)
    for ours, theirs in zip(run.network.weights, loaded.network.weights, strict=True):
        assert np.array_equal(ours, theirs)


def test_gradients_are_the_slopes_of_the_losses(alphazero: ModuleType) -> None:
    network = alphazero.Network(inputs=12, actions=5, width=8, blocks=2, seed=3)
    rng = np.random.default_rng(4)
    for weight in network.weights:
        weight += rng.normal(scale=0.3, size=weight.shape)
    planes = rng.normal(size=(6, 3, 4))
    policies = rng.dirichlet(np.ones(5), size=6)
    policies[:, 2] = -1
    policies[:, 0] += 1 - np.maximum(policies, 0).sum(axis=1)
    results = rng.uniform(-1, 1, size=6)

    # In double precision, so that differences are exact enough.
    network.hidden = [weight.astype(float) for weight in network.hidden]
    network.biases = [bias.astype(float) for bias in network.biases]
    network.heads, network.head_bias = network.heads.astype(float), network.head_bias.astype(float)
    gradients, _, _ = network.gradients(planes, policies, results)

    def loss() -> float:
        return sum(network.gradients(planes, policies, results)[1:])

    for weight, gradient in zip(network.weights, gradients, strict=True):
        place = np.unravel_index(rng.integers(weight.size), weight.shape)
        step = 1e-6
        weight[place] += step
        above = loss()
        weight[place] -= 2 * step
        below = loss()
        weight[place] += step
        assert (above - below) / (2 * step) == pytest.approx(gradient[place], rel=1e-3, abs=1e-6)


def test_a_finished_run_plays_its_match(alphazero: ModuleType, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "run.npz"
    command = [sys.executable, str(EXAMPLE), *SMALL, "--size", "5", "--minutes", "0", "--level", "1", "--out", str(out)]
    file = tmp_path / "net.onnx"
    command += ["--match-simulations=8", "--onnx", str(file)]
    played = subprocess.run(command, capture_output=True, text=True, check=True)
    assert played.stdout.startswith("level 1 "), played.stdout
    assert out.with_suffix(".csv").read_text().startswith("minutes,games,positions,")
    engine = plyhouse.Engine("loa", size=5, evaluator=file, nodes=50, **alphazero.VIEW)
    game = plyhouse.Game("loa", size=5)
    assert engine.choose(game).move in game.legal_moves()


def test_onnx_is_required_before_the_training(
    alphazero: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert alphazero.parse([]).onnx is None
    with pytest.raises(SystemExit):
        alphazero.parse(["--onnx", "net.onnx"])
    assert "--onnx: the package onnx is not installed" in capsys.readouterr().err


def test_network_is_written_as_an_onnx_file(alphazero: ModuleType, tmp_path: pathlib.Path) -> None:
    batch = plyhouse.Batch("loa", 40, size=5, seed=1, **alphazero.VIEW)
    batch.step(batch.sample())
    planes = np.shape(batch.observations)[1:]
    network = alphazero.Network(int(np.prod(planes)), batch.num_actions, 16, 2, 3)
    network.head_bias += np.linspace(0, 2, len(network.head_bias), dtype=np.float32)
    for bias in network.biases:
        bias += 0.1
    file = tmp_path / "net.onnx"
    network.save_onnx(file, planes)
    ours, theirs = (
        plyhouse.Engine("loa", size=5, evaluator=evaluator, nodes=1, **alphazero.VIEW).choose_batch(batch)
        for evaluator in (network.evaluate, file)
    )
    assert ours[1] == pytest.approx(theirs[1], abs=1e-5)
    assert ours[2][2] == pytest.approx(theirs[2][2], abs=1e-5)
