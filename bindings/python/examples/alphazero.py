"""AlphaZero in one file: a network learns a game from its rules alone, with Plyhouse and NumPy.

The network plays against itself with Plyhouse's Monte Carlo tree search (the Gumbel rule, many games at once), and
learns to predict the improved policy of the search and the result of the game. The defaults are Lines of Action on
5x5, on which it beats level 5 after less than half an hour on two cores:

    python bindings/python/examples/alphazero.py --minutes 24

The run writes its state to `alphazero.npz` after every round. The same command resumes an interrupted run; a larger
`--minutes` extends a finished one. `alphazero.csv` has the curve. With `--onnx network.onnx` it also writes the network
as a file for `plyhouse.Engine("loa", size=5, evaluator="network.onnx", actions="compact", perspective="mover")`.

AlphaZero: Silver et al., Science 362 (2018). Gumbel rule: Danihelka et al., ICLR 2022.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import time
from pathlib import Path
from typing import Any

import numpy as np
import plyhouse
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# The view of the board that the network gets, in batches and in searches.
VIEW: dict[str, Any] = {"actions": "compact", "perspective": "mover"}


class Network:
    """Dense layers with residual connections, and two heads: a logit for each action, and the expected result."""

    def __init__(self, inputs: int, actions: int, width: int, blocks: int, seed: int) -> None:
        """Draw the weights at random. Those of the heads are small, so that the first policy is almost uniform."""
        rng = np.random.default_rng(seed)

        def layer(rows: int, columns: int, scale: float = 1.0) -> Floats:
            return (rng.standard_normal((rows, columns)) * scale * np.sqrt(2 / rows)).astype(np.float32)

        self.hidden = [layer(inputs, width)] + [layer(width, width, 0.5) for _ in range(blocks)]
        self.biases = [np.zeros(width, np.float32) for _ in self.hidden]
        self.heads = layer(width, actions + 1, 0.1)
        self.head_bias = np.zeros(actions + 1, np.float32)

    @property
    def weights(self) -> list[Floats]:
        """All arrays that are trained."""
        return [*self.hidden, *self.biases, self.heads, self.head_bias]

    def evaluate(self, planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Floats, Floats]:
        """Return the logits of all actions and the expected results: an evaluator for `plyhouse.Engine`."""
        logits, values, _ = self.forward(planes)
        return logits, values

    def forward(self, planes: Floats) -> tuple[Floats, Floats, list[Floats]]:
        """Return logits, values and the outputs of the layers, of which the first is the input."""
        layers = [planes.reshape(len(planes), -1)]
        for number, (weight, bias) in enumerate(zip(self.hidden, self.biases, strict=True)):
            output = np.maximum(layers[-1] @ weight + bias, 0)
            layers.append(output + layers[-1] if number else output)
        heads = layers[-1] @ self.heads + self.head_bias
        return heads[:, :-1], np.tanh(heads[:, -1]), layers

    def save_onnx(self, path: Path, planes: tuple[int, ...]) -> None:
        """Write an ONNX file, an evaluator for `plyhouse.Engine` with the options `VIEW`. Needs the package `onnx`."""
        from onnx import TensorProto, helper, numpy_helper, save

        dense = {f"output{number}": pair for number, pair in enumerate(zip(self.hidden, self.biases, strict=True))}
        dense["logits"] = self.heads[:, :-1], self.head_bias[:-1]
        dense["value"] = self.heads[:, -1:], self.head_bias[-1:]
        nodes, weights, layer = [helper.make_node("Flatten", ["planes"], ["flat"])], [], "flat"
        for number, (name, arrays) in enumerate(dense.items()):
            inputs = [f"{name}.weight", f"{name}.bias"]
            weights += [numpy_helper.from_array(array, part) for array, part in zip(arrays, inputs, strict=True)]
            nodes.append(helper.make_node("Gemm", [layer, *inputs], [name]))
            if number < len(self.hidden):
                nodes.append(helper.make_node("Relu", [name], [f"relu{number}"]))
                nodes.extend([helper.make_node("Add", [f"relu{number}", layer], [f"sum{number}"])] if number else [])
                layer = f"sum{number}" if number else "relu0"
        nodes.append(helper.make_node("Tanh", ["value"], ["values"]))
        shapes = {"planes": ["n", *planes], "logits": ["n", self.heads.shape[1] - 1], "values": ["n", 1]}
        ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
        graph = helper.make_graph(nodes, "network", ports[:1], ports[1:], weights)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)

    def gradients(self, planes: Floats, policies: Floats, results: Floats) -> tuple[list[Floats], float, float]:
        """Return the gradient of each array of `weights`, and the losses of the policy and of the values.

        The policies are -1 for illegal actions.
        """
        logits, values, layers = self.forward(planes)
        legal = policies >= 0
        logits = np.where(legal, logits, -np.inf)
        logits = logits - logits.max(axis=1, keepdims=True)
        shares = np.exp(logits)
        totals = shares.sum(axis=1, keepdims=True)
        targets = np.maximum(policies, 0)
        policy_loss = -(targets * np.where(legal, logits - np.log(totals), 0)).sum() / len(planes)
        errors = values - results
        slope = np.empty((len(planes), self.heads.shape[1]), np.float32)
        slope[:, :-1] = shares / totals - targets
        slope[:, -1] = 2 * errors * (1 - values**2)
        slope /= len(planes)

        heads, head_bias = layers[-1].T @ slope, slope.sum(axis=0)
        slope = slope @ self.heads.T
        hidden, biases = [], []
        for number in reversed(range(len(self.hidden))):
            before, after = layers[number], layers[number + 1]
            inner = slope * (after > before if number else after > 0)
            hidden.insert(0, before.T @ inner)
            biases.insert(0, inner.sum(axis=0))
            slope = inner @ self.hidden[number].T + slope if number else slope
        return [*hidden, *biases, heads, head_bias], float(policy_loss), float((errors**2).mean())


class Adam:
    """Adam with decoupled weight decay (Loshchilov and Hutter, ICLR 2019)."""

    def __init__(self, weights: list[Floats]) -> None:
        self.steps = 0
        self.means = [np.zeros_like(weight) for weight in weights]
        self.squares = [np.zeros_like(weight) for weight in weights]

    def step(self, weights: list[Floats], gradients: list[Floats], rate: float, decay: float = 1e-3) -> None:
        """Change the weights in place."""
        self.steps += 1
        scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, gradient, mean, square in zip(weights, gradients, self.means, self.squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weight -= scale * mean / (np.sqrt(square) + 1e-8) + rate * decay * weight


class Replay:
    """The latest positions of finished games, with the policies of their searches and their results."""

    def __init__(self, capacity: int, planes: tuple[int, ...], actions: int) -> None:
        self.planes = np.zeros((capacity, *planes), np.float32)
        self.policies = np.zeros((capacity, actions), np.float32)
        self.results = np.zeros(capacity, np.float32)
        self.added = 0

    def add(self, planes: Floats, policy: Floats, result: float) -> None:
        """Add a position. It replaces the oldest one if there is no space left."""
        place = self.added % len(self.results)
        self.planes[place], self.policies[place], self.results[place] = planes, policy, result
        self.added += 1

    def sample(self, count: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """Draw positions at random."""
        chosen = rng.integers(min(self.added, len(self.results)), size=count)
        return self.planes[chosen], self.policies[chosen], self.results[chosen]


class SelfPlay:
    """Games of the network against itself. Each begins with up to `opening` random plies, so that games differ."""

    def __init__(self, batch: plyhouse.Batch, engine: plyhouse.Engine, opening: int, rng: np.random.Generator) -> None:
        self.batch, self.engine, self.opening, self.rng = batch, engine, opening, rng
        self.random_plies = rng.integers(opening + 1, size=len(batch))
        self.games: list[list[tuple[Floats, Floats, int, float]]] = [[] for _ in range(len(batch))]

    def play(self, plies: int, replay: Replay) -> int:
        """Play this number of plies in each game. Returns the number of games that ended."""
        ended = 0
        for _ in range(plies):
            searched = self.batch.plies >= self.random_plies
            actions, values, (offsets, ids, weights) = self.engine.choose_batch(self.batch, where=searched)
            policies = np.full((len(self.batch), self.batch.num_actions), -1, np.float32)
            policies[np.repeat(np.arange(len(self.batch)), np.diff(offsets)), ids] = weights
            planes, players = np.array(self.batch.observations), self.batch.players.copy()
            for number in np.flatnonzero(searched):
                self.games[number].append((planes[number], policies[number], players[number], values[number]))
            self.batch.step(np.where(searched, actions, self.batch.sample()))
            for number in np.flatnonzero(self.batch.terminated | self.batch.truncated):
                self.finish(self.games[number], self.batch.rewards[number], replay)
                self.random_plies[number] = self.rng.integers(self.opening + 1)
                ended += 1
        return ended

    @staticmethod
    def finish(game: list[tuple[Floats, Floats, int, float]], rewards: Floats, replay: Replay) -> None:
        """Add the positions of a finished game. The training target is the mean of its result and of the search."""
        for planes, policy, player, value in game:
            replay.add(planes, policy, (rewards[player] + value) / 2)
        game.clear()


class Run:
    """A training run: network, optimizer, replay buffer and games."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        batch = plyhouse.Batch(
            options.game, options.games, size=options.size, move_limit=100, seed=options.seed, masks=False, **VIEW
        )
        planes = np.shape(batch.observations)[1:]
        self.network = Network(int(np.prod(planes)), batch.num_actions, options.width, options.blocks, options.seed)
        self.adam = Adam(self.network.weights)
        self.replay = Replay(options.capacity, planes, batch.num_actions)
        self.rng = np.random.default_rng(options.seed)
        engine = self.engine(options.simulations, gumbel_noise=1.0, seed=options.seed)
        self.play = SelfPlay(batch, engine, options.opening, self.rng)
        self.symmetries = batch.symmetries()
        self.seconds, self.games, self.positions = 0.0, 0, 0

    def engine(self, simulations: int, **named: Any) -> plyhouse.Engine:
        """Return an engine that searches with the current weights of the network."""
        evaluator = self.network.evaluate
        return plyhouse.Engine(
            self.options.game, size=self.options.size, nodes=simulations, evaluator=evaluator, **VIEW, **named
        )

    def round(self) -> tuple[float, float]:
        """Play and learn. Returns the mean losses of the policy and of the values."""
        options, before, start = self.options, self.replay.added, time.perf_counter()
        self.games += self.play.play(options.plies, self.replay)
        new = self.replay.added - before
        self.positions += new
        share = min(1.0, self.seconds / (60 * options.minutes))
        rate = options.rate * (0.05 + 0.95 * (1 + np.cos(np.pi * share)) / 2)
        losses = [self.learn(rate) for _ in range(round(new * options.uses / options.sample))]
        self.seconds += time.perf_counter() - start
        return tuple(np.mean(losses, axis=0).tolist()) if losses else (np.nan, np.nan)

    def learn(self, rate: float) -> tuple[float, float]:
        """Take one step of the optimizer with positions that are mapped by a random symmetry."""
        planes, policies, results = self.replay.sample(self.options.sample, self.rng)
        squares, actions = self.symmetries
        mapping = self.rng.integers(len(squares))
        planes = planes.reshape(*planes.shape[:2], -1)[:, :, squares[mapping]]
        gradients, policy_loss, value_loss = self.network.gradients(planes, policies[:, actions[mapping]], results)
        self.adam.step(self.network.weights, gradients, rate)
        return policy_loss, value_loss

    def arrays(self) -> dict[str, Floats]:
        """Return the weights and the state of the optimizer by name."""
        groups = {"weight": self.network.weights, "mean": self.adam.means, "square": self.adam.squares}
        return {f"{name}{number}": array for name, group in groups.items() for number, array in enumerate(group)}

    def save(self) -> None:
        """Write the state atomically: an interruption leaves the old file or the new one."""
        part = self.options.out.with_suffix(".part.npz")
        counts = np.array([self.games, self.positions, self.adam.steps])
        np.savez(part, seconds=self.seconds, counts=counts, **self.arrays())
        part.replace(self.options.out)

    def load(self) -> None:
        """Continue with the state of the file. The replay buffer begins empty."""
        with np.load(self.options.out) as file:
            for name, array in self.arrays().items():
                array[...] = file[name]
            self.seconds = float(file["seconds"])
            self.games, self.positions, self.adam.steps = file["counts"].tolist()


