"""Validates whole Sources on a cluster: the crawlers run in the driver, and workers fetch and read what they request."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel

from .. import _core, _sync
from .._checkpoint import resumed
from .._dataset import Dataset
from .._errors import ConfigError
from .._partition import Partition
from .._report import Report
from .._rounds import Place, Shared, Task, crawled, here, perform, verified
from .._validate import Profile, options
from .._values import whole

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Validated:
    """The reports of whole Sources."""

    reports: Mapping[str, Report]

    def report(self, source: str) -> Report:
        """The report of a Source: that of ``resourcesync validate --follow``, byte for byte."""
        return self.reports[source]


def collect(spark: Any, tasks: list[Task]) -> Iterator[tuple[Place, bytes]]:
    """Performs tasks on the cluster. Their parcels wait on the disks of the executors, and the driver has those of one task at a time."""
    parcels = spark.sparkContext.parallelize(tasks, len(tasks)).flatMap(perform).persist(StorageLevel.DISK_ONLY)
    try:
        # All tasks at a time; the iterator begins one after the other.
        parcels.count()
        yield from parcels.toLocalIterator()
    finally:
        parcels.unpersist()


class ClusterOptions(_sync.ServerOptions, total=False):
    """The options of :func:`validate` and :func:`verify_packages`."""

    #: Tasks that may request from one host at the same time, with one connection each (4).
    lanes: int
    #: For each host, all its lanes together (10).
    requests_per_second: int
    #: Your own servers, for which neither applies.
    own_hosts: Iterable[str]
    #: Larger packages are verified in pieces of about this size, by several tasks (128 MiB).
    piece_bytes: int
    #: A folder of the driver, from which a run that was killed continues.
    checkpoint: str | os.PathLike[str]
    profile: Profile
    select: Iterable[str]
    ignore: Iterable[str]
    max_per_rule: int
    limits: Mapping[str, int]


def validate(spark: Any, sources: Iterable[str], **given: Unpack[ClusterOptions]) -> Validated:
    """Validates whole Sources. Each round is one job that performs all fetches that are known, of all Sources; there are as many rounds as the
    deepest Source is deep, and one more for each in which large packages are found.

    :param sources: URIs of Sources, as for ``validate --follow``.
    """
    starts = tuple(dict.fromkeys(sources))
    if not starts or not all("://" in start for start in starts):
        raise ConfigError("sources: expected URIs of Sources")
    shared, division = _settings(spark, given)
    with resumed(given.get("checkpoint"), shared, starts, partial(collect, spark)) as (own, on):
        reports = crawled(own, starts, division, on)
    return Validated(reports)


def verify_packages(spark: Any, packages: Iterable[str], **given: Unpack[ClusterOptions]) -> Validated:
    """Verifies packages against their manifests; large ones by their members, on several workers.

    :param packages: URIs of dumps, each of which has a report with its packages, as for ``validate --follow``; and paths of packages, or of folders
        of them, on a file system that all workers have: each package has the report of ``validate``.
    """
    starts = tuple(dict.fromkeys(packages))
    uris, paths = [start for start in starts if "://" in start], [start for start in starts if "://" not in start]
    shared, division = _settings(spark, given)
    with resumed(given.get("checkpoint"), shared, starts, partial(collect, spark)) as (own, on):
        reports = crawled(own, uris, division, on) | verified(own, paths, division, on)
    return Validated(reports)


def _settings(spark: Any, given: ClusterOptions) -> tuple[Shared, str]:
    """What all tasks have in common, and how they are divided."""
    own: dict[str, Any] = {name: value for name, value in given.items() if name != "checkpoint"}
    rate = whole("requests_per_second", own.pop("requests_per_second", 10), 1)
    lanes = whole("lanes", own.pop("lanes", 4), 1)
    division = {"lanes": lanes, "requestsPerSecond": rate, "ownHosts": list(own.pop("own_hosts", ())), "least": spark.sparkContext.defaultParallelism}
    division["pieceBytes"] = whole("piece_bytes", own.pop("piece_bytes", 128 << 20), 1)
    words = {name: own.pop(name, default) for name, default in (("profile", "standard"), ("select", ()), ("ignore", ()), ("max_per_rule", 100), ("limits", {}))}
    words |= {name: list(words[name]) for name in ("select", "ignore")}
    return Shared(_sync.server_options(own), words, secrets.randbits(64)), json.dumps(division)


def hosts(data: Dataset) -> list[Partition]:
    """The Sources of a dataset, those of a host in one partition, which crawls them one after the other."""
    if not all("://" in source for source in data._sources):
        raise ConfigError("what: `documents` needs URIs of Sources")
    own = options(**data._given["options"])
    places = [_core.Rounds(number, source, own, 0).next()[0][1] for number, source in enumerate(data._sources)]
    made: Iterable[dict[str, Any]] = map(json.loads, _core.divide(places, json.dumps({**data._given["division"], "lanes": 1})))
    return [Partition(each.get("host"), tuple(each["inputs"]), each.get("requestsPerSecond")) for each in made]


def documents(data: Dataset, partition: Partition) -> Iterator[tuple[str, Report]]:
    """Each Source of a partition with the report of its crawl."""
    given = data._given
    servers = data._servers()
    for each in partition._inputs:
        source = data._sources[int(each["source"])]
        shared = Shared(servers, given["options"], secrets.randbits(64))
        yield source, crawled(shared, (source,), json.dumps({**given["division"], "lanes": 1}), here)[source]
