"""The report: what a run found, with every part typed.

The shapes are those of docs/report.schema.json; a part that the report does not have is ``None`` here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

from . import _core
from ._errors import ConfigError, InvalidReportError

Severity = Literal["error", "warning", "info"]
Verdict = Literal["valid", "undetermined", "invalid"]
Status = Literal["completed", "stopped", "failed"]
Lang = Literal["en", "ja"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tool:
    """Who made the report."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Run:
    """How the run ended, and what stopped it where it did not complete."""

    status: Status
    profile: str
    stopped_by: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Exact counts of a run."""

    errors: int
    warnings: int
    infos: int
    suppressed: int
    stored: int
    inputs: int
    entries: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Input:
    """One input: what it is called, how it came to be looked at, what became of it; ``reason`` says why it was not looked at,
    ``closed`` is a digest of a document that must not change any more."""

    id: int
    name: str
    via: str
    kind: str
    entries: int
    bytes: int
    verdict: Verdict
    parent: int | None = None
    uri: str | None = None
    reason: str | None = None
    closed: str | None = None


@dataclass(frozen=True, slots=True)
class SetSummary:
    """What a set of resources consists of, where a whole Source was followed; ``input`` is its Capability List."""

    input: int
    documents: Mapping[str, int]
    resources: int
    changes: int
    bytes: int
    resources_read: int
    newest_change: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of a folder that was passed over, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Group:
    """How often one code was found in one input, and how many of these are among the diagnostics."""

    code: str
    severity: Severity
    input: int
    count: int
    stored: int


@dataclass(frozen=True, slots=True)
class Point:
    """A line and a column, both from 1; columns count characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document: its offset and length in bytes of UTF-8, its start, and the place just after it."""

    offset: int
    length: int
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Place:
    """The entry a finding is in: its number from 1, and what it lists."""

    index: int
    loc: str | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The line around a finding, cut to 240 bytes; ``highlight`` says from and up to which character the finding reaches."""

    text: str
    line: int
    column: int
    highlight: tuple[int, int]
    cut_left: bool
    cut_right: bool


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another place that explains a finding, and the part it plays."""

    role: str
    input: int
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    ``code`` is the id of the requirement; ``level``, ``derived`` and ``section`` are absent beyond the standard; ``span`` is absent
    only where there is no text to point at. ``fingerprint`` stays the same for the same fault when lines have moved.
    """

    code: str
    rule: str
    severity: Severity
    message: str
    args: Mapping[str, int | str]
    help: str
    input: int
    related: tuple[Elsewhere, ...]
    fingerprint: str
    level: str | None = None
    derived: bool | None = None
    section: str | None = None
    span: Span | None = None
    path: str | None = None
    entry: Place | None = None
    excerpt: Excerpt | None = None

    def __str__(self) -> str:
        place = f"{self.span.start.line}:{self.span.start.column}: " if self.span else ""
        return f"{place}{self.severity}[{self.code}] {self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Parts:
    """Everything in a report but the finding's text formats."""

    tool: Tool
    run: Run
    verdict: Verdict
    summary: Summary
    inputs: tuple[Input, ...]
    sets: tuple[SetSummary, ...]
    skipped: tuple[Skipped, ...]
    groups: tuple[Group, ...]
    diagnostics: tuple[Diagnostic, ...]


