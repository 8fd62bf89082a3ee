"""Validates whole Sources on a cluster: the crawlers run in the driver, and workers fetch and read what they request."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _core, _sync
from .._errors import ConfigError
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
class Task:
    """Fetches that one worker performs one after the other; they share one seed."""

    starts: tuple[str, ...]
    fetches: tuple[tuple[int, str], ...]
    servers: Mapping[str, Any]
    http: Mapping[str, int]
    options: Mapping[str, Any]
    seed: int


def perform(task: Task) -> Iterator[tuple[int, bytes]]:
    """The parcels of a task, each with the number of its Source."""
    own = options(**task.options)
    documents = _core.Documents(json.dumps({"starts": task.starts, "servers": task.servers, "limits": task.http}), own)
    for source, fetch in task.fetches:
        yield source, documents.perform(fetch, own, task.seed)


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
    seed, rate = secrets.randbits(64), whole("requests_per_second", requests_per_second, 1)
    lanes = min(whole("lanes", lanes, 1), rate)
    words: dict[str, Any] = {"profile": profile, "select": list(select), "ignore": list(ignore), "max_per_rule": max_per_rule, "limits": dict(limits or {})}
    given: dict[str, Any] = json.loads(json.dumps(_sync._given(servers)["servers"], default=_sync._plain))
    division = json.dumps({"lanes": lanes, "ownHosts": list(own_hosts), "least": spark.sparkContext.defaultParallelism})
    shared = {"http_connections": 1, "http_requests_per_second": rate // lanes}
    crawls = [_core.Rounds(number, start, options(**words), seed) for number, start in enumerate(starts)]
    open_ = dict(enumerate(crawls))
    while open_:
        rounds = {number: crawl.next() for number, crawl in open_.items()}
        open_ = {number: crawl for number, crawl in open_.items() if rounds[number]}
        fetches = {(number, json.loads(place)["turn"]): (number, fetch) for number, own in rounds.items() for fetch, place in own}
        places = [place for own in rounds.values() for _, place in own]
        tasks: list[Task] = []
        for each in map(json.loads, _core.divide(places, division)):
            own = tuple(fetches[one["source"], one["turn"]] for one in each["inputs"])
            tasks.append(Task(starts, own, given, shared if each.get("host") else {}, words, seed))
        for number, parcel in collect(spark, tasks) if tasks else ():
            crawls[number].deliver(parcel)
    return Validated({start: Report._of(crawl.report(), "en") for start, crawl in zip(starts, crawls)})