def play_match(run: Run, pairs: int) -> plyhouse.Rating:
    """Play against the level: two games from each of `pairs` random openings of two plies."""
    options = run.options
    engine = run.engine(options.match_simulations, seed=options.seed)
    return plyhouse.elo(
        engine, options.game, levels=[options.level], size=options.size, pairs=pairs, plies=2, seed=options.seed
    )


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the options, by default those of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--game", default="loa")
    add("--size", type=int, default=5)
    add("--minutes", type=float, default=24, help="time for training, over all runs with the same file")
    add("--level", type=int, default=5, help="level of Plyhouse to play against")
    add("--every", type=float, default=3, help="minutes of training between two matches")
    add("--pairs", type=int, default=100, help="pairs of games in the last match; earlier matches play a fifth of them")
    add("--out", type=Path, default=Path("alphazero.npz"))
    add("--games", type=int, default=256, help="games in parallel")
    add("--simulations", type=int, default=32, help="simulations of a search in self-play")
    add("--match-simulations", type=int, default=256, help="simulations of a search in matches")
    add("--opening", type=int, default=8, help="maximum number of random plies at the start of a self-play game")
    add("--plies", type=int, default=16, help="plies of each game in a round")
    add("--width", type=int, default=256, help="width of a layer")
    add("--blocks", type=int, default=3, help="number of residual layers")
    add("--sample", type=int, default=512, help="positions of a training step")
    add("--uses", type=float, default=4, help="mean number of times that a position is learned")
    add("--capacity", type=int, default=100_000, help="positions in the replay buffer")
    add("--rate", type=float, default=2e-3, help="first learning rate; it falls to a twentieth")
    add("--seed", type=int, default=1)
    add("--onnx", type=Path, help="also write the network as an ONNX file; needs the package onnx")
    options = parser.parse_args(arguments)
    if options.onnx and importlib.util.find_spec("onnx") is None:
        parser.error("--onnx: the package onnx is not installed")
    return options


def main() -> None:
    """Train until the time is up, then play against the level."""
    options = parse()
    run = Run(options)
    if options.out.exists():
        run.load()
    curve = options.out.with_suffix(".csv")
    if not curve.exists():
        curve.write_text("minutes,games,positions,policy_loss,value_loss,score\n")
    while (minutes := run.seconds / 60) < options.minutes:
        policy_loss, value_loss = run.round()
        run.save()
        row = [f"{run.seconds / 60:.1f}", run.games, run.positions, f"{policy_loss:.3f}", f"{value_loss:.3f}"]
        print("{} min: {} games, {} positions, losses {} and {}".format(*row), flush=True)
        if run.seconds / 60 // options.every > minutes // options.every:
            score = play_match(run, max(1, options.pairs // 5)).results[0].score
            print(f"score against level {options.level}: {score:.2f}", flush=True)
            with curve.open("a", newline="") as file:
                csv.writer(file).writerow([*row, f"{score:.3f}"])
    print(play_match(run, options.pairs), flush=True)
    if options.onnx:
        run.network.save_onnx(options.onnx, run.replay.planes.shape[1:])


if __name__ == "__main__":
    main()
