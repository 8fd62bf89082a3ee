"""Checks of OAI-PMH repositories, and of single responses."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union, cast

from . import _core, _sources
from ._cancel import cancellation
from ._errors import ConfigError
from ._parts import Severity
from ._report import Lang, Report, language
from ._validate import DOCUMENT


def validate(
    target: str | os.PathLike[str] | bytes | Iterable[str | os.PathLike[str]],
    *,
    name: str | None = None,
    profile: Literal["standard", "strict"] = "standard",
    lang: Lang = "en",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    max_per_rule: int = 100,
    contact: str | None = None,
    delay: float | None = None,
    max_wait: int | None = None,
    limits: Mapping[str, int] | None = None,
    allow_host: Iterable[str] = (),
    replay: str | os.PathLike[str] | None = None,
    record: str | os.PathLike[str] | None = None,
    baseline: Report | None = None,
) -> Report:
    """Checks an OAI-PMH repository against the protocol, as ``resourcesync oai validate`` does, or looks at single responses.

    A repository gets about 45 requests, at most one a second, some of them invalid on purpose. The report is that of :func:`resourcesync.validate`, with
    codes ``OAI-nn``; its inputs are the responses.

    :param target: the base URL; or the path of a file with a response, several of them, or a response as bytes.
    :param name: the name of bytes in the report.
    :param profile: ``strict`` reports violations of SHOULD as errors.
    :param lang: language of the text, Markdown and HTML formats.
    :param select: report only these codes, rules (``admin-email``), families (``OAI``), or ``derived``.
    :param ignore: do not report these.
    :param severity: sets the severity of a code, family or rule.
    :param max_per_rule: maximum number of findings stored per code, severity and response; 0 for all. Counts are always exact.
    :param contact: your e-mail address, for the people who run the repository.
    :param delay: seconds between a response and the next request, at least 1.
    :param max_wait: the longest single wait in seconds (300); a check ends before a longer one.
    :param replay: a recording (HAR), such as ``record`` or the command writes; nothing is requested then.
    :param record: keeps all responses in this file.
    :param baseline: an earlier report whose findings are not counted again; stores all findings.
    :raises InputError: if a file cannot be opened.
    :raises ConfigError: if an option is wrong.

    >>> from resourcesync import oai
    >>> report = oai.validate(b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>yesterday</responseDate>'
    ...     b'<request>http://a.example/oai</request><error code="noRecordsMatch"/></OAI-PMH>', name="page.xml")
    >>> [str(finding.code) for finding in report]
    ['OAI-06']
    """
    text = _options(profile, select, ignore, severity, 0 if baseline is not None else max_per_rule, delay, max_wait, limits)
    language(lang)
    is_url = isinstance(target, str) and target.lower().startswith(("http://", "https://"))
    if name is not None and not isinstance(target, bytes):
        raise ConfigError("name is for a response as bytes")
    if not is_url and (replay is not None or record is not None):
        raise ConfigError("replay and record are for the URL of a repository")
    if is_url:
        files = {own: os.fspath(path) for own, path in (("replay", replay), ("record", record)) if path is not None}
        given = {"servers": {"from": contact, "allow_host": list(allow_host)}, **files}
        found = _core.oai_validate(cast(str, target), text, json.dumps(given), cancellation())
    elif isinstance(target, bytes):
        found = _core.oai_validate_bytes(target, name or DOCUMENT, text)
    else:
        paths = [target] if _sources.is_path(target) else cast("Iterable[_sources.Path]", target)
        found = _core.oai_validate_files([_sources.path(cast(_sources.Path, path)) for path in paths], text)
    report = Report._of(found, lang)
    return report if baseline is None else report.without(baseline)


def _options(
    profile: str,
    select: Iterable[str],
    ignore: Iterable[str],
    severity: Mapping[str, Severity] | None,
    max_per_rule: int,
    delay: float | None,
    max_wait: int | None,
    limits: Mapping[str, int] | None,
) -> str:
    for option, words in (("select", select), ("ignore", ignore)):
        if isinstance(words, str):
            raise ConfigError(f"{option} is a list of codes, such as {option}=[{words!r}]")
    options: dict[str, Any] = {
        "profile": profile,
        "select": list(select),
        "ignore": list(ignore),
        "severity": dict(severity or {}),
        "max_per_rule": max_per_rule,
        "delay": None if delay is None else round(delay * 1000),
        "max_wait": max_wait,
        "limits": dict(limits or {}),
    }
    return json.dumps({own: value for own, value in options.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait this number of seconds, because of ``why``: ``pace``, ``retry-after``, ``unavailable`` and others."""

    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """A request to send: GET, or POST with ``form`` as its body (``application/x-www-form-urlencoded``). ``name`` is its name in the report."""

    name: str
    url: str
    form: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def method(self) -> Literal["GET", "POST"]:
        """The method."""
        return "GET" if self.form is None else "POST"


