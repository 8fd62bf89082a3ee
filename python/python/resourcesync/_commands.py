"""What the commands of the web frameworks share."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from ._errors import ConfigError, GuardError, PublishError, RefusedError, ResourceSyncError, SyncError
from ._following import Applied
from ._outbox import PlatformPublished
from ._report import Report
from ._validate import validate

logger = logging.getLogger("resourcesync")

#: Seconds after which what was not published or sent is tried again.
_RETRY = 30.0
#: Seconds between two looks for a notification.
_PAUSE = 1.0

Write = Callable[[str], object]


class Incomplete(Exception):
    """A command has done what was possible, and ends with 1."""


#: What ends a command with a message.
ERRORS = (ConfigError, GuardError, Incomplete, PublishError, RefusedError, SyncError)


def message(error: Exception) -> str:
    """The message of one of these, with the options of the commands."""
    return str(error).replace("max_delete=", "--max-delete ")


def stopped() -> threading.Event:
    """Is set by SIGTERM and SIGINT, so that a publication under way is completed."""
    found = threading.Event()

    def end(number: int, frame: object) -> None:
        found.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return found


def report(done: PlatformPublished, write: Write, warn: Write) -> None:
    """Reports a publication: a line for each set, and what went wrong."""
    for name, counts in done.sets.items():
        text = f"{name}: {counts.created} created, {counts.updated} updated, {counts.deleted} deleted, {counts.unchanged} unchanged"
        text += f", {counts.refused} refused" if counts.refused else ""
        write(text + (f", {counts.failed} failed" if counts.failed else ""))
    for warning in (*done.problems, *done.warnings):
        warn(warning)
    if done.waiting:
        warn(f"{done.waiting} notifications wait for a hub")


def finish(done: PlatformPublished, write: Write, warn: Write) -> None:
    """Reports a publication, which has to be complete."""
    report(done, write, warn)
    if not done.is_complete:
        raise Incomplete(f"records that were not published: {len(done.problems)}")


def check(folder: Path, write: Write, keep: Callable[[Report], object] = lambda _: None) -> None:
    """Validates the published documents."""
    found = validate(folder)
    keep(found)
    write(found.to_text().rstrip())
    if not found.is_valid:
        raise Incomplete(f"the published documents are {found.verdict}")


def applied(done: Applied, write: Write) -> None:
    """Reports a run that follows a Source, which has to end in step."""
    write(done.to_text())
    for problem in done.problems:
        write(problem)
    if not done.in_step:
        raise Incomplete(f"not in step: {done.outcome}; the next run continues")


@dataclass(frozen=True, slots=True)
class SetStatus:
    """A set: the number of URIs that are published, and of changes that wait."""

    name: str
    published: int
    waiting: int


def status(base_uri: str, folder: str, sets: Iterable[SetStatus], lag: timedelta | None) -> list[str]:
    """Lines for people. ``lag`` is the age of the oldest change that waits."""
    lines = [f"{base_uri} in {folder}"]
    lines += [f"{each.name}: {each.published} published, {each.waiting} waiting" for each in sets]
    return [*lines, "lag: none, nothing waits" if lag is None else f"lag: {lag.total_seconds():.1f} s"]


def watch(
    pending: Callable[[], tuple[int, int]],
    publish: Callable[[], PlatformPublished],
    recover: Callable[[], object],
    errors: tuple[type[Exception], ...],
    interval: float,
    write: Write,
    warn: Write,
) -> None:
    """Publishes what is pending, until the process is told to end.

    :param pending: two equal values mean that nothing was added; the second is the number of rows.
    :param recover: called after an exception; ``errors`` are those of the database.
    """
    over = stopped()
    pause, next_try = interval, time.monotonic()
    # Rows that could not be published wait for the next attempt, or for further rows.
    left: tuple[int, int] | None = None
    while not over.wait(pause):
        try:
            found = pending()
            if (found[1] == 0 or found == left) and time.monotonic() < next_try:
                continue
            done = publish()
            left, pause = pending() if done.problems else None, interval
            next_try = time.monotonic() + _RETRY if done.waiting or done.problems else float("inf")
        except ConfigError:
            raise
        except Exception as error:
            # A database that is away is asked less and less often.
            pause = min(max(pause * 2, 1.0), _RETRY)
            warn(f"not published, trying again: {_reason(error, errors)}")
            recover()
            continue
        if done.changed or done.problems:
            report(done, write, warn)


def watch_source(
    name: str,
    every: float,
    subscribe: Callable[[], float] | None,
    is_due: Callable[[], bool],
    follow: Callable[[], Applied],
    recover: Callable[[], object],
    errors: tuple[type[Exception], ...],
    write: Write,
) -> None:
    """Follows a Source at once, after each notification, and at the latest after some seconds, until the process is told to end."""
    over = stopped()
    retry = min(_RETRY, every)
    now, next_run, next_tick = 0.0, 0.0, 0.0

    def tick() -> None:
        nonlocal next_tick
        if subscribe is not None and now >= next_tick:
            next_tick = now + _RETRY
            next_tick = subscribe()

    def run() -> None:
        nonlocal next_run
        if now >= next_run or is_due():
            next_run = now + retry
            done = follow()
            write(done.to_text())
            next_run = now + (every if done.in_step else retry)

    while not over.is_set():
        now = time.time()
        # A hub that fails does not keep the Source from being followed.
        for work in (tick, run):
            try:
                work()
            except ConfigError:
                raise
            except Exception as error:
                write(f"{name}: {_reason(error, errors)}")
                recover()
        over.wait(_PAUSE)


def _reason(error: Exception, errors: tuple[type[Exception], ...]) -> str:
    """The message of an exception; one of a function of the application is logged with its traceback."""
    if isinstance(error, (*errors, OSError, ResourceSyncError)):
        return str(error)
    logger.error("%s", error, exc_info=error)
    return f"{type(error).__name__}: {error}"
