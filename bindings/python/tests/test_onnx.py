"""Engines whose evaluator is an ONNX file."""

from __future__ import annotations

import copy
import os
import pathlib
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import plyhouse
import pytest
from conftest import BOARDS
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper, save_model

Floats = NDArray[np.float32]
VIEW: dict[str, Any] = {"actions": "compact", "perspective": "mover"}
FILTERS = 3


class Net:
    """A network as a function of NumPy and as an ONNX model.

    The weights of an exact network are small multiples of a power of two, so its results have no rounding errors. Both
    forms therefore return the same numbers on every machine.
    """

    def __init__(self, batch: plyhouse.Batch, exact: bool = True) -> None:
        rng = np.random.default_rng(7)
        self.shape, self.actions = np.shape(batch.observations)[1:], batch.num_actions
        area = FILTERS * batch.size**2

        def weight(*shape: int, unit: float) -> Floats:
            if exact:
                return (rng.integers(-8, 9, shape) * unit).astype(np.float32)
            return rng.normal(size=shape).astype(np.float32)

        self.weights = {
            "filters": weight(FILTERS, self.shape[0], 3, 3, unit=2**-5),
            "policy": weight(area, self.actions, unit=2**-6),
            "value": weight(area, 1, unit=2**-10),
        }

    def outputs(self, planes: Floats) -> tuple[Floats, Floats]:
        """Return the logits, and the values before they are limited."""
        padded = np.pad(planes, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
        hidden = np.maximum(np.einsum("npxyij,fpij->nfxy", windows, self.weights["filters"]), 0).reshape(
            len(planes), -1
        )
        return hidden @ self.weights["policy"], (hidden @ self.weights["value"])[:, 0]

    def __call__(self, planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Floats, Floats]:
        logits, values = self.outputs(planes)
        return logits, np.clip(values, -1, 1)

    def model(self, last: str = "Clip", **changed: list[int | str]) -> ModelProto:
        """Return the model, with other declared shapes."""
        nodes = [
            helper.make_node("Conv", ["planes", "filters"], ["filtered"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            helper.make_node("Relu", ["filtered"], ["positive"]),
            helper.make_node("Flatten", ["positive"], ["hidden"]),
            helper.make_node("MatMul", ["hidden", "policy"], ["logits"]),
            helper.make_node("MatMul", ["hidden", "value"], ["unlimited"]),
            helper.make_node(last, ["unlimited", "low", "high"][: 3 if last == "Clip" else 1], ["values"]),
        ]
        constants = {**self.weights, "low": np.float32(-1), "high": np.float32(1)}
        shapes: dict[str, list[int | str]] = {"planes": ["n", *self.shape], "logits": ["n", self.actions]}
        shapes = {**shapes, "values": ["n", 1], **changed}
        described = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
        initial = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
        graph = helper.make_graph(nodes, "net", described[:1], described[1:], initial)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def save(self, path: pathlib.Path, **options: object) -> pathlib.Path:
        path.write_bytes(self.model(**options).SerializeToString())
        return path


def arrays(chosen: tuple[Any, Any, tuple[Any, Any, Any]]) -> list[bytes]:
    """Return the bytes of all arrays of a choice."""
    return [array.tobytes() for array in (*chosen[:2], *chosen[2])]


@pytest.fixture
def small(tmp_path: pathlib.Path) -> tuple[Net, pathlib.Path]:
    """Return a network for Lines of Action on 5x5, and its file."""
    net = Net(plyhouse.Batch("loa", 1, size=5, **VIEW))
    return net, net.save(tmp_path / "net.onnx")


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("options", [VIEW, {**VIEW, "history": 2, "turn_plane": True}, {"perspective": "mover"}])
def test_a_file_plays_as_the_same_function(
    name: str, size: int, options: dict[str, Any], tmp_path: pathlib.Path
) -> None:
    if name == "loa" and "actions" not in options:
        size = min(size, 5)
    batch = plyhouse.Batch(name, 7, size=size, seed=2, auto_reset=False, **options)
    for _ in range(5):
        batch.step(batch.sample())
    net = Net(batch)
    named: dict[str, Any] = {"size": size, "nodes": 40, "leaves": 5, "seed": 3, "root": "puct", "lines": 3, **options}
    of_function = plyhouse.Engine(name, evaluator=net, **named)
    of_file = plyhouse.Engine(name, evaluator=net.save(tmp_path / "net.onnx"), **named)
    assert arrays(of_file.choose_batch(batch)) == arrays(of_function.choose_batch(batch))
    start = plyhouse.Game(name, size=size)
    assert of_file.choose(start) == of_function.choose(start)


def test_threads_do_not_change_results(tmp_path: pathlib.Path) -> None:
    results = []
    # Runs of the model have up to 32 positions. The last run of the first round has one.
    for threads in (1, 2, 5):
        batch = plyhouse.Batch("loa", 97, size=7, seed=1, threads=threads, **VIEW)
        path = Net(batch, exact=False).save(tmp_path / "net.onnx", last="Tanh")
        engine = plyhouse.Engine("loa", size=7, evaluator=path, nodes=6, leaves=2, gumbel_noise=1.0, seed=1, **VIEW)
        results.append(arrays(engine.choose_batch(batch)))
    assert results[0] == results[1] == results[2]


def test_values_are_those_of_the_network(tmp_path: pathlib.Path) -> None:
    batch = plyhouse.Batch("loa", 300, size=5, seed=1, auto_reset=False, **VIEW)
    for _ in range(6):
        batch.step(batch.sample())
    net = Net(batch, exact=False)

    def tanh(planes: Floats, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> tuple[Floats, Floats]:
        logits, values = net.outputs(planes)
        return logits, np.tanh(values)

    # Many of the values are so large that their hyperbolic tangent is rounded to -1 or 1.
    evaluators = tanh, net.save(tmp_path / "net.onnx", last="Tanh")
    ours, theirs = (
        plyhouse.Engine("loa", size=5, evaluator=evaluator, nodes=1, **VIEW).choose_batch(batch)[1]
        for evaluator in evaluators
    )
    assert np.abs(ours - theirs).max() < 1e-5 and len(set(theirs.tolist())) > 50


def test_other_names_and_undeclared_shapes(small: tuple[Net, pathlib.Path], tmp_path: pathlib.Path) -> None:
    net, path = small
    model = net.model()
    model.graph.node.append(helper.make_node("Squeeze", ["values", "axes"], ["expectation"]))
    model.graph.initializer.append(numpy_helper.from_array(np.array([1]), "axes"))
    model.graph.output[1].name = "expectation"
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.ClearField("shape")
    other = tmp_path / "other.onnx"
    other.write_bytes(model.SerializeToString())
    start = plyhouse.Position("loa", size=5)
    for evaluator in (other, str(other)):
        engine = plyhouse.Engine("loa", size=5, evaluator=evaluator, nodes=20, seed=1, **VIEW)
        assert engine.choose(start) == plyhouse.Engine("loa", size=5, evaluator=path, nodes=20, seed=1, **VIEW).choose(
            start
        )


def test_weights_may_be_in_a_file_of_their_own(small: tuple[Net, pathlib.Path], tmp_path: pathlib.Path) -> None:
    net, path = small
    expected = plyhouse.Engine("loa", size=5, evaluator=path, nodes=20, seed=1, **VIEW)
    other = tmp_path / "other.onnx"
    save_model(net.model(), other, save_as_external_data=True, location="other.data", size_threshold=0)
    engine = plyhouse.Engine("loa", size=5, evaluator=other, nodes=20, seed=1, **VIEW)
    start = plyhouse.Position("loa", size=5)
    assert engine.choose(start) == expected.choose(start)
    (tmp_path / "other.data").unlink()
    with pytest.raises(ValueError, match=r"other\.onnx"):
        plyhouse.Engine("loa", size=5, evaluator=other, **VIEW)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"planes": [1, 2, 5, 5]}, "planes of shape [1, 2, 5, 5]: expected [N, 3, 5, 5] for any number N"),
        ({"planes": [1, 3, 5, 5]}, "planes of shape [1, 3, 5, 5]: expected [N, 3, 5, 5] for any number N"),
        ({"planes": ["n", 3, 8, "width"]}, "planes of shape [?, 3, 8, ?]: expected [N, 3, 5, 5]"),
        ({"planes": []}, "planes of shape []: expected [N, 3, 5, 5]"),
        ({"logits": ["n", 7]}, "logits of shape [?, 7]: expected [N, 200]"),
        ({"logits": ["n", 1], "values": ["n", 200]}, "logits of shape [?, 1]: expected [N, 200]"),
        ({"values": ["n", 2]}, "values of shape [?, 2]: expected [N] or [N, 1]"),
    ],
)
def test_wrong_declared_shapes_are_named(
    small: tuple[Net, pathlib.Path], tmp_path: pathlib.Path, changed: dict[str, Any], text: str
) -> None:
    path = small[0].save(tmp_path / "wrong.onnx", **changed)
    with pytest.raises(ValueError, match=re.escape(f'evaluator "{path}": {text}')):
        plyhouse.Engine("loa", size=5, evaluator=path, **VIEW)


