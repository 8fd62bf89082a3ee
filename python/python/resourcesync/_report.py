"""The report: the result of a run as JSON, as typed parts, and in every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from . import _core
from ._errors import ConfigError, InvalidReportError
from ._parts import Diagnostic, Group, Input, Lang as Lang, Parts, Reason, Run, SetSummary, Skipped, Summary, Tool, Verdict, loads, make, parts


def language(lang: Lang) -> Lang:
    """Checks a language."""
    if lang not in ("en", "ja"):
        raise ConfigError(f"lang: `{lang}` is not en or ja")
    return lang


class Report:
    """The result of a run.

    It holds the JSON of the report, identical to that of the command; everything else is created from it on access.

    >>> report = resourcesync.validate(b"<urlset>", name="list.xml")
    >>> report.verdict, report.summary.errors
    ('invalid', 2)
    >>> print(report.diagnostics[0])
    1:1: error[GEN-03] wrong-namespace: the namespace of `urlset` is (empty) instead of `http://www.sitemaps.org/schemas/sitemap/0.9`
    """

    __slots__ = ("_json", "_lang", "_made")

    def __init__(self, json: bytes, *, lang: Lang = "en") -> None:
        """Parses a report from JSON. Raises :class:`ConfigError` if it is not a report of a supported version."""
        self._json = bytes(json)
        self._lang: Lang = language(lang)
        self._made: Parts | None = None
        try:
            self._made = made = parts(self._json)
            for _ in made.diagnostics:
                pass
        except (KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"not a complete report: {error}") from None

    @classmethod
    def _of(cls, json: bytes, lang: Lang) -> Report:
        """Wraps a new report without checking it."""
        report = cls.__new__(cls)
        report._json = json
        report._lang = lang
        report._made = None
        return report

    @property
    def _parts(self) -> Parts:
        if self._made is None:
            self._made = parts(self._json)
        return self._made

    @property
    def tool(self) -> Tool:
        """The tool that created the report."""
        return self._parts.tool

    @property
    def run(self) -> Run:
        """How the run ended."""
        return self._parts.run

    @property
    def verdict(self) -> Verdict:
        """``valid``, ``invalid``, or ``undetermined`` if something could not be checked."""
        return self._parts.verdict

    @property
    def after_filters(self) -> bool:
        """True if the verdict would be ``invalid`` without the filters and the baseline."""
        return self._parts.after_filters

    @property
    def summary(self) -> Summary:
        """Exact counts."""
        return self._parts.summary

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The inputs."""
        return self._parts.inputs

    @property
    def sets(self) -> tuple[SetSummary, ...]:
        """A summary of each set of resources, if a whole Source was crawled."""
        return self._parts.sets

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Files of a folder that were skipped."""
        return self._parts.skipped

    @property
    def groups(self) -> tuple[Group, ...]:
        """Exact counts by code, severity and input."""
        return self._parts.groups

    @property
    def suppressed(self) -> tuple[Group, ...]:
        """Exact counts of the findings that filters or a baseline removed, with the severity they would have."""
        return self._parts.suppressed

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """The stored findings. Each is created on access."""
        return self._parts.diagnostics

    @property
    def is_valid(self) -> bool:
        """True if everything was checked and there is no error."""
        return self.verdict == "valid"

    def raise_for_errors(self) -> None:
        """Raises :class:`InvalidReportError` unless the verdict is ``valid``."""
        if not self.is_valid:
            raise InvalidReportError(self)

    def without(self, baseline: Report) -> Report:
        """The report without the findings of an earlier one, like ``--baseline`` of the command.

        Findings are matched by code and fingerprint, which do not change when lines move. Removed findings are counted as suppressed.

        :raises ConfigError: if one of the two omits findings; create both with ``max_per_rule=0``.

        >>> before = resourcesync.validate(b"<urlset>", name="list.xml")
        >>> resourcesync.validate(b"<urlset>", name="list.xml").without(before).summary.suppressed
        2
        """
        try:
            return Report._of(_core.without(self._json, baseline._json), self._lang)
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def to_json(self) -> bytes:
        """The report as JSON, identical to ``resourcesync validate --format json``."""
        return self._json

    def to_dict(self, *, lang: Lang = "en") -> dict[str, Any]:
        """The parsed JSON of the report, with messages, helps and reasons in a language."""
        value = loads(self._json)
        if language(lang) != "en":
            for each, finding in zip(value["diagnostics"], self.diagnostics):
                each["message"], each["help"] = finding.message_in(lang), finding.help_in(lang)
            for each in (*value["inputs"], *value.get("skipped", ())):
                if "cause" in each:
                    each["reason"] = make(Reason, each["cause"]).message_in(lang)
        return value

    def to_text(self, *, lang: Lang | None = None, color: bool = False, max_per_rule: int = 5) -> str:
        """Text for a terminal; ``max_per_rule=0`` shows all findings."""
        return self._render("text", lang, color=color, max_per_rule=max_per_rule)

    def to_markdown(self, *, lang: Lang | None = None, max_per_rule: int = 5) -> str:
        """Markdown, e.g. for a job summary or a comment."""
        return self._render("markdown", lang, max_per_rule=max_per_rule)

    def to_html(self, *, lang: Lang | None = None) -> str:
        """A self-contained HTML page."""
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
        """NDJSON: one JSON object per part of the report."""
        return self._render("ndjson", "en")

    def to_csv(self, *, lang: Lang | None = None) -> str:
        """CSV with one finding per line."""
        return self._render("csv", lang)

    def _render(self, format: str, lang: Lang | None, *, color: bool = False, max_per_rule: int = 5) -> str:
        try:
            return _core.render(self._json, format, lang=lang or self._lang, color=color, max_per_rule=max_per_rule)
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def _repr_html_(self) -> str:
        """A table for notebooks: the verdict, and the findings with their number."""
        summary = self.summary
        counts = f"{summary.errors} errors, {summary.warnings} warnings, {summary.infos} infos in {summary.inputs} inputs"
        first: dict[tuple[str, str, int], Diagnostic] = {}
        for each in self.diagnostics:
            first.setdefault((each.code, each.severity, each.input), each)
        rows: list[str] = []
        for group in self.groups:
            found = first.get((group.code, group.severity, group.input))
            place = self.inputs[group.input].name if group.input < len(self.inputs) else ""
            if found is not None and found.span is not None:
                place += f":{found.span.start.line}:{found.span.start.column}"
            texts = (found.message_in(self._lang), found.help_in(self._lang)) if found else ("", "")
            cells = (group.severity, group.code, str(group.count), place, *texts)
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>{name}</th>" for name in ("severity", "code", "count", "first", "message", "help"))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
        verdict = f"{self.verdict} after filters" if self.after_filters else self.verdict
        return f"<p><strong>{escape(verdict)}</strong>: {counts}</p>{table}"

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


def merge(reports: Iterable[Report], *, lang: Lang = "en") -> Report:
    """Merges reports into the report of one run over all their inputs, in this order: byte for byte, however the inputs were divided.

    What is compared with each other belongs in one report: a dump and its packages, the files of a folder, a whole Source. Reports are
    read one at a time, so that an iterator over many needs the memory of their inputs and of 10,000 findings.

    :raises ConfigError: if one run could not have had two of them (other options, another version, a subtracted baseline, a document
        of a whole Source twice), or if there is none.

    >>> first, second = (resourcesync.validate(b"<urlset>", name=name) for name in ("a.xml", "b.xml"))
    >>> [each.name for each in resourcesync.merge([first, second]).inputs]
    ['a.xml', 'b.xml']
    """
    merger = _core.Merger()
    for report in reports:
        merger.add(report.to_json())
    return Report._of(merger.finish(), language(lang))
