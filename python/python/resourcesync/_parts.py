"""The typed parts of a report, created from its JSON.

They correspond to docs/report.schema.json; a part that the report does not have is ``None``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, cast, overload

from . import _core
from ._errors import ConfigError

Severity = Literal["error", "warning", "info"]
Verdict = Literal["valid", "undetermined", "invalid"]
Status = Literal["completed", "stopped", "failed"]
#: A language of texts.
Lang = Literal["en", "ja"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tool:
    """The tool that created the report."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run that decide what its report contains, apart from the profile: the required kind, the selected and the
    ignored codes, the severities (``GEN-17=warning``) and limits (``depth=10``) that were set, the findings stored for each code and
    input if not 100 (0: all), and whether members of packages were not read."""

    expect: str | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severity: Sequence[str] = ()
    limits: Sequence[str] = ()
    max_per_rule: int | None = None
    no_fixity: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """How the run ended, what stopped it if it did not complete, the configuration file that applied (command only), its options
    unless all are the defaults, whether a baseline was subtracted, the service that was checked if the inputs are its responses, and
    the family of the codes if it is not that of ResourceSync documents."""

    status: Status
    profile: str
    stopped_by: str | None = None
    configuration: str | None = None
    options: RunOptions | None = None
    baseline: bool = False
    subject: str | None = None
    family: str | None = None


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
class Reason:
    """Why something could not be read or fetched: a code such as ``http-status``, and the values of its text."""

    code: str
    args: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    def message_in(self, lang: Lang) -> str:
        """The reason in a language.

        >>> resourcesync.Reason("http-status", {"status": "404 Not Found"}).message_in("en")
        'response status 404 Not Found'
        """
        try:
            return _core.reason(_written(self), lang)
        except ValueError as error:
            raise ConfigError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its name, how it was found, and its result; ``reason`` is why it was not checked, ``closed`` is the digest of a
    document that must not change any more, ``times`` are those that it states (``at``, ``completed``, ``from``, ``until``), if a whole
    Source was crawled."""

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
    cause: Reason | None = None
    times: Mapping[str, str] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class SetSummary:
    """A summary of a set of resources, if a whole Source was crawled; ``input`` is its Capability List."""

    input: int
    documents: Mapping[str, int] = field(hash=False)
    resources: int
    changes: int
    bytes: int
    resources_read: int
    newest_change: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of a folder that was skipped, and why."""

    name: str
    reason: str
    cause: Reason | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The number of findings with one code in one input, and how many of these are stored."""

    code: str
    severity: Severity
    input: int
    count: int
    stored: int


@dataclass(frozen=True, slots=True)
class Point:
    """A line and a column, both 1-based; columns count characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a document: its offset and length in bytes of UTF-8, its start, and its exclusive end."""

    offset: int
    length: int
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Place:
    """The entry of a finding: its 1-based index and its URI."""

    index: int
    loc: str | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The line of a finding, truncated to 240 bytes; ``highlight`` is the range of characters of the finding."""

    text: str
    line: int
    column: int
    highlight: tuple[int, int]
    cut_left: bool
    cut_right: bool


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another place that explains a finding, and its role."""

    role: str
    input: int
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    ``code`` is the id of the requirement; ``level``, ``derived`` and ``section`` are absent for codes outside the standard; ``span`` is
    absent only if there is no text to point to. ``fingerprint`` does not change when lines move. ``message`` and ``help`` are English;
    :meth:`message_in` and :meth:`help_in` say the same in a language.
    """

    code: str
    rule: str
    severity: Severity
    message: str
    args: Mapping[str, int | str] = field(hash=False)
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
    cause: Reason | None = None

    def message_in(self, lang: Lang) -> str:
        """The message in a language.

        >>> resourcesync.validate(b"<urlset>").diagnostics[0].message_in("en")[:26]
        'the namespace of `urlset` '
        """
        return words(self, lang, self.cause)[0]

    def help_in(self, lang: Lang) -> str:
        """The help in a language."""
        return words(self, lang, self.cause)[1]

    def __str__(self) -> str:
        place = f"{self.span.start.line}:{self.span.start.column}: " if self.span else ""
        return f"{place}{self.severity}[{self.code}] {self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Findings that did not prevent building, since they are less severe than ``fail_on``.

    ``diagnostics`` are the first 100 of each code, ``counts`` has the number by code.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int], hash=False)


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of a report."""

    tool: Tool
    run: Run
    verdict: Verdict
    summary: Summary
    inputs: tuple[Input, ...]
    sets: tuple[SetSummary, ...]
    skipped: tuple[Skipped, ...]
    groups: tuple[Group, ...]
    diagnostics: Diagnostics
    after_filters: bool
    suppressed: tuple[Group, ...]


class Diagnostics(Sequence[Diagnostic]):
    """The stored findings of a report. Each is created on access, so that many findings need no memory."""

    __slots__ = ("_inner",)

    def __init__(self, inner: _core.Findings) -> None:
        self._inner = inner

    def __len__(self) -> int:
        return len(self._inner)

    @overload
    def __getitem__(self, index: int) -> Diagnostic: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Diagnostic, ...]: ...
    def __getitem__(self, index: int | slice) -> Diagnostic | tuple[Diagnostic, ...]:
        """The finding at an index, or those of a slice."""
        places = range(len(self._inner))[index]
        if isinstance(places, range):
            return tuple(diagnostic(self._inner[place]) for place in places)
        return diagnostic(self._inner[places])

    def __iter__(self) -> Iterator[Diagnostic]:
        inner = self._inner
        return (diagnostic(inner[place]) for place in range(len(inner)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Diagnostics, tuple, list)):
            return NotImplemented
        values = cast("Sequence[object]", other)
        return len(self) == len(values) and all(own == value for own, value in zip(self, values))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} findings>"


