"""Whole Sources whose fetches others perform: the crawlers run in one process, and tasks can be performed in any other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import _core
from ._dataset import lane
from ._errors import ConfigError
from ._report import Report
from ._validate import options


@dataclass(frozen=True)
class Shared:
    """What all tasks of a run have in common: how servers are requested, its options and its seed, and the version of the driver."""

    servers: Mapping[str, Any]
    options: Mapping[str, Any]
    seed: int
    version: str = _core.VERSION


#: The numbers of a Source and of a fetch of its crawl.
Place = tuple[int, int]


@dataclass(frozen=True)
class Job:
    """What is read: a fetch of the crawl from a start, or the package in a file; of a piece of it, or with what was found of its pieces."""

    place: Place
    fetch: str
    #: The URI of the Source; none for a file. What it may request is that of a crawl of this Source alone.
    start: str | None = None
    piece: str | None = None
    pieces: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Task:
    """What one worker reads, one after the other."""

    shared: Shared
    #: The requests per second of its lane; none for own hosts and files.
    rate: int | None
    jobs: tuple[Job, ...]


def perform(task: Task) -> Iterator[tuple[Place, bytes]]:
    """The parcels of a task; of a file the report. A piece that could not be read has none.

    :raises ConfigError: if this process has another version than the driver, which could not read its parcels.
    """
    shared = task.shared
    if shared.version != _core.VERSION:
        raise ConfigError(f"a worker has resourcesync {_core.VERSION}, but the driver has {shared.version}; install one version everywhere")
    own = options(**shared.options)
    is_online = any(job.start is not None for job in task.jobs)
    given: dict[str, Any] = {"isOnline": is_online, "servers": shared.servers, "limits": {} if task.rate is None else lane(task.rate)}
    documents = _core.Documents(json.dumps(given), own)
    for job in task.jobs:
        pieces = list(job.pieces)
        made: bytes | None
        if job.start is None and job.piece is None:
            made = documents.verify(job.fetch, own, shared.seed, pieces)
        elif job.start is None:
            made = documents.verify_piece(job.fetch, str(job.piece), own, shared.seed)
        elif job.piece is None:
            made = documents.perform(job.start, job.fetch, own, shared.seed, pieces)
        else:
            made = documents.perform_piece(job.start, job.fetch, job.piece, own, shared.seed)
        if made is not None:
            yield job.place, made


#: Performs tasks and returns their parcels.
Collect = Callable[[list[Task]], Iterable[tuple[Place, bytes]]]


def here(tasks: list[Task]) -> Iterator[tuple[Place, bytes]]:
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
        jobs = [(place, Job(_place(place), fetch, starts[number])) for number, own in rounds.items() for fetch, place in own]
        for (number, _), parcel in _performed(shared, jobs, division, collect):
            crawls[number].deliver(parcel)
    return {start: Report._of(crawl.report(), "en") for start, crawl in zip(starts, crawls)}


def verified(shared: Shared, paths: Iterable[str], division: str, collect: Collect) -> dict[str, Report]:
    """The report of each package in these files and folders."""
    documents = _core.Documents(json.dumps({"isOnline": False, "servers": shared.servers, "limits": {}}), options(**shared.options))
    planned = [each for number, path in enumerate(paths) for each in documents.plan(number, path)]
    files = {_place(each): json.loads(each)["uri"] for each in planned}
    chosen = [each for each in planned if "parent" not in json.loads(each) or files[_place(each)].lower().endswith(".zip")]
    jobs = [(each, Job(_place(each), files[_place(each)])) for each in chosen]
    reports = dict(_performed(shared, jobs, division, collect))
    return {files[job.place]: Report._of(reports[job.place], "en") for _, job in jobs}


def _place(planned: str) -> Place:
    own = json.loads(planned)
    return own["source"], own["turn"]


def _performed(shared: Shared, jobs: list[tuple[str, Job]], division: str, collect: Collect) -> Iterable[tuple[Place, bytes]]:
    """What these jobs give, each with its place in the plan: first the pieces of large packages are read, then everything, with what was
    found of them."""
    by_place = {job.place: job for _, job in jobs}
    pieces: dict[Place, list[bytes]] = {}

    def tasks(how: str, made: Callable[[Job, str | None], Job | None]) -> list[Task]:
        divided: list[Task] = []
        for each in map(json.loads, _core.divide([planned for planned, _ in jobs], how)):
            of = [made(by_place[one["source"], one["turn"]], json.dumps(one["piece"]) if "piece" in one else None) for one in each["inputs"]]
            if own := tuple(job for job in of if job):
                divided.append(Task(shared, each.get("requestsPerSecond"), own))
        return divided

    of_pieces = tasks(division, lambda job, piece: replace(job, piece=piece) if piece else None)
    for place, parcel in collect(of_pieces) if of_pieces else ():
        pieces.setdefault(place, []).append(parcel)
    whole = tasks(json.dumps({**json.loads(division), "pieceBytes": None}), lambda job, _: replace(job, pieces=tuple(pieces.get(job.place, ()))))
    return collect(whole) if whole else ()
