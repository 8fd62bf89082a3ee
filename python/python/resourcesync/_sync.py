"""Keeps a folder in step with a Source, and checks a copy."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Union, cast

from . import _core
from ._errors import ConfigError
from ._cancel import cancellation
from ._parts import Lang, Reason, make, words
from ._values import headers

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: How a run ended.
SyncOutcome = Literal["in-step", "planned", "incomplete", "refused", "locked", "interrupted", "failed"]
#: A length of time: seconds, or a ``timedelta``.
Duration = Union[float, timedelta]
Folder = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """The progress of a run: documents, resources, deletions or files done of ``total`` (``None`` if unknown), and entries or bytes read."""

    phase: Literal["documents", "resources", "deleting", "files"]
    done: int
    total: int | None
    amount: int


@dataclass(frozen=True, slots=True)
class Seen:
    """Digests, as the standard writes them, and length of a resource, as listed or as received."""

    hash: str | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class SyncItem:
    """The result for one resource. ``path`` is its file below the folder; ``bytes_from`` is where its bytes came from, if they were stored, and
    ``origin`` the URI of that package, mirror, memento or patch; ``kept`` is true if the copy of an earlier run still exists."""

    uri: str
    action: Literal["create", "update", "delete", "archive"]
    result: Literal["done", "failed", "deferred", "conflict", "planned", "withheld"]
    path: str | None = None
    code: str | None = None
    cause: Reason | None = None
    expected: Seen | None = None
    actual: Seen | None = None
    bytes_from: Literal["loc", "package", "mirror", "memento", "patch", "local"] | None = None
    origin: str | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class SyncDocument:
    """A document of the Source; ``cause`` is why it was not read to its end."""

    uri: str
    kind: str
    status: Literal["read", "unchanged", "unread"]
    entries: int
    cause: Reason | None = None


@dataclass(frozen=True, slots=True)
class SyncPackages:
    """The choice between the packages of dumps and a request for each resource: the estimated times, with the rates that they are based on.
    ``supplied`` resources came from packages, and ``failed`` packages supplied nothing (``SYN-21``)."""

    chosen: bool
    packages: int
    bytes: int
    requests_per_second: int
    bytes_per_second: int
    milliseconds: int
    milliseconds_without: int
    supplied: int
    failed: int


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What a run had to do, and why: requests for resources, and the bytes of those whose length is listed. ``kind`` is what was compared:
    all that the Resource Lists contain, or the changes since the last run. ``packages`` is absent if there are no dumps, or too little is to
    be fetched."""

    kind: Literal["list", "changes"]
    why: str
    requests: int
    bytes: int
    packages: SyncPackages | None = None


@dataclass(frozen=True, slots=True)
class SyncCounts:
    """Numbers of resources."""

    created: int
    updated: int
    deleted: int
    unchanged: int
    adopted: int
    failed: int
    deferred: int
    left: int
    skipped: int
    conflicts: int
    withheld: int
    archived: int


@dataclass(frozen=True, slots=True)
class SyncVerified:
    """How the transfers were verified."""

    digest: int
    length: int
    nothing: int
    #: Not verified, since what is listed cannot be read.
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class SyncHeld:
    """What the folder holds."""

    resources: int
    bytes: int