@dataclass(frozen=True, slots=True)
class Checked:
    """The check is over."""

    report: Report


#: What to do next.
CheckStep = Union[CheckRequest, Wait, Checked]


class ProviderCheck:
    """A check as a state machine, for any HTTP client. Take a :meth:`step`; send the request and pass the response to :meth:`answer`, or wait; until the
    step is :class:`Checked`. A request is repeated by the machine: do not repeat it yourself.

    :param all_headers: ``False`` for a client that cannot send ``Accept-Encoding``, or decodes bodies unnoticeably; what needs it is not checked then.

    >>> from resourcesync import oai
    >>> oai.ProviderCheck("https://repository.example/oai").step().name
    'Identify'
    """

    def __init__(
        self,
        url: str,
        *,
        profile: Literal["standard", "strict"] = "standard",
        lang: Lang = "en",
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        severity: Mapping[str, Severity] | None = None,
        max_per_rule: int = 100,
        delay: float | None = None,
        max_wait: int | None = None,
        limits: Mapping[str, int] | None = None,
        all_headers: bool = True,
    ) -> None:
        text = _options(profile, select, ignore, severity, max_per_rule, delay, max_wait, limits)
        self._lang: Lang = language(lang)
        self._native = _core.OaiCheck(url, json.dumps({**json.loads(text), "all_headers": all_headers}))
        self._report: Report | None = None

    def step(self) -> CheckStep:
        """What to do next. It is the same until it was done."""
        kind, text, url, form, coding, milliseconds = self._native.step(_now())
        if kind == "request":
            return CheckRequest(text, url, form, {} if coding is None else {"Accept-Encoding": coding})
        if kind == "wait":
            return Wait(milliseconds / 1000, text)
        if self._report is None:
            self._report = Report._of(cast(bytes, self._native.report()), self._lang)
        return Checked(self._report)

    def answer(self, status: int, headers: Mapping[str, str], body: bytes | Iterable[bytes]) -> None:
        """Reads the response.

        :param headers: all fields; ``Content-Type``, ``Content-Encoding``, ``Retry-After`` and ``Date`` count.
        :param body: the bytes, without content coding; or its pieces.
        """
        fields = {name.lower(): value for name, value in headers.items()}
        names = ("content-type", "content-encoding", "retry-after", "date")
        self._native.begin(_now(), status, *(fields.get(name) for name in names))
        for piece in (body,) if isinstance(body, (bytes, bytearray, memoryview)) else body:
            if not self._native.push(bytes(piece)):
                break
        self._native.end(_now())

    def failed(self, reason: object, *, is_timeout: bool = False) -> None:
        """There is no response to the request: the connection failed, or took too long."""
        self._native.failed(_now(), str(reason), is_timeout)

    def interrupt(self) -> None:
        """Ends the check: what was not requested is not checked."""
        self._native.interrupt()


def _now() -> int:
    return int(time.time() * 1000)