def test_other_options_need_another_network(small: tuple[Net, pathlib.Path]) -> None:
    with pytest.raises(ValueError, match=re.escape("expected [N, 6, 5, 5]")):
        plyhouse.Engine("loa", size=5, evaluator=small[1], history=1, **VIEW)
    with pytest.raises(ValueError, match=re.escape("logits of shape [?, 200]: expected [N, 1250]")):
        plyhouse.Engine("loa", size=5, evaluator=small[1], perspective="mover")


@pytest.mark.parametrize(
    ("last", "inputs", "text"),
    [
        ("Identity", ["logits"], "values of shape [1, 200]: expected [N] or [N, 1]"),
        ("ReduceMean", ["unlimited"], "values of shape [1, 1, 1]: expected [N] or [N, 1]"),
        ("Shape", ["logits"], "values: tensor(i32) found, expected tensor(f32)"),
        ("Exp", ["high"], "values of shape []: expected [N] or [N, 1]"),
        ("MatMul", ["logits", "logits"], "operator"),
    ],
)
def test_wrong_results_are_named(
    small: tuple[Net, pathlib.Path], tmp_path: pathlib.Path, last: str, inputs: list[str], text: str
) -> None:
    model = small[0].model()
    node = model.graph.node[-1]
    del node.input[:]
    node.op_type = last
    node.input.extend(inputs)
    if last == "ReduceMean":
        model.graph.node.append(helper.make_node("Unsqueeze", ["means", "axes"], ["values"]))
        model.graph.initializer.append(numpy_helper.from_array(np.array([0]), "axes"))
        node.output[0] = "means"
    model.graph.output[1].type.tensor_type.ClearField("shape")
    path = tmp_path / "wrong.onnx"
    path.write_bytes(model.SerializeToString())
    engine = plyhouse.Engine("loa", size=5, evaluator=path, **VIEW)
    for _ in range(2):
        with pytest.raises(ValueError, match=re.escape(f'evaluator "{path}": ') + ".*" + re.escape(text)):
            engine.choose(plyhouse.Position("loa", size=5))


