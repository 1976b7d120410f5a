from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mypy")


def test_the_stubs_say_what_the_module_has() -> None:
    settings = pathlib.Path(__file__).parents[1] / "pyproject.toml"
    command = [sys.executable, "-m", "mypy.stubtest", "plyhouse._plyhouse", "--mypy-config-file", str(settings)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
