"""Keeps the parcels of a run in a folder, so that a run whose driver was killed continues where it was."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import _core
from ._errors import ConfigError, PublishError
from ._lock import locked
from ._rounds import Collect, Job, Place, Shared, Task

#: What a folder consists of: the run, its parcels, the lock of its driver, and a file that was not completely written.
_RUN, _PARCELS, _LOCK = "run.json", "parcels", "lock"
_OWN = re.compile(r"run\.json|parcels|lock|run\.\d+\.part")
#: Tasks that are performed at the same time. Those of servers mostly wait.
_TASKS = 256
#: The fetches after which a task returns its parcels. A piece of a package is as much work as many fetches.
_FETCHES = 32
_DIGEST = 32
#: How a run differs from that of a folder.
_OTHER = {"version": "another version of resourcesync", "sources": "other sources", "options": "other options"}


@contextmanager
def resumed(folder: str | os.PathLike[str] | None, shared: Shared, starts: Iterable[str], collect: Collect) -> Generator[tuple[Shared, Collect]]:
    """What the run in a folder has in common, with its seed, and what performs the tasks of which the folder has no parcels. Once the block is complete the
    folder has no run any more. Without a folder nothing is kept.

    :raises ConfigError: if the folder belongs to another run, is not one of runs, or is used by another process.
    """
    if folder is None:
        yield shared, collect
        return
    place = Path(folder)
    _check(place)
    place.mkdir(0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(place / _LOCK, 0))
        except PublishError:
            raise ConfigError(f"checkpoint: another process uses {place}; wait until it has ended, or name another folder") from None
        own = _Checkpoint(place, _identity(shared, starts))
        yield replace(shared, seed=own.seed), own.around(collect)
        own.end()


def _check(place: Path) -> None:
    """Rejects a folder with files that are not of a run, since what a run leaves behind is removed."""
    try:
        others = sorted(name for name in os.listdir(place) if not _OWN.fullmatch(name))
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise ConfigError(f"checkpoint: {place} is not a folder") from None
    if others:
        raise ConfigError(f"checkpoint: {place} has other files, such as {others[0]}; name a folder that is empty or does not exist")


def _identity(shared: Shared, starts: Iterable[str]) -> dict[str, str]:
    """What must be the same for a run to continue: everything that decides what its reports contain, and not how fast servers are requested.
    Digests, since URIs may contain what others should not read."""
    sources = sorted(start if "://" in start else os.path.abspath(start) for start in starts)
    allowed = {"allow_host": sorted(shared.servers.get("allow_host", ())), "robots": shared.servers.get("robots")}
    parts = {"sources": sources, "options": {**shared.options, "servers": allowed}}
    digests = {name: hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest() for name, value in parts.items()}
    return {"version": _core.VERSION, **digests}


class _Checkpoint:
    """The run in a folder, which this process has locked."""

    def __init__(self, place: Path, identity: dict[str, str]) -> None:
        self._place = place
        try:
            run: Any = json.loads((place / _RUN).read_bytes())
        except FileNotFoundError:
            # A run that had ended may not have removed all of its parcels.
            self._clear()
            run = {**identity, "seed": secrets.randbits(64)}
            _write(place / _RUN, json.dumps(run).encode())
        except ValueError:
            run = None
        if not isinstance(run, dict) or {*run} != {*identity, "seed"} or not isinstance(run["seed"], int) or not 0 <= run["seed"] < 1 << 64:
            raise ConfigError(f"checkpoint: {place / _RUN} is not of a run; remove the folder, or name another one")
        if others := [_OTHER[name] for name, value in identity.items() if run[name] != value]:
            raise ConfigError(f"checkpoint: {place} belongs to a run with {' and '.join(others)}; remove the folder to start again, or name another one")
        self.seed: int = run["seed"]

    def around(self, collect: Collect) -> Collect:
        """Performs what has no parcel yet, and keeps each parcel before any is delivered. The tasks are performed in parts, each of which is collected by
        itself, so that little is lost if the driver is killed."""

        def collected(tasks: list[Task]) -> Iterator[tuple[Place, bytes]]:
            wanted = [job for task in tasks for job in task.jobs if not self._is_needless(job)]
            missing = {self._path(job) for job in wanted if self._kept(job) is None}
            left = [replace(task, jobs=own) for task in tasks if (own := tuple(job for job in task.jobs if self._path(job) in missing))]
            is_over = threading.Event()
            with ThreadPoolExecutor(_TASKS) as pool:
                try:
                    for done in as_completed([pool.submit(self._perform, task, collect, is_over) for task in left]):
                        done.result()
                finally:
                    is_over.set()
            # In the order in which crawlers process them, so that none has to wait in memory.
            for job in sorted(wanted, key=lambda job: job.place):
                if (parcel := self._kept(job)) is not None:
                    yield job.place, parcel

        return collected

    def _perform(self, task: Task, collect: Collect, is_over: threading.Event) -> None:
        most = 1 if task.jobs[0].piece else _FETCHES
        for first in range(0, len(task.jobs), most):
            # Each part begins with a request at once.
            if first and task.rate is not None:
                is_over.wait(1 / task.rate)
            if is_over.is_set():
                return
            jobs = task.jobs[first : first + most]
            # The pieces of a package have the same place.
            part = replace(task, jobs=tuple(replace(job, place=(0, number)) for number, job in enumerate(jobs)))
            for (_, number), parcel in collect([part]):
                self._keep(jobs[number], parcel)

    def _is_needless(self, job: Job) -> bool:
        """True for a piece of a package that was read as a whole."""
        return job.piece is not None and self._kept(replace(job, piece=None)) is not None

    def _kept(self, job: Job) -> bytes | None:
        """The parcel of a job. A file that is damaged, or was not written for this job of this run, is none, so that the job is performed again."""
        path = self._path(job)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        parcel = content[:-_DIGEST]
        return parcel if content == parcel + self._digest(path, parcel) else None

    def _keep(self, job: Job, parcel: bytes) -> None:
        path = self._path(job)
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        _write(path, parcel + self._digest(path, parcel))

    def _path(self, job: Job) -> Path:
        # INVARIANT: whoever asks for the same gets the same. The number of a fetch is a part of it: a round is delivered as a whole and processed in
        # the order of the numbers, so that equal answers lead to equal numbers, and after another answer other fetches are other files.
        name = hashlib.sha256(json.dumps([job.start, job.fetch, job.piece]).encode()).hexdigest()
        return self._place / _PARCELS / name[:2] / f"{name}.parcel"

    def _digest(self, path: Path, parcel: bytes) -> bytes:
        own = hashlib.sha256(f"{self.seed} {path.name} ".encode())
        own.update(parcel)
        return own.digest()

    def end(self) -> None:
        """Ends the run: from the first step on its parcels are of no run."""
        (self._place / _RUN).unlink()
        if os.name == "posix":
            folder = os.open(self._place, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        self._clear()

    def _clear(self) -> None:
        parcels = self._place / _PARCELS
        for path in [*parcels.glob("??/*.parcel"), *parcels.glob("??/*.part"), *self._place.glob("run.*.part")]:
            path.unlink()
        for folder in [*parcels.glob("??"), parcels]:
            with suppress(OSError):
                folder.rmdir()


def _write(path: Path, content: bytes) -> None:
    """Writes a file that only this user reads, and that is there as a whole or not at all."""
    part = path.with_suffix(f".{threading.get_ident()}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    with open(os.open(part, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