class Report:
    """What a run found.

    It is the bytes of its JSON, the same that the command writes; everything else is made of them when it is asked for.

    >>> report = resourcesync.validate(b"<urlset>", name="list.xml")
    >>> report.verdict, report.summary.errors
    ('invalid', 2)
    >>> print(report.diagnostics[0])
    1:1: error[GEN-03] wrong-namespace: the namespace of `urlset` is (empty), not `http://www.sitemaps.org/schemas/sitemap/0.9`
    """

    __slots__ = ("_json", "_lang", "_made")

    def __init__(self, json: bytes, *, lang: Lang = "en") -> None:
        """Reads a report that was written as JSON; raises :class:`ConfigError` if it is none of this version."""
        self._json = bytes(json)
        self._lang: Lang = lang
        self._made: _Parts | None = None
        head = _loads(self._json)
        if head.get("format") != "resourcesync-report" or head.get("formatVersion") != 1:
            raise ConfigError("not a report of version 1")

    @classmethod
    def _of(cls, json: bytes, lang: Lang) -> Report:
        """A report that was just made, which nothing has to be looked at in."""
        report = cls.__new__(cls)
        report._json = json
        report._lang = lang
        report._made = None
        return report

    @property
    def _parts(self) -> _Parts:
        if self._made is None:
            self._made = _parts(_loads(self._json))
        return self._made

    @property
    def tool(self) -> Tool:
        """Who made the report."""
        return self._parts.tool

    @property
    def run(self) -> Run:
        """How the run ended."""
        return self._parts.run

    @property
    def verdict(self) -> Verdict:
        """``valid``, ``invalid``, or ``undetermined`` where something given could not be checked."""
        return self._parts.verdict

    @property
    def summary(self) -> Summary:
        """Exact counts."""
        return self._parts.summary

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What was looked at."""
        return self._parts.inputs

    @property
    def sets(self) -> tuple[SetSummary, ...]:
        """What each set of resources consists of, where a whole Source was followed."""
        return self._parts.sets

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was found in a folder and passed over."""
        return self._parts.skipped

    @property
    def groups(self) -> tuple[Group, ...]:
        """Exact counts by code, severity and input."""
        return self._parts.groups

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings that were stored."""
        return self._parts.diagnostics

    @property
    def is_valid(self) -> bool:
        """True if everything was checked and there is no error."""
        return self.verdict == "valid"

    def raise_for_errors(self) -> None:
        """Raises :class:`InvalidReportError` unless the verdict is ``valid``."""
        if not self.is_valid:
            raise InvalidReportError(self)

    def to_json(self) -> bytes:
        """The report as JSON: the same bytes as ``resourcesync validate --format json``."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, as its JSON has them."""
        return _loads(self._json)

    def to_text(self, *, lang: Lang | None = None, color: bool = False, max_per_rule: int = 5) -> str:
        """For people at a terminal; ``max_per_rule=0`` shows all findings."""
        return self._render("text", lang, color=color, max_per_rule=max_per_rule)

    def to_markdown(self, *, lang: Lang | None = None, max_per_rule: int = 5) -> str:
        """For a job summary or a comment."""
        return self._render("markdown", lang, max_per_rule=max_per_rule)

    def to_html(self, *, lang: Lang | None = None) -> str:
        """One page that needs nothing else."""
        return self._render("html", lang)

    def to_sarif(self) -> str:
        """SARIF 2.1.0, for code scanning."""
        return self._render("sarif", "en")

    def to_junit(self) -> str:
        """JUnit XML, for test reports."""
        return self._render("junit", "en")

    def to_github(self) -> str:
        """Workflow commands of GitHub Actions."""
        return self._render("github", "en")

    def to_ndjson(self) -> str:
        """The parts of the report, one JSON object a line."""
        return self._render("ndjson", "en")

    def to_csv(self) -> str:
        """One finding a line, for spreadsheets."""
        return self._render("csv", "en")

    def _render(self, format: str, lang: Lang | None, *, color: bool = False, max_per_rule: int = 5) -> str:
        try:
            return _core.render(self._json, format, lang=lang or self._lang, color=color, max_per_rule=max_per_rule)
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        summary = self.summary
        return f"<resourcesync.Report {self.verdict}: {summary.errors} errors, {summary.warnings} warnings>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Report._of, (self._json, self._lang)


def diagnostic(json: str) -> Diagnostic:
    """A finding of its JSON."""
    return _diagnostic(_loads(json))


def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Findings of their JSON."""
    return tuple(_diagnostic(each) for each in json.loads(text))


def _loads(text: bytes | str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"not a report: {error}") from None
    if not isinstance(value, dict):
        raise ConfigError("not a report")
    return cast("dict[str, Any]", value)


#: Fields that the JSON calls otherwise.
_CAMEL = {
    "stopped_by": "stoppedBy",
    "cut_left": "cutLeft",
    "cut_right": "cutRight",
    "resources_read": "resourcesRead",
    "newest_change": "newestChange",
}


def _make(cls: Callable[..., T], value: dict[str, Any], **made: Any) -> T:
    """A part of the report. Later versions may say more, which is passed over."""
    known: Iterable[str] = getattr(cls, "__dataclass_fields__")
    named = ((name, _CAMEL.get(name, name)) for name in known if name not in made)
    return cls(**{name: value[key] for name, key in named if key in value}, **made)


def _each(cls: Callable[..., T], values: Iterable[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(_make(cls, value) for value in values)


def _parts(value: dict[str, Any]) -> _Parts:
    return _Parts(
        tool=_make(Tool, value["tool"]),
        run=_make(Run, value["run"]),
        verdict=value["verdict"],
        summary=_make(Summary, value["summary"]),
        inputs=_each(Input, value["inputs"]),
        sets=_each(SetSummary, value.get("sets", ())),
        skipped=_each(Skipped, value.get("skipped", ())),
        groups=_each(Group, value["groups"]),
        diagnostics=tuple(map(_diagnostic, value["diagnostics"])),
    )


def _diagnostic(value: dict[str, Any]) -> Diagnostic:
    made: dict[str, Any] = {"related": tuple(_elsewhere(each) for each in value["related"])}
    if "span" in value:
        made["span"] = _span(value["span"])
    if "entry" in value:
        made["entry"] = _make(Place, value["entry"])
    if "excerpt" in value:
        excerpt = value["excerpt"]
        made["excerpt"] = _make(Excerpt, excerpt, highlight=tuple(excerpt["highlight"]))
    return _make(Diagnostic, value, **made)


def _span(value: dict[str, Any]) -> Span:
    return _make(Span, value, start=_make(Point, value["start"]), end=_make(Point, value["end"]))


def _elsewhere(value: dict[str, Any]) -> Elsewhere:
    return _make(Elsewhere, value, span=_span(value["span"]))
