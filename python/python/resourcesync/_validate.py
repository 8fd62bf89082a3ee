"""Validates any source and returns a report."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from . import _core, _sources
from ._cancel import cancellation
from ._errors import ConfigError
from ._parts import Diagnostic, Severity, diagnostic
from ._report import Lang, Report, language
from ._sources import Content, ByteSource
from ._values import whole

_log = logging.getLogger("resourcesync")
_log.addHandler(logging.NullHandler())

#: The name of an unnamed source.
DOCUMENT = "document.xml"
#: The name of an unnamed package.
PACKAGE = "package.zip"

_Tell = Callable[[int, int, int, int], object]

Profile = Literal["standard", "strict", "search-engines"]
Kind = Literal[
    "source-description",
    "source-description-index",
    "capability-list",
    "resource-list",
    "resource-list-index",
    "resource-dump",
    "resource-dump-index",
    "resource-dump-manifest",
    "change-list",
    "change-list-index",
    "change-dump",
    "change-dump-index",
    "change-dump-manifest",
    "change-notification",
    "framework-notification",
    "sitemap",
]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run: bytes read of ``total`` (0 if unknown), finished inputs, entries read in documents."""

    bytes: int
    total: int
    inputs: int
    entries: int


class OnProgress(Protocol):
    """Called about ten times per second with the progress of a run. An exception stops the run and is propagated."""

    def __call__(self, progress: Progress, /) -> object:
        """Called in the validating thread."""
        ...


def validate(
    source: ByteSource,
    *,
    name: str | None = None,
    uri: str | None = None,
    expect: Kind | None = None,
    profile: Profile = "standard",
    lang: Lang = "en",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    fixity: bool = True,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    baseline: Report | None = None,
    progress: OnProgress | None = None,
) -> Report:
    """Validates a document, a gzip-compressed document, a dump package (ZIP), or a folder of these.

    Paths, including folders, are treated as by the command. Bytes, a binary file and an iterable of bytes get the same report as a file called
    ``name``. A package must be a path, bytes, or a seekable file. All faults are in the report.

    :param name: the name of the source in the report; derived from paths and most files.
    :param uri: the URI at which the document is published.
    :param expect: the required kind of every document.
    :param profile: ``strict`` reports violations of SHOULD as errors, and advice as warnings; ``search-engines`` also reports what large search engines reject.
    :param lang: language of the text, Markdown and HTML formats.
    :param select: report only these codes, families (``CL``), rules (``missing-at``), ``XML-nn``, or ``derived``.
    :param ignore: do not report these.
    :param severity: sets the severity of a code, family or rule.
    :param fixity: False does not read the members of packages.
    :param limits: overrides limits by name.
    :param max_per_rule: maximum number of findings stored per code, severity and input; 0 for all. Counts are always exact.
    :param baseline: an earlier report whose findings are not counted again; stores all findings. See :meth:`Report.without`.
    :param progress: called about ten times per second.
    :raises InputError: if a path cannot be opened.
    :raises ConfigError: if an option is invalid.

    >>> report = resourcesync.validate("resourcelist.xml")
    >>> report.verdict
    'valid'
    """
    chosen = options(expect, profile, select, ignore, severity, limits, stored(max_per_rule, baseline), fixity)
    language(lang)
    tell = teller(progress)
    if _sources.is_path(source):
        path = _sources.path(cast(_sources.Path, source))
        if os.path.isdir(path) and not (name is None and uri is None):
            raise ConfigError("name and uri are for a single document, not for a folder")
        json = _core.validate_paths([path], chosen, name, uri, tell, cancellation())
    elif isinstance(source, bytes):
        _sources.no_place(source)
        otherwise = PACKAGE if _core.takes_for_package(source[:8], "") else DOCUMENT
        json = _core.validate_bytes(source, chosen, name or otherwise, uri, tell, cancellation())
    elif _sources.is_content(source):
        # Of other buffers the extension module gets a copy, one window at a time.
        json = _validate_stream(_seekable(cast(Content, source)), chosen, name, uri, tell)
    else:
        json = _validate_stream(source, chosen, name, uri, tell)
    _log.debug("validated %s: %d bytes of report", name or type(source).__name__, len(json))
    return _report(json, lang, baseline)


def validate_all(
    paths: Iterable[_sources.Path],
    *,
    expect: Kind | None = None,
    profile: Profile = "standard",
    lang: Lang = "en",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    fixity: bool = True,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    baseline: Report | None = None,
    progress: OnProgress | None = None,
) -> Report:
    """Validates several files and folders, like the command: one report, one verdict. The options are those of
    :func:`validate`.

    :raises InputError: if a path cannot be opened; nothing is validated then.

    >>> report = resourcesync.validate_all(["resourcelist.xml", "part1.zip"])
    >>> [each.name for each in report.inputs if each.via == "argument"]
    ['resourcelist.xml', 'part1.zip']
    """
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise ConfigError("paths is a list; use validate for one source")
    chosen = options(expect, profile, select, ignore, severity, limits, stored(max_per_rule, baseline), fixity)
    language(lang)
    found = [_sources.path(path) for path in paths]
    if not found:
        raise ConfigError("there is no path in paths")
    json = _core.validate_paths(found, chosen, None, None, teller(progress), cancellation())
    _log.debug("validated %d paths: %d bytes of report", len(found), len(json))
    return _report(json, lang, baseline)


def _seekable(content: Content) -> ByteSource:
    """A package as a file, since it is read from its end."""
    is_package = _core.takes_for_package(next(_sources.windows(content), b"")[:8], "")
    return io.BytesIO(content) if is_package else content


def stored(max_per_rule: int, baseline: Report | None) -> int:
    """The number of findings to store. Those that are not stored could not be compared with a baseline."""
    return max_per_rule if baseline is None else 0


