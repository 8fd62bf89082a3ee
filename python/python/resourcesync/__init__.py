"""Validate, read, build and verify ResourceSync (ANSI/NISO Z39.99-2017).

>>> import resourcesync
>>> report = resourcesync.validate("resourcelist.xml")
>>> report.verdict
'valid'
>>> [entry.uri for entry in resourcesync.iter_entries("resourcelist.xml")]
['http://example.com/res1', 'http://example.com/res2']
"""

from __future__ import annotations

from ._catalogue import Rule, explain, rules
from ._core import VERSION as __version__
from ._core import Document, Entry, Link, Metadata
from ._errors import ConfigError, DocumentError, InputError, InvalidReportError, ResourceSyncError
from ._read import iter_entries, read
from ._report import (
    Diagnostic,
    Excerpt,
    Group,
    Input,
    Lang,
    Place,
    Point,
    Related,
    Report,
    Run,
    Severity,
    Skipped,
    Span,
    Status,
    Summary,
    Tool,
    Verdict,
)
from ._sources import BinaryFile, SeekableFile, Source
from ._targets import Target, WritableFile
from ._validate import Kind, OnProgress, Profile, Progress, is_valid, iter_diagnostics, validate, verify_package
from ._values import Datetime, Precision

__all__ = [
    "BinaryFile",
    "ConfigError",
    "Datetime",
    "Diagnostic",
    "Document",
    "DocumentError",
    "Entry",
    "Excerpt",
    "Group",
    "Input",
    "InputError",
    "InvalidReportError",
    "Kind",
    "Lang",
    "Link",
    "Metadata",
    "OnProgress",
    "Place",
    "Point",
    "Precision",
    "Profile",
    "Progress",
    "Related",
    "Report",
    "ResourceSyncError",
    "Rule",
    "Run",
    "SeekableFile",
    "Severity",
    "Skipped",
    "Source",
    "Span",
    "Status",
    "Summary",
    "Target",
    "Tool",
    "Verdict",
    "WritableFile",
    "__version__",
    "explain",
    "is_valid",
    "iter_diagnostics",
    "iter_entries",
    "read",
    "rules",
    "validate",
    "verify_package",
]
