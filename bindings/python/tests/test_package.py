"""Style rules for the files of the package, which the tests of the workspace do not cover."""

from __future__ import annotations

import pathlib

PACKAGE = pathlib.Path(__file__).parents[1]


def test_files_stay_short() -> None:
    for path in [*PACKAGE.glob("python/**/*.py"), *PACKAGE.glob("tests/*.py")]:
        assert len(path.read_text().splitlines()) <= 500, path