def _report(json: bytes, lang: Lang, baseline: Report | None) -> Report:
    report = Report._of(json, lang)
    return report if baseline is None else report.without(baseline)


def is_valid(
    source: ByteSource,
    *,
    name: str | None = None,
    uri: str | None = None,
    expect: Kind | None = None,
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    fixity: bool = True,
    limits: Mapping[str, int] | None = None,
) -> bool:
    """True if everything was checked and there is no error. The arguments are those of :func:`validate`.

    >>> resourcesync.is_valid(b"<urlset>")
    False
    """
    report = validate(
        source,
        name=name,
        uri=uri,
        expect=expect,
        profile=profile,
        select=select,
        ignore=ignore,
        severity=severity,
        fixity=fixity,
        limits=limits,
        max_per_rule=1,
    )
    return report.is_valid


def iter_diagnostics(
    source: ByteSource,
    *,
    name: str | None = None,
    uri: str | None = None,
    expect: Kind | None = None,
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 0,
) -> Iterator[Diagnostic]:
    """Iterates over the findings of one document while it is read.

    Findings that depend on the end of the document come last. The arguments are those of :func:`validate`. Use :func:`validate` for folders
    and packages, which have several inputs.

    >>> [finding.code for finding in resourcesync.iter_diagnostics(b"<urlset>")]
    ['GEN-03', 'GEN-01']
    """
    chosen = options(expect, profile, select, ignore, severity, limits, max_per_rule, True)
    if _sources.is_path(source):
        path = _sources.path(cast(_sources.Path, source))
        if os.path.isdir(path):
            raise ConfigError(f"`{path}` is a folder; use validate")
        name = name or _sources.shown(path)
    return _iter_diagnostics(source, chosen, name or _sources.name(source) or DOCUMENT, uri)


def _iter_diagnostics(source: ByteSource, options: _core.Options, name: str, uri: str | None) -> Iterator[Diagnostic]:
    validation = _core.Validation(options, name, uri)
    with _sources.document(source) as pieces:
        for piece in pieces:
            yield from map(diagnostic, validation.push(piece))
            if not validation.wants_more():
                break
    yield from map(diagnostic, validation.finish()[0])


def verify_package(
    source: ByteSource,
    *,
    name: str | None = None,
    uri: str | None = None,
    profile: Profile = "standard",
    lang: Lang = "en",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    fixity: bool = True,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    progress: OnProgress | None = None,
) -> Report:
    """Verifies a dump package (ZIP): its structure, its manifest, and every listed length and digest.

    Like :func:`validate`, but a source that is not a ZIP archive is reported as an unreadable package, not as a document. The source is a
    path, bytes, or a seekable file.

    :raises ConfigError: if the source is not seekable.
    """
    chosen = options(None, profile, select, ignore, severity, limits, max_per_rule, fixity)
    tell = teller(progress)
    if _sources.is_path(source):
        path = _sources.path(cast(_sources.Path, source))
        if os.path.isdir(path):
            raise ConfigError(f"`{path}` is a folder; use validate")
        with _sources.opened(path) as file:
            if _core.takes_for_package(file.read(8), _sources.shown(path)):
                # The extension module reads it with all processors.
                return Report._of(_core.validate_paths([path], chosen, name, uri, tell, cancellation()), language(lang))
        return _verify(_core.Origin.file(path), chosen, name or _sources.shown(path), uri, tell, lang)
    if _sources.is_content(source):
        source = io.BytesIO(cast(Content, source))
    if _sources.can_seek(source):
        return _verify(_sources.package(source), chosen, name or _sources.name(source) or PACKAGE, uri, tell, lang)
    raise ConfigError("a package is read from its end: give a path, bytes, or a file that can seek")


def _verify(
    origin: _core.Origin, options: _core.Options, name: str, uri: str | None, tell: _Tell | None, lang: Lang
) -> Report:
    return Report._of(_core.validate_package(origin, options, name, uri, tell, cancellation()), language(lang))


def _validate_stream(source: ByteSource, options: _core.Options, name: str | None, uri: str | None, tell: _Tell | None) -> bytes:
    """Validates a source that is neither a path nor in memory."""
    name = name or _sources.name(source)
    if _sources.can_seek(source):
        window = _sources.Window(source)
        head = window.read_at(0, 8)
        window.rewind()
        if _core.takes_for_package(head, name or ""):
            return _core.validate_package(_sources.package(source), options, name or PACKAGE, uri, tell, cancellation())
    return _core.validate_chunks(_sources.document_pieces(source), options, name or DOCUMENT, uri, tell, cancellation())


def options(
    expect: Kind | None = None,
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    fixity: bool = True,
    fail_on: Severity = "error",
) -> _core.Options:
    """The checked options of a run."""
    try:
        return _core.Options(
            expect=expect,
            profile=profile,
            select=_words("select", select),
            ignore=_words("ignore", ignore),
            severity=list((severity or {}).items()),
            limits=[(name, whole(f"limits: {name}", value)) for name, value in (limits or {}).items()],
            max_per_rule=whole("max_per_rule", max_per_rule),
            fixity=fixity,
            fail_on=fail_on,
        )
    except (ValueError, OverflowError) as error:
        raise ConfigError(str(error)) from None


def _words(name: str, words: Iterable[str]) -> list[str]:
    # A single text would be split into letters.
    if isinstance(words, str):
        raise ConfigError(f"{name} is a list of codes, such as {name}=[{words!r}]")
    return list(words)


def teller(progress: OnProgress | None) -> _Tell | None:
    """The progress callback of the extension module, if any."""
    if progress is None:
        return None
    return lambda bytes, total, inputs, entries: progress(Progress(bytes, total, inputs, entries))
