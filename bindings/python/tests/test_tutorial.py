from __future__ import annotations

import doctest
import importlib.util
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import plyhouse
import pytest

ROOT = pathlib.Path(__file__).parents[1]

#: Modules that a section needs in addition to plyhouse, and a text that identifies the section.
NEEDS = {"pettingzoo": "plyhouse.pettingzoo", "pyspiel": "pyspiel"}


def sections(path: pathlib.Path) -> Iterator[tuple[str, int, str]]:
    """Yield the title, line and examples of each section of a page that has examples."""
    text = path.read_text()
    for section in re.finditer(r"^#+ ([^\n]+)$(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL):
        examples = "\n".join(re.findall(r"```pycon\n(.*?)```", section[2], re.DOTALL))
        if examples:
            yield section[1], text[: section.start()].count("\n") + 1, examples


PAGES = [(page, *section) for page in ("tutorial/tutorial.md", "README.md") for section in sections(ROOT / page)]


@pytest.mark.parametrize(("page", "title", "line", "examples"), PAGES, ids=[f"{page[0]}: {page[1]}" for page in PAGES])
def test_examples_print_what_the_page_says(page: str, title: str, line: int, examples: str) -> None:
    for module, named in NEEDS.items():
        if named in examples and importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    names: dict[str, Any] = {"plyhouse": plyhouse}
    test = doctest.DocTestParser().get_doctest(examples, names, title, page, line)
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert test.examples and not runner.failures, "".join(report)


def test_the_tutorial_has_every_section_and_two_pages() -> None:
    titles = [title for page, title, _, _ in PAGES if page.startswith("tutorial")]
    assert titles == [
        "Positions and moves", "Games", "Engines, analysis, proofs", "Batches", "PettingZoo", "OpenSpiel and Kaggle",
    ]  # fmt: skip
    assert len((ROOT / "tutorial" / "tutorial.md").read_text().splitlines()) < 180