@dataclass(frozen=True, slots=True)
class SyncFinding:
    """A finding about the run."""

    code: str
    severity: str
    message: str
    help: str
    args: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    def message_in(self, lang: Lang) -> str:
        """The message in a language."""
        return words(self, lang)[0]

    def help_in(self, lang: Lang) -> str:
        """The help in a language."""
        return words(self, lang)[1]

    def __str__(self) -> str:
        return f"{self.severity}[{self.code}] {self.message}"


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The report of a run, as in docs/sync-report.schema.json.

    ``outcome`` is ``in-step`` only if every list was read to its end and everything listed is held. ``as_of`` is the time up to
    which all lists and changes are processed. ``items`` has the resources that failed first; ``left_out`` counts those beyond ``max_listed``. ``withheld`` is why deletions
    were not done. ``poll_after`` is the number of seconds until the polled documents expire, if their server states it.
    """

    outcome: SyncOutcome
    number: int
    dry_run: bool
    started: str
    ended: str
    source: str
    documents: tuple[SyncDocument, ...]
    held: SyncHeld
    counts: SyncCounts
    verified: SyncVerified
    bytes: int
    items: tuple[SyncItem, ...]
    left_out: int
    diagnostics: tuple[SyncFinding, ...]
    as_of: str | None
    plan: SyncPlan | None
    withheld: str | None
    poll_after: int | None
    _json: str = field(repr=False)

    @property
    def in_step(self) -> bool:
        """True if the folder holds what the Source lists."""
        return self.outcome == "in-step"

    def to_json(self) -> str:
        """The report as JSON, as ``resourcesync sync --format json`` writes it."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The parsed JSON of the report."""
        return cast("dict[str, Any]", json.loads(self._json))


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """A resource that is not as it should be, or could not be compared.

    ``missing``: the file is missing or was never stored; ``debt``: no run could store it; ``extra``: it is not listed; ``behind``: the
    Source lists another state; ``diverged``: the original that a ``via`` link names has other bytes; ``damaged``: the file has other bytes than those that were verified; ``unverifiable``: nothing is listed to
    compare by; ``unreadable``: ``cause`` is why.
    """

    uri: str
    sign: Literal["missing", "debt", "extra", "behind", "diverged", "damaged", "unverifiable", "unreadable"]
    path: str | None = None
    cause: Reason | None = None
    expected: Seen | None = None
    actual: Seen | None = None


