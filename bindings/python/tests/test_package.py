"""Rules of the house for the Cargo package, which the workspace's own tests do not see."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess

import plyhouse
import pytest

PACKAGE = pathlib.Path(__file__).parents[1]
WORKSPACE = PACKAGE.parents[1]

PERMISSIVE = {
    "MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC",
    "Unicode-3.0", "Unlicense", "Zlib",
}  # fmt: skip


def table(path: pathlib.Path, heading: str) -> list[str]:
    """The lines of a table of a TOML file, without comments."""
    lines = path.read_text().partition(f"\n[{heading}]\n")[2].partition("\n[")[0].splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def test_the_version_is_that_of_the_workspace() -> None:
    versions = [line for line in table(WORKSPACE / "Cargo.toml", "workspace.package") if line.startswith("version")]
    assert versions == [f'version = "{plyhouse.__version__}"']


def test_the_lints_are_those_of_the_workspace() -> None:
    assert table(PACKAGE / "Cargo.toml", "lints.rust") == table(WORKSPACE / "Cargo.toml", "workspace.lints.rust")
    added = {"needless_pass_by_value"}
    ours = [line for line in table(PACKAGE / "Cargo.toml", "lints.clippy") if line.split()[0] not in added]
    assert ours == table(WORKSPACE / "Cargo.toml", "workspace.lints.clippy")


@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not on the path")
def test_licences_are_permissive() -> None:
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=True)
    packages = json.loads(done.stdout)["packages"]
    assert len(packages) > 20
    for package in packages:
        expression = package["license"].replace("/", " OR ").replace("(", "").replace(")", "")
        for part in expression.split(" AND "):
            choices = {choice.strip() for choice in part.split(" OR ")}
            assert choices & PERMISSIVE, f"{package['name']} has the licence {package['license']}"


def test_files_stay_short() -> None:
    for path in [*PACKAGE.glob("src/**/*.rs"), *PACKAGE.glob("python/**/*.py"), *PACKAGE.glob("tests/*.py")]:
        assert len(path.read_text().splitlines()) <= 500, path


def test_nothing_is_unsafe() -> None:
    for path in PACKAGE.glob("src/**/*.rs"):
        code = re.sub(r"//.*", "", path.read_text())
        assert not re.search(r"\bunsafe\b", code), path
