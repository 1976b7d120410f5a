"""Documentation at run time, and the types of the package."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import plyhouse
import pytest

#: The modules of the package, and a module that each one needs.
MODULES = {
    "plyhouse": "numpy", "plyhouse.gymnasium": "gymnasium", "plyhouse.kaggle": "numpy",
    "plyhouse.openspiel": "pyspiel", "plyhouse.pettingzoo": "pettingzoo", "plyhouse.pgx": "numpy",
}  # fmt: skip


def members(module: str) -> Iterator[tuple[str, object]]:
    """Yield the public classes and functions of a module, and the methods and properties that its classes define."""
    loaded = importlib.import_module(module)
    yield module, loaded
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if not (inspect.isclass(value) or callable(value)):
            continue
        yield f"{module}.{name}", value
        for attribute, member in vars(value).items() if inspect.isclass(value) else ():
            if not attribute.startswith("_") and (callable(member) or inspect.isdatadescriptor(member)):
                yield f"{module}.{name}.{attribute}", member


@pytest.mark.parametrize("module", MODULES)
def test_every_public_member_has_a_docstring(module: str) -> None:
    if importlib.util.find_spec(MODULES[module]) is None:
        pytest.skip(f"{MODULES[module]} is not installed")
    found = dict(members(module))
    missing = [name for name, member in found.items() if not (getattr(member, "__doc__", None) or "").strip()]
    assert not missing
    if module == "plyhouse":
        assert len(found) > 100 and "plyhouse.Game.play" in found and "plyhouse.Score.win_in" in found


def test_the_stub_has_the_docstrings_of_the_module() -> None:
    """Compare them word by word, because they are wrapped at different columns."""
    stub = (pathlib.Path(plyhouse.__file__).parent / "_plyhouse.pyi").read_text(encoding="utf-8")
    documented, differing = 0, []

    def compare(body: list[ast.stmt], holder: object) -> None:
        nonlocal documented
        for node in body:
            # Types that only the stub has are not in the module.
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name not in vars(holder):
                continue
            member = vars(holder)[node.name]
            # The stub has no docstrings for private names and special methods. `help` shows the docstring of a class,
            # but not that of its `__new__`.
            runtime = "" if node.name.startswith("_") else member.__doc__
            if (ast.get_docstring(node) or "").split() != (runtime or "").split():
                differing.append(f"{getattr(holder, '__name__', '')}.{node.name}")
            documented += bool(runtime)
            if isinstance(node, ast.ClassDef):
                compare(node.body, member)

    compare(ast.parse(stub).body, importlib.import_module("plyhouse._plyhouse"))
    assert not differing and documented > 100


def test_help_describes_the_options() -> None:
    for value, names in [
        (plyhouse.Game, ["rules", "repetitions", "move_limit", "start", "mso", "openspiel"]),
        (plyhouse.Engine, ["level", "nodes", "book", "build", "docs/engine.md", "leaves", "gumbel_noise"]),
        (plyhouse.Batch, ["start", "auto_reset", "actions", "history", "perspective", "threads"]),
        (plyhouse.Position, ["b1-d3", "G6-F5", "2:3"]),
    ]:
        text = inspect.getdoc(value) or ""
        assert [name for name in names if f"`{name}" not in text and f'`"{name}' not in text] == []


def test_signatures_can_be_read() -> None:
    assert "seed=None" in str(inspect.signature(plyhouse.Engine))
    for name in ("analyse", "prove", "read_sgf", "about"):
        assert inspect.signature(getattr(plyhouse, name)).parameters


def test_the_types_of_the_package_are_complete(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pyright")
    pytest.importorskip("pettingzoo")
    # Pyright searches for packages beside the first Python in the path.
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")])

    def pyright(*words: str) -> subprocess.CompletedProcess[str]:
        command, environment = [sys.executable, "-m", "pyright", *words], {**os.environ, "PATH": path}
        return subprocess.run(
            command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path, env=environment
        )

    # The first run downloads the program.
    if pyright("--version").returncode != 0:
        pytest.skip("pyright cannot be downloaded")
    done = pyright("--verifytypes", "plyhouse", "--ignoreexternal")
    assert "Type completeness score: 100%" in done.stdout, done.stdout