def test_numbers_out_of_range_are_named(tmp_path: pathlib.Path) -> None:
    net = Net(plyhouse.Batch("loa", 1, size=5, **VIEW), exact=False)
    net.weights["value"] = np.abs(net.weights["value"]) * 1000
    path = net.save(tmp_path / "net.onnx", last="Identity")
    engine = plyhouse.Engine("loa", size=5, evaluator=path, **VIEW)
    start = "^" + re.escape(f'evaluator "{path}": ')
    with pytest.raises(ValueError, match=start + r"values: \S+ for the position 0: expected -1 to 1$"):
        engine.choose(plyhouse.Position("loa", size=5))
    net.weights["policy"][:] = np.nan
    engine = plyhouse.Engine("loa", size=5, evaluator=net.save(path), **VIEW)
    with pytest.raises(ValueError, match=start + "logits: NaN for a legal action found, .*, for the position 0$"):
        engine.choose(plyhouse.Position("loa", size=5))


def test_other_files_are_refused(small: tuple[Net, pathlib.Path], tmp_path: pathlib.Path) -> None:
    def engine(evaluator: str | bytes | pathlib.Path) -> plyhouse.Engine:
        return plyhouse.Engine("loa", size=5, evaluator=evaluator, **VIEW)

    with pytest.raises(FileNotFoundError, match=re.escape(f'evaluator "{tmp_path / "none.onnx"}"')):
        engine(tmp_path / "none.onnx")
    with pytest.raises(ValueError, match=r"expected a name that ends in \.onnx"):
        engine(small[1].rename(tmp_path / "net.pt"))
    folder, pipe = tmp_path / "folder.onnx", tmp_path / "pipe.onnx"
    folder.mkdir()
    others = [folder]
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        others.append(pipe)
    for other in others:
        with pytest.raises(ValueError, match="^" + re.escape(f'evaluator "{other}": not a regular file') + "$"):
            engine(other)
    with pytest.raises(TypeError, match="expected a function or the path of an ONNX file"):
        engine(b"net.onnx")
    file = tmp_path / "file.onnx"
    file.write_bytes(b"")
    with pytest.raises(ValueError, match="0 inputs and 0 outputs: expected one input, planes, and two outputs"):
        engine(file)
    model = small[0].model()
    model.graph.node[1].op_type = "Levitate"
    file.write_bytes(model.SerializeToString())
    with pytest.raises(ValueError, match=r"file.onnx.*expected an ONNX network: .*Levitate"):
        engine(file)


