"""The files of the package: style rules that the workspace does not test, licences, build paths, compiler flags."""

from __future__ import annotations

import importlib.metadata
import pathlib

PACKAGE = pathlib.Path(__file__).parents[1]


def test_files_stay_short() -> None:
    for path in [*PACKAGE.glob("python/**/*.py"), *PACKAGE.glob("tests/*.py")]:
        assert len(path.read_text().splitlines()) <= 500, path


def test_wheel_has_the_notices_of_third_parties() -> None:
    files = importlib.metadata.files("plyhouse") or []
    (notices,) = [file for file in files if file.name == "THIRD-PARTY.txt"]
    for name in ["pyo3", "numpy", "The Rust standard library"]:
        assert f"\n  {name} " in notices.read_text(), name


def test_wheel_does_not_name_the_folder_that_it_was_built_in() -> None:
    # pip adds `direct_url.json`. A release wheel has no such paths in the library either; this may be a debug build.
    files = [file for file in importlib.metadata.files("plyhouse") or [] if file.name != "direct_url.json"]
    texts = [file for file in files if ".dist-info/" in str(file)]
    assert texts
    for file in texts:
        assert str(PACKAGE.parents[1]) not in file.read_text(), file


def test_source_distribution_has_the_compiler_flags_of_the_workspace() -> None:
    # Without them, moves are generated half as fast.
    lines = (PACKAGE.parents[1] / ".cargo" / "config.toml").read_text().splitlines()
    table, flags = [line for line in lines if not line.startswith("#")]
    assert f"{table.strip('[]')}.{flags}" in (PACKAGE / "pyproject.toml").read_text()
