"""The files of the package: style rules that the workspace does not test, and the licences in the wheel."""

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
