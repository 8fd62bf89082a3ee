"""A fixture for pytest, installed with the package: ``check_resourcesync`` validates what a test produced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from ._report import Report
    from ._sources import ByteSource


class CheckResourceSync(Protocol):
    """The fixture: validates a source and fails the test unless it is valid. The options are those of :func:`resourcesync.validate`."""

    def __call__(self, source: ByteSource, **options: Any) -> Report:
        """The report, if the source is valid."""
        ...


@pytest.fixture
def check_resourcesync() -> CheckResourceSync:
    """Validates a document, package or folder, and fails the test with the findings unless it is valid."""
    from . import validate

    def check(source: ByteSource, **options: Any) -> Report:
        __tracebackhide__ = True
        report = validate(source, **options)
        if not report.is_valid:
            pytest.fail(report.to_text(), pytrace=False)
        return report

    return check
