"""Validates whole Sources on a cluster: the crawlers run in the driver, and workers fetch and read what they request."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _core, _sync
from .._dataset import Dataset
from .._errors import ConfigError
from .._partition import Partition
from .._report import Report
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


@dataclass(frozen=True)
class Shared:
    """What all tasks of a run have in common: its hosts, its requests, those of a lane, its options and its seed."""

    starts: tuple[str, ...]
    servers: Mapping[str, Any]
    lane: Mapping[str, int]
    options: Mapping[str, Any]
    seed: int


@dataclass(frozen=True)
class Task:
    """Fetches that one worker performs one after the other, each with the number of its Source."""

    shared: Shared
    is_lane: bool
    fetches: tuple[tuple[int, str], ...]


def perform(task: Task) -> Iterator[tuple[int, bytes]]:
    """The parcels of a task, each with the number of its Source."""
    shared = task.shared
    own = options(**shared.options)
    given = {"starts": shared.starts, "servers": shared.servers, "limits": shared.lane if task.is_lane else {}}
    documents = _core.Documents(json.dumps(given), own)
    for source, fetch in task.fetches:
        yield source, documents.perform(fetch, own, shared.seed)


#: Performs tasks and returns their parcels.
Collect = Callable[[list[Task]], Iterable[tuple[int, bytes]]]


def collect(spark: Any, tasks: list[Task]) -> Iterable[tuple[int, bytes]]:
    """Performs tasks on the cluster."""
    parcels: list[tuple[int, bytes]] = spark.sparkContext.parallelize(tasks, len(tasks)).flatMap(perform).collect()
    return parcels


def validate(
    spark: Any,
    sources: Iterable[str],
    *,
    lanes: int = 4,
    requests_per_second: int = 10,
    own_hosts: Iterable[str] = (),
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    max_per_rule: int = 100,
    limits: Mapping[str, int] | None = None,
    **servers: Unpack[_sync.ServerOptions],
) -> Validated:
    """Validates whole Sources. Each round is one job that performs all fetches that are known, of all Sources; there are as many rounds as the
    deepest Source is deep.

    :param sources: URIs of Sources, as for ``validate --follow``.
    :param lanes: tasks that may request from one host at the same time, with one connection each.
    :param requests_per_second: for each host, all its lanes together.
    :param own_hosts: your own servers, for which neither applies.
    """
    starts = tuple(dict.fromkeys(sources))
    if not starts or not all("://" in start for start in starts):
        raise ConfigError("sources: expected URIs of Sources")
    rate = whole("requests_per_second", requests_per_second, 1)
    lanes = min(whole("lanes", lanes, 1), rate)
    words: dict[str, Any] = {"profile": profile, "select": list(select), "ignore": list(ignore), "max_per_rule": max_per_rule, "limits": dict(limits or {})}
    given: dict[str, Any] = json.loads(json.dumps(_sync._given(servers)["servers"], default=_sync._plain))
    division = json.dumps({"lanes": lanes, "ownHosts": list(own_hosts), "least": spark.sparkContext.defaultParallelism})
    shared = Shared(starts, given, {"http_connections": 1, "http_requests_per_second": rate // lanes}, words, secrets.randbits(64))
    return Validated(crawled(shared, starts, division, lambda tasks: collect(spark, tasks)))


def here(tasks: list[Task]) -> Iterator[tuple[int, bytes]]:
    """Performs tasks in this process."""
    for task in tasks:
        yield from perform(task)


def crawled(shared: Shared, starts: Iterable[str], division: str, collect: Collect) -> dict[str, Report]:
    """The report of each Source, crawled in rounds whose tasks others perform."""
    starts, words, seed = tuple(starts), shared.options, shared.seed
    crawls = [_core.Rounds(number, start, options(**words), seed) for number, start in enumerate(starts)]
    open_ = dict(enumerate(crawls))
    while open_:
        rounds = {number: crawl.next() for number, crawl in open_.items()}
        open_ = {number: crawl for number, crawl in open_.items() if rounds[number]}
        fetches = {(number, json.loads(place)["turn"]): (number, fetch) for number, own in rounds.items() for fetch, place in own}
        places = [place for own in rounds.values() for _, place in own]
        tasks: list[Task] = []
        for each in map(json.loads, _core.divide(places, division)):
            tasks.append(Task(shared, each.get("host") is not None, tuple(fetches[one["source"], one["turn"]] for one in each["inputs"])))
        for number, parcel in collect(tasks) if tasks else ():
            crawls[number].deliver(parcel)
    return {start: Report._of(crawl.report(), "en") for start, crawl in zip(starts, crawls)}


def hosts(data: Dataset) -> list[Partition]:
    """The Sources of a dataset, those of a host in one partition, which crawls them one after the other."""
    if not all("://" in source for source in data._sources):
        raise ConfigError("what: `documents` needs URIs of Sources")
    own = options(**data._given["options"])
    places = [_core.Rounds(number, source, own, 0).next()[0][1] for number, source in enumerate(data._sources)]
    made = map(json.loads, _core.divide(places, json.dumps({**data._given["division"], "lanes": 1})))
    return [Partition(each.get("host"), tuple(each["inputs"])) for each in made]


def documents(data: Dataset, partition: Partition) -> Iterator[tuple[str, Report]]:
    """Each Source of a partition with the report of its crawl."""
    given = data._given
    lane = {**given["http"]["plan"], "http_connections": 1}
    for each in partition._inputs:
        source = data._sources[int(each["source"])]
        shared = Shared((source,), given["servers"], lane, given["options"], secrets.randbits(64))
        yield source, crawled(shared, (source,), json.dumps({**given["division"], "lanes": 1}), here)[source]
