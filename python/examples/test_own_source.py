"""Validates your Source with pytest: ``SOURCE=http://127.0.0.1:5000/ pytest test_own_source.py``.

Each document of the Source becomes a test, so that the summary names the invalid ones.
"""

from __future__ import annotations

import os

import pytest
import resourcesync as rs

SOURCE = os.environ.get("SOURCE", "")
REPORT = rs.crawl(SOURCE, documents=500) if SOURCE else None


@pytest.mark.skipif(REPORT is None, reason="SOURCE is not set")
@pytest.mark.parametrize("document", REPORT.inputs if REPORT else (), ids=lambda document: document.name)
def test_a_document_of_the_source_has_no_error(document: rs.Input) -> None:
    assert REPORT is not None
    found = [str(each) for each in REPORT if each.input == document.id and each.severity == "error"]
    assert not found, "\n".join(found)


@pytest.mark.skipif(REPORT is None, reason="SOURCE is not set")
def test_the_source_says_what_it_holds() -> None:
    assert REPORT is not None
    assert sum(each.resources for each in REPORT.sets) > 0, REPORT.to_text()