class Worded(Protocol):
    """A finding with a code, the values of its texts, and these texts in English."""

    @property
    def code(self) -> str: ...
    @property
    def args(self) -> Mapping[str, Any]: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str: ...


def words(finding: Worded, lang: Lang, cause: Reason | None = None) -> tuple[str, str]:
    """The message and the help of a finding in a language; in English if a newer version found it."""
    if lang == "en":
        return finding.message, finding.help
    given = None if cause is None else _written(cause)
    try:
        found = _core.words(finding.code, json.dumps(dict(finding.args)), given, lang)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return found or (finding.message, finding.help)


def _written(reason: Reason) -> str:
    return json.dumps({"code": reason.code, "args": dict(reason.args)})


def diagnostic(json: bytes | str) -> Diagnostic:
    """Creates a finding from its JSON."""
    return _diagnostic(loads(json))


def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Creates findings from their JSON."""
    return tuple(_diagnostic(each) for each in json.loads(text))


def accepted(value: str | dict[str, Any]) -> Accepted:
    """Creates accepted findings from their JSON."""
    found = loads(value) if isinstance(value, str) else value
    return Accepted(tuple(map(_diagnostic, found["diagnostics"])), found["counts"])


def loads(text: bytes | str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"not a report: {error}") from None
    if not isinstance(value, dict):
        raise ConfigError("not a report")
    return cast("dict[str, Any]", value)


#: Fields with another name in the JSON.
_CAMEL = {
    "stopped_by": "stoppedBy",
    "max_per_rule": "maxPerRule",
    "no_fixity": "noFixity",
    "resources_read": "resourcesRead",
    "newest_change": "newestChange",
    "bytes_from": "bytesFrom",
    "requests_per_second": "requestsPerSecond",
    "bytes_per_second": "bytesPerSecond",
    "milliseconds_without": "millisecondsWithout",
}


def make(cls: Callable[..., T], value: dict[str, Any], **made: Any) -> T:
    """Creates a part of the report. Unknown keys of later versions are ignored."""
    known: Iterable[str] = getattr(cls, "__dataclass_fields__")
    if "cause" in value and "cause" not in made:
        made["cause"] = make(Reason, value["cause"])
    named = ((name, _CAMEL.get(name, name)) for name in known if name not in made)
    return cls(**{name: value[key] for name, key in named if key in value}, **made)


def _each(cls: Callable[..., T], values: Iterable[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(make(cls, value) for value in values)


def parts(json: bytes) -> Parts:
    """Creates the parts of a report."""
    try:
        findings = _core.Findings(json)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    value = loads(findings.rest())
    if value.get("format") != "resourcesync-report" or value.get("formatVersion") != 1:
        raise ConfigError("not a report of version 1")
    return Parts(
        tool=make(Tool, value["tool"]),
        run=_run(value["run"]),
        verdict=value["verdict"],
        summary=make(Summary, value["summary"]),
        inputs=_each(Input, value["inputs"]),
        sets=_each(SetSummary, value.get("sets", ())),
        skipped=_each(Skipped, value.get("skipped", ())),
        groups=_each(Group, value["groups"]),
        diagnostics=Diagnostics(findings),
        after_filters=value.get("afterFilters", False),
        suppressed=_each(Group, value.get("suppressed", ())),
    )


def _run(value: dict[str, Any]) -> Run:
    options = value.get("options")
    return make(Run, value, options=None if options is None else make(RunOptions, options))


def _diagnostic(value: dict[str, Any]) -> Diagnostic:
    # Written out, since a report can have thousands of them.
    optional = value.get
    span, entry, excerpt, cause = optional("span"), optional("entry"), optional("excerpt"), optional("cause")
    return Diagnostic(
        code=value["code"],
        rule=value["rule"],
        severity=value["severity"],
        message=value["message"],
        args=value["args"],
        help=value["help"],
        input=value["input"],
        related=tuple(map(_elsewhere, value["related"])),
        fingerprint=value["fingerprint"],
        level=optional("level"),
        derived=optional("derived"),
        section=optional("section"),
        span=None if span is None else _span(span),
        path=optional("path"),
        entry=None if entry is None else Place(entry["index"], entry.get("loc")),
        excerpt=None if excerpt is None else _excerpt(excerpt),
        cause=None if cause is None else make(Reason, cause),
    )


def _span(value: dict[str, Any]) -> Span:
    start, end = value["start"], value["end"]
    return Span(value["offset"], value["length"], Point(start["line"], start["column"]), Point(end["line"], end["column"]))


def _excerpt(value: dict[str, Any]) -> Excerpt:
    start, end = value["highlight"]
    return Excerpt(value["text"], value["line"], value["column"], (start, end), value["cutLeft"], value["cutRight"])


def _elsewhere(value: dict[str, Any]) -> Elsewhere:
    return make(Elsewhere, value, span=_span(value["span"]))
