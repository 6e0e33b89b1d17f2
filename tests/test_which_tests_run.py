"""Which tests run: whole programs only where their file, all tests, or their marker is named."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from .conftest import pytest_collection_modifyitems as choose

TESTS = Path(__file__).resolve().parent
FILE = TESTS / "docs/test_site.py"


def chosen(words, expression="not trainers"):
    """The tests of a whole and of an ordinary kind that stay when these words are the arguments of pytest."""
    dropped = []

    def deselected(items):
        dropped.extend(items)

    items = [
        SimpleNamespace(path=path, get_closest_marker={"whole": whole}.get)
        for path, whole in ((FILE, True), (TESTS / "docs/test_links.py", None))
    ]
    both = list(items)
    option, hook = SimpleNamespace(markexpr=expression), SimpleNamespace(pytest_deselected=deselected)
    choose(SimpleNamespace(args=words, option=option, hook=hook), items)
    assert [item for item in both if item not in dropped] == items
    return [item.path.stem for item in items]


@pytest.mark.parametrize(
    ("words", "has_both"),
    [
        (["docs"], False),
        (["docs/test_links.py"], False),
        (["docs/../docs"], False),
        ([""], True),
        ([".."], True),
        (["docs/test_site.py"], True),
        (["docs/test_site.py::test_a"], True),
        (["docs", "docs/test_site.py"], True),
        (["docs", ""], True),
    ],
)
def test_only_a_file_or_all_tests_have_whole_programs(words, has_both):
    assert chosen([f"{TESTS}/{word}" for word in words]) == ["test_site"] * has_both + ["test_links"]


def test_the_marker_by_its_name_is_left_to_pytest():
    assert chosen([str(TESTS / "docs")], "whole") == ["test_site", "test_links"]