def test_damaged_files_are_refused(tmp_path: pathlib.Path) -> None:
    net = Net(plyhouse.Batch("jump61", 1, size=2))
    data = net.model().SerializeToString()
    rng = np.random.default_rng(3)
    damaged = [data[:length] for length in range(0, len(data), 23)]
    for _ in range(300):
        changed = bytearray(data)
        for place in rng.integers(len(data), size=rng.integers(1, 4)):
            changed[place] = rng.integers(256)
        damaged.append(bytes(changed))
    damaged.extend(rng.bytes(200) for _ in range(50))
    path, refused = tmp_path / "net.onnx", 0
    for content in damaged:
        path.write_bytes(content)
        try:
            plyhouse.Engine("jump61", size=2, evaluator=path, nodes=2).choose(plyhouse.Position("jump61", size=2))
        except (ValueError, OSError):
            refused += 1
    assert refused > len(damaged) / 4


def test_copies_read_the_file_again(small: tuple[Net, pathlib.Path]) -> None:
    _, path = small
    engine = plyhouse.Engine("loa", size=5, evaluator=path, nodes=20, gumbel_noise=1.0, seed=3, **VIEW)
    batch = plyhouse.Batch("loa", 8, size=5, **VIEW)
    expected = arrays(engine.choose_batch(batch))
    assert engine.evaluator is path
    pickled = pickle.dumps(engine)
    for same in (copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickled)):
        assert same.evaluator == path
        assert arrays(same.choose_batch(batch)) == expected
    path.unlink()
    assert arrays(engine.choose_batch(batch)) == expected
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)


FORK = """
import os, signal, threading, warnings, plyhouse
warnings.simplefilter("ignore")  # Python warns of forks in programs with threads.
signal.alarm(50)
view = {"size": 5, "actions": "compact", "perspective": "mover", "seed": 1}
start, batch = plyhouse.Position("loa", size=5), plyhouse.Batch("loa", 40, threads=2, **view)
view["evaluator"] = PATH
engine, endless = plyhouse.Engine("loa", nodes=8, **view), plyhouse.Engine("loa", nodes=10**15, **view)
expected = engine.choose(start), [array.tolist() for array in engine.choose_batch(batch)[:2]]
threading.Thread(target=lambda: endless.choose(start), daemon=True).start()
for _ in range(4):
    child = os.fork()
    if child == 0:
        signal.alarm(40)
        for again in (engine, plyhouse.Engine("loa", nodes=8, **view)):
            found = again.choose(start), [array.tolist() for array in again.choose_batch(batch)[:2]]
            assert found == expected
        os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
os.unlink(PATH)
child = os.fork()
if child == 0:
    signal.alarm(40)
    try:
        engine.choose(start)
    except FileNotFoundError:
        os._exit(4)
    os._exit(5)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4
assert engine.choose(start) == expected[0]
print("done", flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_children_of_a_fork_load_the_file_again(small: tuple[Net, pathlib.Path]) -> None:
    program = FORK.replace("PATH", repr(str(small[1])))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "done", done.stderr
