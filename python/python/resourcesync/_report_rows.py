"""Reports as rows of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ._report import Report

_FINDINGS = ("source", "document", "code", "rule", "severity", "message", "help", "line", "column", "entry", "uri", "fingerprint")
_REPORTS = ("source", "document", "verdict", "errors", "warnings", "infos", "entries", "bytes", "report")
_DOCUMENTS = ("source", "document", "kind", "via", "parent", "entries", "bytes", "at", "completed", "from", "until", "verdict", "problem")
#: The columns of each table.
COLUMNS: Mapping[str, tuple[str, ...]] = {"documents": _DOCUMENTS, "findings": _FINDINGS, "reports": _REPORTS}
#: The codes and families of findings that end the reading of their document; INP-05 and INP-06 are of the documents that it links to.
_ENDS = ("INP-01", "INP-02", "INP-03", "INP-04", "GEN-01", "GEN-22", "LIM-", "PKG-08")


def document_rows(source: str, report: Report) -> Iterator[tuple[Any, ...]]:
    """A row for each document that was found; one that was not read to its end has a problem."""
    names = [each.uri or each.name for each in report.inputs]
    problems: dict[int, str] = {}
    for found in report.diagnostics:
        if found.code.startswith(_ENDS):
            problems.setdefault(found.input, f"[{found.code}] {found.message}")
    for name, each in zip(names, report.inputs):
        times = each.times or {}
        moments = (times.get("at"), times.get("completed"), times.get("from"), times.get("until"))
        parent = None if each.parent is None else names[each.parent]
        yield (source, name, each.kind, each.via, parent, each.entries, each.bytes, *moments, each.verdict, each.reason or problems.get(each.id))


def finding_rows(source: str, document: str, report: Report) -> Iterator[tuple[Any, ...]]:
    """A row for each finding."""
    for found in report.diagnostics:
        place, entry = found.span, found.entry
        line, column = (place.start.line, place.start.column) if place else (None, None)
        number, uri = (entry.index, entry.loc) if entry else (None, None)
        yield (source, document, found.code, found.rule, found.severity, found.message, found.help, line, column, number, uri, found.fingerprint)


def report_rows(source: str, document: str, report: Report) -> Iterator[tuple[Any, ...]]:
    """One row with the report."""
    counts = report.summary
    numbers = (counts.errors, counts.warnings, counts.infos, counts.entries, counts.bytes)
    yield (source, document, report.verdict, *numbers, report.to_json().decode())
