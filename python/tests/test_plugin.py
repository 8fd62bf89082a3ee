"""The fixture for pytest that comes with the package."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import BROKEN, LIST
from resourcesync.pytest_plugin import CheckResourceSync

pytest_plugins = ["pytester"]


def test_what_is_valid_passes(check_resourcesync: CheckResourceSync, tmp_path: Path) -> None:
    assert check_resourcesync(LIST, expect="resource-list").is_valid
    (tmp_path / "list.xml").write_bytes(LIST)
    assert check_resourcesync(tmp_path).summary.entries == 2


def test_what_is_not_fails_with_the_findings(pytester: pytest.Pytester) -> None:
    (pytester.path / "broken.xml").write_bytes(BROKEN)
    pytester.makepyfile("def test_own(check_resourcesync):\n    check_resourcesync('broken.xml')\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*RL-03*"])
