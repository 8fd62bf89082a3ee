"""Applies the changes of a Source in the database of an application, each exactly once.

A change is returned by the Destination until it is acknowledged. The sequence of the last applied change is stored in the transaction that applies
it, so that a change which is returned again, after a kill between the transaction and its acknowledgement, is recognised.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from . import notify
from ._destination import AppliedChange, Destination
from ._errors import SyncError
from ._http import HttpFetcher
from ._platform import batched
from ._sync import SyncReport

#: Changes that are applied in one transaction.
BATCH = 100
#: Problems of a run that are reported.
_PROBLEMS = 20
#: Identifies the state folder: sequences of another one are not compared.
_TOKEN = "application.token"
#: The sequences of the last change that was acknowledged, and of the last that was passed to a transaction, to recognize a database or a state folder
#: that was restored from a backup.
_MARKS = "application.acknowledged"
#: Seconds after which values are loaded again that a callback may have changed.
_TICK = 60.0

Apply = Callable[[AppliedChange], object]


class Place(Protocol):
    """What an application has applied, in a transaction that locks it."""

    def sequence(self, token: str, /) -> int:
        """The sequence of the last change that was applied of the state folder with this token; 0 for another one."""
        ...

    def store(self, change: AppliedChange, key: str, /) -> None:
        """Stores what is held of a resource, or that it was deleted, and the sequence of the change."""
        ...


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of a run: changes that were applied, the outcome of the report of the copy, and the first problems in it."""

    name: str
    created: int
    updated: int
    deleted: int
    outcome: str
    in_step: bool
    problems: tuple[str, ...] = ()

    def to_text(self) -> str:
        """A line for people."""
        return f"{self.name}: {self.created} created, {self.updated} updated, {self.deleted} deleted, {self.outcome}"


def follow(
    name: str,
    source: str,
    state: str | os.PathLike[str],
    options: Mapping[str, Any],
    transaction: Callable[[], AbstractContextManager[Place]],
    apply: Apply | None,
) -> Applied:
    """Applies all changes that were not applied yet, in order.

    :raises SyncError: if no run is possible, another one is at work, or the database and the state are of different times.
    """
    counts = {"created": 0, "updated": 0, "deleted": 0}
    with Destination(source, state=state, **options) as destination, destination.changes() as changes:
        token, (acknowledged, passed) = _token(Path(state)), _marks(Path(state))
        with transaction() as place:
            stored = place.sequence(token)
        again = f"without {state} everything is applied again as created"
        if stored < acknowledged:
            raise SyncError("state", f"the database is older than {state}, so it lacks changes; {again}")
        if passed is not None and stored > passed:
            raise SyncError("state", f"{state} is older than the database, so its changes have numbers that were used before; {again}")
        for batch in batched(changes, BATCH):
            # INVARIANT: The sequence in the database is between the marks, also after a kill.
            last = batch[-1].sequence
            passed = max(passed or 0, stored, last)
            _mark(Path(state), acknowledged, passed)
            applied: list[AppliedChange] = []
            with transaction() as place:
                stored = place.sequence(token)
                for change in batch:
                    if change.sequence <= stored:
                        continue
                    if apply is not None:
                        apply(change)
                    place.store(change, hashlib.sha256(change.uri.encode()).hexdigest())
                    applied.append(change)
            acknowledged = max(acknowledged, last)
            _mark(Path(state), acknowledged, passed)
            changes.done(batch)
            for change in applied:
                counts[change.change] += 1
        report = changes.report
    done = Applied(name, **counts, outcome="not synchronized", in_step=False, problems=())
    return done if report is None else replace(done, outcome=report.outcome, in_step=report.in_step, problems=_problems(report))


def _problems(report: SyncReport) -> tuple[str, ...]:
    """The first problems of a report, in one line each."""
    causes = [(each.uri, each.cause) for each in report.documents] + [(each.uri, each.cause) for each in report.items]
    failed = (f"{uri}: {cause.message_in('en')}" for uri, cause in causes if cause)
    return (*map(str, report.diagnostics), *failed)[:_PROBLEMS]


def _marks(state: Path) -> tuple[int, int | None]:
    """The marks of a state folder. Earlier versions did not store the second one, nor any before the first change."""
    place = state / _MARKS
    try:
        numbers = [int(each) for each in place.read_text().split()]
        return numbers[0], numbers[1] if len(numbers) > 1 else None
    except FileNotFoundError:
        return 0, None
    except (ValueError, IndexError):
        raise SyncError("state", f"{place} is damaged; without {state} everything is applied again as created") from None


def _mark(state: Path, acknowledged: int, passed: int) -> None:
    _write(state / _MARKS, f"{acknowledged} {passed}")


def _write(place: Path, text: str) -> None:
    """Replaces a file as a whole. It is durable when this returns."""
    new = place.with_name(f"{place.name}.new")
    with new.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(place)
    if os.name == "posix":
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _token(state: Path) -> str:
    """The token of a state folder, which is written once."""
    place = state / _TOKEN
    if not place.exists():
        _write(place, secrets.token_hex(16))
    return place.read_text()


def answer(
    callback: str, state: notify.State, method: str, path: str, query: str | bytes, headers: Any, body: bytes
) -> tuple[notify.Reply, Mapping[str, Any], bool]:
    """The reply to a request of a hub, the values to store before it is sent, and whether the Source has to be read."""
    turn = notify.Subscriber(callback, state=state).answer(method, path, query, headers, body)
    assert turn.reply is not None
    return turn.reply, turn.keep, any(isinstance(event, (notify.Notified, notify.Pull, notify.Reread)) for event in turn.events)


class Subscribing:
    """Subscribes with the hubs of a Source, with values that the callback may change at the same time in another process.

    :param load: returns all values.
    :param swap: stores a value if the stored one is still the given one; ``None`` is no value.
    """

    def __init__(self, callback: str, source: str, load: Callable[[], notify.State], swap: Callable[[str, Any, Any], object], allow: Iterable[str] = ()) -> None:
        self._callback = callback
        self._source = source
        self._load = load
        self._swap = swap
        self._fetcher = HttpFetcher(allow=allow)
        self._is_started = False

    def run(self) -> float:
        """Sends what is due. Returns the time of the next call, in seconds since 1970."""
        known = dict(self._load())

        def keep(values: Mapping[str, Any]) -> None:
            for key, value in values.items():
                self._swap(key, known.get(key), value)
                known[key] = value

        subscriber = notify.Subscriber(self._callback, state=known)
        turn = subscriber.tick() if self._is_started else subscriber.follow(self._source)
        _, until = notify.drive(subscriber, turn, self._fetcher.exchange, keep)
        self._is_started = True
        latest = time.time() + _TICK
        return latest if until is None else min(until.timestamp(), latest)