@dataclass(frozen=True, slots=True)
class AuditCounts:
    """Numbers of resources by the result, and of foreign files."""

    missing: int
    debts: int
    extra: int
    behind: int
    diverged: int
    damaged: int
    unverifiable: int
    unreadable: int
    skipped: int
    foreign: int


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of an audit, as in docs/audit-report.schema.json.

    ``outcome`` is ``equal`` only if everything was compared and nothing differs. ``online`` is true if the copy was compared with the
    Source, not only with its own state. ``left_out`` counts the differences beyond ``max_listed``; ``foreign`` has the files that are not
    of the copy, if they were requested. ``originals`` is the number of resources that were compared with their originals, if that was
    requested; without any the outcome is not ``equal``.
    """

    outcome: Literal["equal", "different", "undetermined"]
    completed: bool
    online: bool
    source: str
    started: str
    ended: str
    documents: tuple[SyncDocument, ...]
    equal: int
    counts: AuditCounts
    differences: tuple[AuditDifference, ...]
    left_out: int
    foreign: tuple[str, ...]
    diagnostics: tuple[SyncFinding, ...]
    as_of: str | None
    originals: int | None
    _json: str = field(repr=False)

    @property
    def is_equal(self) -> bool:
        """True if everything was compared, and nothing differs."""
        return self.outcome == "equal"

    def to_json(self) -> str:
        """The result as JSON, as ``resourcesync audit --format json`` writes it."""
        return self._json


class OnSyncProgress(Protocol):
    """Called about ten times per second. An exception ends the run and is propagated; the next run continues."""

    def __call__(self, progress: SyncProgress, /) -> object:
        """Called in the thread of the caller."""
        ...


class ServerOptions(TypedDict, total=False):
    """The options of requests."""

    allow_host: Iterable[str]
    header: Mapping[str, Mapping[str, str]] | None
    from_: str | None
    user_agent: str | None
    robots: bool
    proxy: str | None
    ca_file: Folder | None


class AuditOptions(ServerOptions, total=False):
    """The options of :func:`audit`, which :func:`sync` has too."""

    include: Iterable[str]
    exclude: Iterable[str]
    type: Iterable[str]
    collection: Iterable[str]
    max_length: int | None
    max_listed: int
    limits: Mapping[str, int] | None


class SyncOptions(AuditOptions, total=False):
    """The options of :func:`sync`."""

    plan: Literal["auto", "list", "changes", "dump"]
    full: bool
    require_hash: bool
    accept_older: bool
    max_age: Duration | None
    newer: Literal["refuse", "accept"]
    mirrors: Literal["auto", "never", "only"]
    patches: Literal["verified", "never"]
    patch_with: Mapping[str, str] | None
    history: Literal["none", "mementos"]
    wait: Duration | None
    set: Iterable[str]
    with_metadata: bool
    alternates: Iterable[str]
    no_delete: bool
    max_delete: int | str | None
    trash: Duration | None
    whole: bool
    layout: Literal["uri", "portable", "hash"] | None
    place: Mapping[str, str] | None
    relayout: bool
    rebuild: bool
    adopt: bool
    overwrite: bool
    durability: Literal["group", "none"]
    max_bytes: int | None
    max_time: Duration | None


def sync(
    uri: str | None,
    folder: Folder,
    *,
    dry_run: bool = False,
    state: Folder | None = None,
    progress: OnSyncProgress | None = None,
    on_item: Callable[[SyncItem], object] | None = None,
    **options: Unpack[SyncOptions],
) -> SyncReport:
    """Makes a folder hold what a Source lists, like ``resourcesync sync``: verified, durable, and safe to interrupt.

    The options have the names of the command; see docs/sync.md. The most important ones:

    :param uri: where the Source is found: a host, page, Source Description, Capability List, Resource List or Resource Dump; ``None`` for that of the copy.
    :param plan: the lists that are read: Change Lists where they continue the last run, else Resource Lists (``auto``), or one of them,
        or the manifests of Resource Dumps (``dump``).
    :param dry_run: reads the documents and compares; writes nothing.
    :param full: compares everything, even if no document changed.
    :param set: only these Capability Lists.
    :param include: only resources whose path, or URI if the pattern has ``://``, matches; ``exclude`` is the opposite.
    :param max_delete: maximum deletions, as a number or a percentage such as ``"25%"``; ``no_delete=True`` keeps everything.
    :param place: folders for the URIs that begin with a prefix.
    :param state: the folder of the state, if not in the folder of the copy.
    :param max_time: reads no document and starts no transfer after this time; the next run continues.
    :param limits: overrides limits by name, also those of HTTP; ``http_requests_per_second`` is a fixed rate, instead of one that adapts to each host.
    :param allow_host: other hosts that may be requested: ``HOST``, ``HOST:PORT``, or ``*`` for every public host.
    :param header: headers by origin and name, such as ``{"https://example.com": {"Authorization": "Bearer …"}}``; sent to this origin only.
    :param proxy: the URL of a proxy, or ``none`` to ignore that of the environment.
    :param progress: called about ten times per second.
    :param on_item: called with the result of every resource, including those that the report leaves out.
    :raises SyncError: if no run is possible. What goes wrong later is in the report.
    :raises ConfigError: if an option is invalid.

    Ctrl-C, and an exception of a callback, end the run; what is verified stays, and the next run continues.
    """
    given = {**options, "dry_run": dry_run, "state": state}
    return sync_report(
        _core.sync_folder(uri, os.fspath(folder), run_options(given), tell_progress(progress), take_items(on_item), None, cancellation())
    )


def audit(
    folder: Folder,
    uri: str | None = None,
    *,
    offline: bool = False,
    quick: bool = False,
    download: bool = False,
    via: bool = False,
    foreign: bool = False,
    state: Folder | None = None,
    progress: OnSyncProgress | None = None,
    **options: Unpack[AuditOptions],
) -> AuditReport:
    """Compares a copy with its Source, like ``resourcesync audit``; nothing is changed.

    :param uri: the Source, which must be that of the copy; ``None`` for that.
    :param offline: compares the files with the state of the copy only, without any network.
    :param quick: compares size and time instead of reading the files.
    :param download: fetches resources of which nothing is listed to compare them by.
    :param via: fetches the originals that ``via`` links name, too, and compares the bytes.
    :param foreign: names the files that are not of the copy.
    :param state: the folder of the state, if ``sync`` was called with one.
    :raises SyncError: if the folder is no copy of this Source, or its state cannot be read.

    The other options are those of :func:`sync`.
    """
    given = audit_options({**options, "state": state}, offline=offline, quick=quick, download=download, via=via, foreign=foreign)
    return audit_report(_core.audit_folder(uri, os.fspath(folder), given, tell_progress(progress), None, cancellation()))


def run_options(given: Mapping[str, Any]) -> str:
    """The options of a run, by their names in Python, for the extension module."""
    return json.dumps(_given(given), default=_plain)


def server_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of requests alone, as the extension module reads them.

    :raises ConfigError: if there are others.
    """
    all_given = _given(given)
    if all_given["run"]:
        raise ConfigError(f"`{min(all_given['run'])}` is no option here")
    servers: dict[str, Any] = json.loads(json.dumps(all_given["servers"], default=_plain))
    return servers


