"""Exceptions. An invalid document is not one of them: it is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._parts import Diagnostic
    from ._report import Report


class ResourceSyncError(Exception):
    """Base class of all exceptions of this package."""


class InputError(ResourceSyncError, OSError):
    """An input cannot be opened or read; ``errno`` and ``filename`` are set if the operating system reported them."""


class ConfigError(ResourceSyncError, ValueError):
    """An option is unknown or invalid. The message names it and suggests a similar one."""


class DocumentError(ResourceSyncError, ValueError):
    """A document cannot be read to the end: it is not well-formed, exceeds a limit, or is not a document.

    ``diagnostic`` is the finding that :func:`resourcesync.validate` reports for it.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    @property
    def code(self) -> str:
        """The code of the finding, such as ``GEN-01``."""
        return self.diagnostic.code

    @property
    def line(self) -> int | None:
        """The line, from 1."""
        span = self.diagnostic.span
        return None if span is None else span.start.line

    @property
    def column(self) -> int | None:
        """The column, from 1, in characters."""
        span = self.diagnostic.span
        return None if span is None else span.start.column

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}: " if self.diagnostic.span else ""
        return f"{place}{self.diagnostic.message} ({self.code})"


class MemberError(ResourceSyncError):
    """A member of a package does not match the archive or the manifest. ``diagnostic`` is the finding."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    @property
    def code(self) -> str:
        """The code of the finding, such as ``PKG-05``."""
        return self.diagnostic.code

    def __str__(self) -> str:
        return f"{self.diagnostic.message} ({self.code})"


class InvalidReportError(ResourceSyncError):
    """A report is invalid or undetermined. Raised only by :meth:`Report.raise_for_errors`.

    ``report`` is the report.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return self.report.to_text().rstrip("\n")


class RefusedError(ResourceSyncError, ValueError):
    """A builder rejected an entry or a document, since the validator would report an error. The builder has not changed.

    ``diagnostics`` are the findings, the most severe first.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    @property
    def code(self) -> str:
        """The code of the most severe finding, such as ``CL-13``."""
        return self.diagnostics[0].code

    @property
    def is_full(self) -> bool:
        """True if the document has reached the maximum number of entries or bytes; start the next one."""
        return self.code in ("GEN-18", "GEN-19")

    def __str__(self) -> str:
        first = self.diagnostics[0]
        place = f", entry {first.entry.index}" if first.entry else ""
        allowed = f"; `limits` does not change this limit of the standard, ignore=[{self.code!r}] lifts it" if self.is_full else ""
        return f"{first.message} ({first.code}{place}); {first.help}{allowed}"


class PublishError(ResourceSyncError, OSError):
    """A folder cannot be published: it is foreign, its state is damaged, or something could not be written. The published folder is unchanged, unless
    the outbox of its notifications cannot be used: then it may be published."""


class SyncError(ResourceSyncError, OSError):
    """A folder cannot hold a copy of a Source, or be checked. ``code`` is the reason: ``not-a-copy``, ``other-source``, ``other-sets``,
    ``other-layout``, ``no-files`` (none of its files is there; ``full=True`` transfers them again), ``state`` (the state is damaged;
    ``rebuild=True`` recreates it), ``folder``, ``io`` or ``http``.

    What goes wrong during a run is in its report.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code

    def __reduce__(self) -> tuple[type[SyncError], tuple[str, str]]:
        return (type(self), (self.code, str(self)))


class HarvestError(ResourceSyncError, OSError):
    """The store of a harvest cannot be used: it is something else, in use, damaged, or cannot be written."""


class GuardError(ResourceSyncError, ValueError):
    """The records are probably incomplete: publishing them would delete more than ``max_delete`` allows, or their number is not that of
    ``expect_entries``. The published folder is unchanged."""


#: Options of the command, by their names in this package.
_OPTIONS = {
    "--max-delete ": "max_delete=",
    "--expect-entries": "expect_entries",
    "--base-uri": "base_uri",
    "--documents-uri": "documents_uri",
    "--at": "at",
    "add --hub, or withdraw the channels with --no-hub": "pass hubs, or withdraw the channels with hubs=[]",
    "with --no-hub": "with hubs=[]",
    "--hub": "hubs",
    "--topics-uri": "topics_uri",
    "--gzip": "gzip",
    "another --out": "another folder",
    "--out": "the folder",
    "--rebuild-state": "`resourcesync build --rebuild-state`",
}


def _words(text: str) -> str:
    for option, name in _OPTIONS.items():
        text = text.replace(option, name)
    return text


def publish_error(words: str) -> PublishError:
    """The exception for a folder that cannot be published."""
    return PublishError(_words(words))


def harvest_error(words: str) -> HarvestError:
    """The exception for a store that cannot be used."""
    return HarvestError(words)


def sync_error(code: str, words: str) -> SyncError:
    """The exception for a copy that cannot be used."""
    for option, name in (("`sync --rebuild`", "`rebuild=True`"), ("--relayout", "`relayout=True`")):
        words = words.replace(option, name)
    return SyncError(code, words)


def guard_error(words: str) -> GuardError:
    """The exception for records that are probably incomplete."""
    return GuardError(_words(words))


def document_error(json: str) -> DocumentError:
    """The exception for a finding, as passed by the extension module."""
    from ._parts import diagnostic

    return DocumentError(diagnostic(json))


def refused_error(json: str) -> RefusedError:
    """The exception for findings, as passed by the extension module."""
    from ._parts import diagnostics

    return RefusedError(diagnostics(json))


def member_error(json: str) -> MemberError:
    """The exception for a finding, as passed by the extension module."""
    from ._parts import diagnostic

    return MemberError(diagnostic(json))


# Tracebacks show the public names.
for _class in (ResourceSyncError, InputError, ConfigError, DocumentError, MemberError, InvalidReportError, RefusedError, PublishError, SyncError, GuardError, HarvestError):
    _class.__module__ = "resourcesync"
