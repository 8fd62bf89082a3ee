"""Validate, read, build and verify ResourceSync (ANSI/NISO Z39.99-2017).

>>> import resourcesync
>>> report = resourcesync.validate("resourcelist.xml")
>>> report.verdict
'valid'
>>> [entry.uri for entry in resourcesync.iter_entries("resourcelist.xml")]
['http://example.com/res1', 'http://example.com/res2']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import notify, oai
    from ._async import (
        AsyncByteSource,
        AsyncChanges,
        AsyncDestination,
        AsyncFile,
        AsyncSource,
        FetchAsync,
        PublishOptions,
        SourceOptions,
        acrawl,
        aiter_entries,
        apublish,
        aread,
        async_sync,
        avalidate,
    )
    from ._arrow import ArrowStream, to_arrow
    from ._build import (
        Builder,
        CapabilityList,
        ChangeDump,
        ChangeDumpIndex,
        ChangeDumpManifest,
        ChangeList,
        ChangeListIndex,
        ChangeNotification,
        FrameworkNotification,
        ResourceDump,
        ResourceDumpIndex,
        ResourceDumpManifest,
        ResourceList,
        ResourceListIndex,
        SourceDescription,
        SourceDescriptionIndex,
    )
    from ._catalogue import Rule, explain, explanation, rules
    from ._core import VERSION as __version__
    from ._core import Document, Entry, Link, Metadata
    from ._dataset import Dataset, dataset
    from ._destination import AppliedChange, Changes, Copies, Destination, HeldResource
    from ._difference import Difference, diff
    from ._entries import (
        Bitstream,
        CapabilityEntry,
        CapabilityListEntry,
        ChangedBitstream,
        ChangePackage,
        FrameworkChange,
        IntervalEntry,
        Moment,
        NotifiedChange,
        Package,
        Related,
        Resource,
        ResourceChange,
        SnapshotEntry,
        SourceDescriptionEntry,
    )
    from ._errors import (
        ConfigError,
        DocumentError,
        GuardError,
        HarvestError,
        InputError,
        InvalidReportError,
        MemberError,
        PublishError,
        RefusedError,
        ResourceSyncError,
        SyncError,
    )
    from ._follow import (
        AheadDocument,
        ChangeFollower,
        FollowedChanges,
        FollowRequest,
        LastChange,
        MissingChanges,
        OlderDocument,
    )
    from ._http import HttpFetcher
    from ._package import Member, OpenPackage, PackagedResource, open_package
    from ._packing import PackageFacts, create_package
    from ._parts import (
        Accepted,
        Diagnostic,
        Elsewhere,
        Excerpt,
        Group,
        Input,
        Place,
        Point,
        Reason,
        Run,
        RunOptions,
        SetSummary,
        Severity,
        Skipped,
        Span,
        Status,
        Summary,
        Tool,
        Verdict,
    )
    from ._partition import Partition
    from ._publish import ChangeHistory, DumpHistory, Publication, Published, PublishedChange, PublishedRecords, PublishedSet, publish
    from ._read import iter_entries, read
    from ._report import Lang, Report, merge
    from ._sitemap import read_sitemap
    from ._source import EventBatch, PublishedEvents, Source
    from ._sources import BinaryFile, ByteSource, SeekableFile
    from ._stores import Store
    from ._sync import (
        AuditCounts,
        AuditDifference,
        AuditOptions,
        AuditReport,
        OnSyncProgress,
        Seen,
        ServerOptions,
        SyncCounts,
        SyncDocument,
        SyncFinding,
        SyncHeld,
        SyncItem,
        SyncOptions,
        SyncOutcome,
        SyncPackages,
        SyncPlan,
        SyncProgress,
        SyncReport,
        SyncVerified,
        audit,
        sync,
    )
    from ._targets import Target, WritableFile
    from ._validate import Kind, OnProgress, Profile, Progress, is_valid, iter_diagnostics, validate, validate_all, verify_package
    from ._values import Datetime, Precision
    from ._crawl import Crawler, Fetch, Request, Response, SkippedError, crawl

#: The module of each name. A module is loaded when one of its names is used for the first time.
_NAMES = {
    "_arrow": "ArrowStream to_arrow",
    "_async": "AsyncByteSource AsyncChanges AsyncDestination AsyncFile AsyncSource FetchAsync PublishOptions SourceOptions acrawl aiter_entries apublish aread async_sync "
    "avalidate",
    "_build": "Builder CapabilityList ChangeDump ChangeDumpIndex ChangeDumpManifest ChangeList ChangeListIndex "
    "ChangeNotification FrameworkNotification ResourceDump ResourceDumpIndex ResourceDumpManifest ResourceList "
    "ResourceListIndex SourceDescription SourceDescriptionIndex",
    "_catalogue": "Rule explain explanation rules",
    "_core": "Link Metadata",
    "_crawl": "Crawler Fetch Request Response SkippedError crawl",
    "_dataset": "Dataset dataset",
    "_destination": "AppliedChange Changes Copies Destination HeldResource",
    "_difference": "Difference diff",
    "_entries": "Bitstream CapabilityEntry CapabilityListEntry ChangePackage ChangedBitstream FrameworkChange IntervalEntry "
    "Moment NotifiedChange Package Related Resource ResourceChange SnapshotEntry SourceDescriptionEntry",
    "_errors": "ConfigError DocumentError GuardError HarvestError InputError InvalidReportError MemberError PublishError RefusedError "
    "ResourceSyncError SyncError",
    "_follow": "AheadDocument ChangeFollower FollowRequest FollowedChanges LastChange MissingChanges OlderDocument",
    "_http": "HttpFetcher",
    "_package": "Member OpenPackage PackagedResource open_package",
    "_packing": "PackageFacts create_package",
    "_parts": "Accepted Diagnostic Elsewhere Excerpt Group Input Place Point Reason Run RunOptions SetSummary Severity Skipped Span Status "
    "Summary Tool Verdict",
    "_partition": "Partition",
    "_publish": "ChangeHistory DumpHistory Publication Published PublishedChange PublishedRecords PublishedSet publish",
    "_read": "Document Entry iter_entries read",
    "_report": "Lang Report merge",
    "_sitemap": "read_sitemap",
    "_source": "EventBatch PublishedEvents Source",
    "_sources": "BinaryFile ByteSource SeekableFile",
    "_stores": "Store",
    "_sync": "AuditCounts AuditDifference AuditOptions AuditReport OnSyncProgress Seen ServerOptions SyncCounts SyncDocument SyncFinding SyncHeld SyncItem SyncOptions SyncOutcome "
    "SyncPackages SyncPlan SyncProgress SyncReport SyncVerified audit sync",
    "_targets": "Target WritableFile",
    "_validate": "Kind OnProgress Profile Progress is_valid iter_diagnostics validate validate_all verify_package",
    "_values": "Datetime Precision",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Accepted",
    "AheadDocument",
    "AppliedChange",
    "ArrowStream",
    "AsyncByteSource",
    "AsyncChanges",
    "AsyncDestination",
    "AsyncFile",
    "AsyncSource",
    "AuditCounts",
    "AuditDifference",
    "AuditOptions",
    "AuditReport",
    "BinaryFile",
    "Bitstream",
    "Builder",
    "ByteSource",
    "CapabilityEntry",
    "CapabilityList",
    "CapabilityListEntry",
    "ChangeDump",
    "ChangeDumpIndex",
    "ChangeDumpManifest",
    "ChangeFollower",
    "ChangeHistory",
    "ChangeList",
    "ChangeListIndex",
    "ChangeNotification",
    "ChangePackage",
    "ChangedBitstream",
    "Changes",
    "ConfigError",
    "Copies",
    "Crawler",
    "Dataset",
    "Datetime",
    "Destination",
    "Diagnostic",
    "Difference",
    "Document",
    "DocumentError",
    "DumpHistory",
    "Elsewhere",
    "Entry",
    "EventBatch",
    "Excerpt",
    "Fetch",
    "FetchAsync",
    "FollowRequest",
    "FollowedChanges",
    "FrameworkChange",
    "FrameworkNotification",
    "Group",
    "GuardError",
    "HarvestError",
    "HeldResource",
    "HttpFetcher",
    "Input",
    "InputError",
    "IntervalEntry",
    "InvalidReportError",
    "Kind",
    "Lang",
    "LastChange",
    "Link",
    "Member",
    "MemberError",
    "Metadata",
    "MissingChanges",
    "Moment",
    "NotifiedChange",
    "OlderDocument",
    "OnProgress",
    "OnSyncProgress",
    "OpenPackage",
    "Package",
    "PackageFacts",
    "PackagedResource",
    "Partition",
    "Place",
    "Point",
    "Precision",
    "Profile",
    "Progress",
    "Publication",
    "PublishError",
    "PublishOptions",
    "Published",
    "PublishedChange",
    "PublishedEvents",
    "PublishedRecords",
    "PublishedSet",
    "Reason",
    "RefusedError",
    "Related",
    "Report",
    "Request",
    "Resource",
    "ResourceChange",
    "ResourceDump",
    "ResourceDumpIndex",
    "ResourceDumpManifest",
    "ResourceList",
    "ResourceListIndex",
    "ResourceSyncError",
    "Response",
    "Rule",
    "Run",
    "RunOptions",
    "SeekableFile",
    "Seen",
    "ServerOptions",
    "SetSummary",
    "Severity",
    "Skipped",
    "SkippedError",
    "SnapshotEntry",
    "Source",
    "SourceDescription",
    "SourceDescriptionEntry",
    "SourceDescriptionIndex",
    "SourceOptions",
    "Span",
    "Status",
    "Store",
    "Summary",
    "SyncCounts",
    "SyncDocument",
    "SyncError",
    "SyncFinding",
    "SyncHeld",
    "SyncItem",
    "SyncOptions",
    "SyncOutcome",
    "SyncPackages",
    "SyncPlan",
    "SyncProgress",
    "SyncReport",
    "SyncVerified",
    "Target",
    "Tool",
    "Verdict",
    "WritableFile",
    "__version__",
    "acrawl",
    "aiter_entries",
    "apublish",
    "aread",
    "async_sync",
    "audit",
    "avalidate",
    "crawl",
    "create_package",
    "dataset",
    "diff",
    "explain",
    "explanation",
    "is_valid",
    "iter_diagnostics",
    "iter_entries",
    "merge",
    "notify",
    "oai",
    "open_package",
    "publish",
    "read",
    "read_sitemap",
    "rules",
    "sync",
    "to_arrow",
    "validate",
    "validate_all",
    "verify_package",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("notify", "oai"):
        return import_module(f"{__name__}.{name}")
    if name == "__version__":
        value: Any = import_module(f"{__name__}._core").VERSION
    elif name in _MODULES:
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