def audit_options(given: Mapping[str, Any], **audit: bool) -> str:
    """The options of an audit, for the extension module."""
    return json.dumps({**_given(given), **audit}, default=_plain)


#: Options that are not of the run, but of the requests.
_SERVERS = ("allow_host", "header", "from_", "user_agent", "robots", "proxy", "ca_file")


def _given(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options apart: what is about a run, its requests, and what is around it."""
    run = {name: value for name, value in given.items() if value is not None and value is not False}
    if isinstance(run.get("allow_host"), str):
        raise ConfigError(f"allow_host is a list, such as allow_host=[{run['allow_host']!r}]")
    if "header" in run:
        run["header"] = headers("header", run["header"])
    servers = {name.rstrip("_"): run.pop(name) for name in _SERVERS if name in run}
    around: dict[str, Any] = {"state": None, "until_done": False, "limits": {}}
    return {**{name: run.pop(name, default) for name, default in around.items()}, "servers": servers, "run": run}


def _plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, os.PathLike):
        return os.fspath(cast("os.PathLike[str]", value))
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    if isinstance(value, Iterable):
        return list(cast("Iterable[object]", value))
    raise TypeError(f"{value!r} is no value of an option")


def audit_report(text: str) -> AuditReport:
    """The result of an audit, from its JSON."""
    value: dict[str, Any] = json.loads(text)
    return AuditReport(
        outcome=value["outcome"],
        completed=value["completed"],
        online=value["online"],
        source=value["source"],
        started=value["started"],
        ended=value["ended"],
        documents=tuple(make(SyncDocument, each) for each in value["documents"]),
        equal=value["equal"],
        counts=make(AuditCounts, value["counts"]),
        differences=tuple(make(AuditDifference, each, **_seen(each)) for each in value["differences"]),
        left_out=value["leftOut"],
        foreign=tuple(value.get("foreign", ())),
        diagnostics=tuple(make(SyncFinding, each) for each in value["diagnostics"]),
        as_of=value.get("asOf"),
        originals=value.get("originals"),
        _json=text,
    )


def sync_report(text: str) -> SyncReport:
    """The report of a run, from its JSON."""
    value: dict[str, Any] = json.loads(text)
    run = value["run"]
    return SyncReport(
        outcome=run["outcome"],
        number=run["number"],
        dry_run=run["dryRun"],
        started=run["started"],
        ended=run["ended"],
        source=value["source"],
        documents=tuple(make(SyncDocument, each) for each in value["documents"]),
        held=make(SyncHeld, value["held"]),
        counts=make(SyncCounts, value["counts"]),
        verified=make(SyncVerified, value["verified"]),
        bytes=value["bytes"],
        items=tuple(_item(each) for each in value["items"]),
        left_out=value["leftOut"],
        diagnostics=tuple(make(SyncFinding, each) for each in value["diagnostics"]),
        as_of=value.get("asOf"),
        plan=_plan(value["plan"]) if "plan" in value else None,
        withheld=value.get("withheld"),
        poll_after=value.get("pollAfter"),
        _json=text,
    )


def _plan(value: dict[str, Any]) -> SyncPlan:
    packages = make(SyncPackages, value["packages"]) if "packages" in value else None
    return make(SyncPlan, value, packages=packages)


def _item(value: dict[str, Any]) -> SyncItem:
    return make(SyncItem, value, **_seen(value))


def _seen(value: dict[str, Any]) -> dict[str, Seen]:
    return {name: make(Seen, value[name]) for name in ("expected", "actual") if name in value}


def take_items(on_item: Callable[[SyncItem], object] | None) -> Callable[[str], object] | None:
    """The callback of the extension module for results."""
    if on_item is None:
        return None

    def take(text: str) -> object:
        return on_item(_item(json.loads(text)))

    return take


def tell_progress(progress: OnSyncProgress | None) -> Callable[[Any, int, int | None, int], object] | None:
    """The callback of the extension module for progress."""
    if progress is None:
        return None
    return lambda phase, done, total, amount: progress(SyncProgress(phase, done, total, amount))
