"""What can go wrong beside the documents: an invalid document is a report, never an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._parts import Diagnostic
    from ._report import Report


class ResourceSyncError(Exception):
    """The root of all exceptions of this package."""


class InputError(ResourceSyncError, OSError):
    """An input cannot be opened or read; ``errno`` and ``filename`` say more where the system said it."""


class ConfigError(ResourceSyncError, ValueError):
    """An option is misspelt or impossible. The message says which, and what may have been meant."""


class DocumentError(ResourceSyncError, ValueError):
    """A document cannot be read to its end: it is not well-formed, beyond a limit, or no document at all.

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
    """The bytes of a member of a package are not what archive or manifest say. ``diagnostic`` is the finding."""

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
    """A report has errors, or could not say whether there are any. Raised by :meth:`Report.raise_for_errors` alone.

    ``report`` is the report.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return self.report.to_text().rstrip("\n")


class RefusedError(ResourceSyncError, ValueError):
    """A builder refused an entry, or a document: validating it would have found something. What was built is as it was.

    ``diagnostics`` are the findings, the gravest first.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    @property
    def code(self) -> str:
        """The code of the gravest finding, such as ``CL-13``."""
        return self.diagnostics[0].code

    @property
    def is_full(self) -> bool:
        """True if the document has all entries or bytes that one may have: begin the next."""
        return self.code in ("GEN-18", "GEN-19")

    def __str__(self) -> str:
        first = self.diagnostics[0]
        place = f", entry {first.entry.index}" if first.entry else ""
        return f"{first.message} ({first.code}{place}); {first.help}"


def document_error(json: str) -> DocumentError:
    """The exception for a finding, as the native part hands it over."""
    from ._parts import diagnostic

    return DocumentError(diagnostic(json))


def refused_error(json: str) -> RefusedError:
    """The exception for findings, as the native part hands them over."""
    from ._parts import diagnostics

    return RefusedError(diagnostics(json))


def member_error(json: str) -> MemberError:
    """The exception for a finding, as the native part hands it over."""
    from ._parts import diagnostic

    return MemberError(diagnostic(json))


# In tracebacks they are called as users know them.
for _class in (ResourceSyncError, InputError, ConfigError, DocumentError, MemberError, InvalidReportError, RefusedError):
    _class.__module__ = "resourcesync"
