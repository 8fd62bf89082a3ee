"""Sources as tables: planned once, read and validated in partitions by any engine."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

from . import _core, _members, _sync
from ._arrow import COLUMNS, arrow_schema, pyarrow
from ._errors import ConfigError, DocumentError, InputError
from ._partition import Partition
from ._report import Report
from ._rows import rows
from ._table import Table
from ._validate import Profile, options
from ._values import headers, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack

What = Literal["resources", "changes", "members"]
#: The kinds of the documents and packages of which each table is made, besides those that only reading shows.
_KINDS: Mapping[str, tuple[str, ...]] = {
    "resources": ("resource-list",),
    "changes": ("change-list",),
    "members": ("resource-dump-manifest", "change-dump-manifest", "package"),
}
#: Sources that are planned at the same time.
_THREADS = 8
#: The columns after those of an entry, which are the same for all rows of a document.
_AROUND = ("source", "set", "document", "problem")


class Dataset(Table):
    """The entries of Sources as one table; see :func:`dataset`. It can be pickled."""

    def __init__(self, sources: list[str], what: What, columns: tuple[str, ...], given: Mapping[str, Any]) -> None:
        self._sources: list[str] = sources
        self._what: What = what
        self._columns: tuple[str, ...] = columns
        self._given: Mapping[str, Any] = given
        self._planned: list[Partition] | None = None
        #: The clients of this process, by what they are for.
        self._opened: dict[str, _core.Documents] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": {}, "_planned": None}

    @property
    def schema(self) -> Any:
        """The ``pyarrow.Schema`` of the table."""
        return _members.schema(self._columns, _AROUND) if self._what == "members" else arrow_schema(pyarrow(), self._columns, _AROUND)

    def partitions(self) -> list[Partition]:
        """The parts of the table. The first call plans: it fetches the documents that lead to lists, and reads none of the lists."""
        if self._planned is None:
            with ThreadPoolExecutor(_THREADS) as pool:
                self._divide(each for found in pool.map(self._plan, range(len(self._sources))) for each in found)
        return list(self._planned or ())

    def _plan(self, number: int) -> list[str]:
        """What a Source consists of."""
        return self._documents("plan").plan(number, self._sources[number], json.dumps(self._given["selection"]))

    def _divide(self, planned: Iterable[str]) -> None:
        inputs = list(planned)
        found: list[dict[str, Any]] = list(map(json.loads, inputs)) if self._given["sets"] else []
        absent = {*self._given["sets"]} - {each.get("set") for each in found}
        if absent and not any("problem" in each for each in found):
            raise self._nothing_of(absent)
        made: Iterable[dict[str, Any]] = map(json.loads, _core.divide(inputs, json.dumps(self._given["division"])))
        self._planned = [Partition(each.get("host"), tuple(each["inputs"]), each.get("requestsPerSecond")) for each in made]

    def _nothing_of(self, absent: set[str]) -> ConfigError:
        """The error of wanted sets that are not there."""
        return ConfigError(f"sets: nothing of `{self._what}` belongs to the set {min(absent)}; a set is the URI of its Capability List")

    def read(self, partition: Partition) -> Iterator[Any]:
        """The rows of a partition as ``pyarrow.RecordBatch``. The rows of a damaged document come before its problem.

        :raises InputError, DocumentError: with ``on_unreadable="fail"``.
        """
        schema, documents = self.schema, self._reading(partition)
        for each in partition._inputs:
            try:
                yield from self._rows(each, schema, documents)
            except (InputError, DocumentError) as error:
                if self._given["on_unreadable"] == "fail":
                    raise
                if self._given["on_unreadable"] == "row":
                    yield self._problem(each, schema, str(error))

    def validate(self, partition: Partition) -> Iterator[tuple[str, Report]]:
        """Each document of a partition, and its report, as the command makes it. :func:`merge` makes one of all."""
        return ((document, report) for _, document, report in self._outcomes(partition))

    def _outcomes(self, partition: Partition) -> Iterator[tuple[str, str, Report]]:
        documents = self._reading(partition)
        for each in partition._inputs:
            # A package is validated as a whole, with its first piece.
            if each.get("piece", {}).get("number", 0) > 0:
                continue
            source = self._sources[int(each["source"])]
            yield source, str(each["uri"]), Report._of(documents.validate(source, json.dumps(each)), "en")

    def _with(self, columns: tuple[str, ...]) -> Dataset:
        own = Dataset(self._sources, self._what, columns, self._given)
        own._planned = self.partitions()
        return own

    def _only(self, sources: Iterable[str], selection: Mapping[str, Any]) -> Dataset:
        """The part of the table with these Sources and what is selected."""
        given = {**self._given, "sets": (), "selection": {**self._given["selection"], **selection}}
        return Dataset([each for each in self._sources if each in sources], self._what, self._columns, given)

    def _documents(self, role: Literal["plan", "own"]) -> _core.Documents:
        """The client of this process for the plan, or for own hosts and folders."""
        if role not in self._opened:
            self._opened[role] = self._client(self._given["http"][role])
        return self._opened[role]

    def _servers(self) -> Mapping[str, Any]:
        """How servers are requested from this process, with its secrets."""
        return {**self._given["servers"], **_secrets(self._given["headers_file"])}

    def _client(self, limits: Mapping[str, int]) -> _core.Documents:
        given = {"isOnline": any("://" in each for each in self._sources), "servers": self._servers(), "limits": limits}
        return _core.Documents(json.dumps(given), options(**self._given["options"]))

    def _reading(self, partition: Partition) -> _core.Documents:
        """The client for the documents of a partition. Each lane has one of its own, since none waits for another one."""
        rate = partition.requests_per_second
        if rate is None:
            return self._documents("own")
        # The plan, or the partition before, may have asked this host just now.
        time.sleep(1 / rate if rate else 0)
        return self._client(lane(rate))

    def _rows(self, each: Mapping[str, Any], schema: Any, documents: _core.Documents) -> Iterator[Any]:
        if "problem" in each:
            raise InputError(f"[INP-01] {each['uri']}: {_core.reason(json.dumps(each['problem']), 'en')}")
        source = self._sources[int(each["source"])]
        if self._what == "members":
            if members := _members.opened(documents, source, each):
                yield from _members.batches(members, schema, self._around(each, None), "content" in self._columns)
            return
        columns = self._reader(each.get("slice"))
        # A document in a folder may be anything; one that is listed or named may not.
        is_claimed = each["kind"] != "unknown" or "parent" not in each
        body = documents.open(source, json.dumps(each))
        yield from rows(body, columns, _KINDS[self._what][0], is_claimed, schema, self._around(each, None))

    def _reader(self, slice_: str | None = None) -> _core.Columns:
        limits = options(limits=self._given["options"]["limits"])
        return _core.Columns(limits, list(self._columns), True, slice_, json.dumps(self._given["selection"]))

    def _problem(self, each: Mapping[str, Any], schema: Any, words: str) -> Any:
        """A row without values, and with a problem."""
        return pyarrow().RecordBatch.from_pylist([self._around(each, " ".join(words.split()))], schema=schema)

    def _around(self, each: Mapping[str, Any], problem: str | None) -> Mapping[str, str | None]:
        source = self._sources[int(each["source"])]
        return {"source": source, "set": each.get("set"), "document": each["uri"], "problem": problem}


def _secrets(path: str | None) -> Mapping[str, Any]:
    """The headers in a file, by origin and name, as the option of servers."""
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            given = json.load(file)
    except (OSError, ValueError) as error:
        # Without what was read, which is secret.
        raise ConfigError(f"headers_file: {path} cannot be read: {type(error).__name__}; it is a JSON object of headers by origin") from None
    return {"header": headers("headers_file", given)}


def lane(rate: int) -> Mapping[str, int]:
    """The limits of one lane of a host."""
    return {"http_connections": 1, "http_requests_per_second": rate}


def dataset(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    what: What = "resources",
    columns: Iterable[str] | None = None,
    content: bool = False,
    lanes: int = 4,
    requests_per_second: int = 10,
    own_hosts: Iterable[str] = (),
    sets: Iterable[str] = (),
    since: str | None = None,
    headers_file: str | os.PathLike[str] | None = None,
    partition_bytes: int = 128 << 20,
    on_unreadable: Literal["row", "fail", "skip"] = "row",
    profile: Profile = "standard",
    max_per_rule: int = 100,
    limits: Mapping[str, int] | None = None,
    **servers: Unpack[_sync.ServerOptions],
) -> Dataset:
    """Sources as one table, divided into partitions that any engine can read: threads, Spark, Ray, Dask.

    :param source: URIs of Sources (a host, a Source Description, a Capability List, a list), or folders and files with documents.
    :param what: ``resources``: the entries of all Resource Lists; ``changes``: those of all Change Lists; ``members``: the members of all
        packages of dumps, verified.
    :param columns: the columns that are built: of entries as in :func:`to_arrow`, of members as in docs/scale.md; all by default. ``source``,
        ``set``, ``document`` and ``problem`` are always there. ``index`` and ``length`` are int64.
    :param content: whether members have their verified bytes, up to 64 MB each.
    :param lanes: partitions that may read from one host at the same time, with one connection each.
    :param requests_per_second: for each host, all its lanes together.
    :param own_hosts: your own servers, such as ``store.example``, for which neither applies.
    :param sets: the URIs of the Capability Lists whose sets are wanted; by default all. What cannot be read while planning stays, as it may lead to them.
    :param since: the moment from which on changes are wanted. A closed Change List that its index, or the list itself, dates before is not read;
        changes without a date, and those dated by the day it happened, stay.
    :param headers_file: a JSON file with headers by origin, as of ``header``, which each process reads where it runs, so that secrets are in no plan.
    :param partition_bytes: the size of partitions of own hosts and folders. A larger package is divided among several.
    :param on_unreadable: what a document that cannot be read is: a row with its ``problem``, an exception, or nothing.

    >>> data = resourcesync.dataset("resourcelist.xml", columns=["uri", "length"])
    >>> data.to_arrow().read_all().column("length").to_pylist()
    [8876, 14599]
    """
    sources = [os.fspath(each) for each in ([source] if isinstance(source, (str, os.PathLike)) else source)]
    if what not in _KINDS:
        raise ConfigError(f"what: `{what}` is not {', '.join(_KINDS)}")
    known = _members.COLUMNS if what == "members" else COLUMNS
    wanted = known if columns is None else tuple(columns)
    if content and what != "members":
        raise ConfigError("content: only members have it")
    if since is not None and what != "changes":
        raise ConfigError("since: only changes have a date")
    if on_unreadable not in ("row", "fail", "skip"):
        raise ConfigError(f"on_unreadable: `{on_unreadable}` is not row, fail or skip")
    if unknown := [name for name in wanted if name not in known]:
        raise ConfigError(f"columns: there is no column `{unknown[0]}`; there are {', '.join(known)}")
    sets = tuple(sets)
    size = whole("partition_bytes", partition_bytes, 1)
    rate = whole("requests_per_second", requests_per_second, 1)
    lanes = min(whole("lanes", lanes, 1), rate)
    http = {"http_connections": lanes, "http_requests_per_second": rate}
    given = {
        "division": {
            **{"lanes": lanes, "requestsPerSecond": rate, "ownHosts": list(own_hosts)},
            **{"bytes": size, "least": os.cpu_count() or 1, "pieceBytes": size if what == "members" else None},
        },
        "http": {"plan": http, "own": {"http_requests_per_second": 10_000}},
        "options": {"profile": profile, "max_per_rule": max_per_rule, "limits": dict(limits or {})},
        "on_unreadable": on_unreadable,
        "sets": sets,
        "selection": {"kinds": _KINDS[what], "sets": sets, **({} if since is None else {"since": since})},
        "headers_file": None if headers_file is None else os.fspath(headers_file),
        "servers": _sync.server_options(servers),
    }
    made = Dataset(sources, what, (*(name for name in known if name in wanted), *(("content",) if content else ())), given)
    # Other words are rejected at once.
    made._documents("plan")
    made._reader()
    return made
