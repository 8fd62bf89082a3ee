"""Change Lists as a stream: which entries lie between two offsets, each exactly once. An engine stores the offsets."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

from . import _core
from ._dataset import Dataset
from ._errors import ConfigError, InputError
from ._partition import Partition
from ._values import whole

#: A plain value: for each set of resources how far its Change Lists were read, and the slices of them that the last step added.
Offset = Mapping[str, Any]
#: Seconds after which the sets of a Source are looked up again.
_DAY = 86_400.0
#: Sources that are followed at the same time.
_THREADS = 8


class Stream:
    """The Change Lists of a dataset from an offset on. What lies between two offsets is decided by the native module."""

    def __init__(
        self,
        data: Dataset,
        *,
        on_gap: Literal["fail", "row"] = "fail",
        on_rewrite: Literal["fail", "row"] = "fail",
        min_interval: int = 60,
        lists: int = 1000,
        entries: int | None = None,
    ) -> None:
        """
        :param on_gap: what follows if no list contains some of the changes: an exception, or a row with the problem.
        :param on_rewrite: the same for a list that was rewritten; it is then read from its beginning.
        :param min_interval: seconds in which Sources are not requested again.
        :param lists: the Change Lists of a set in one step.
        :param entries: the entries after which a step ends, with the list in which this number is reached.
        """
        for name, value in (("on_gap", on_gap), ("on_rewrite", on_rewrite)):
            if value not in ("fail", "row"):
                raise ConfigError(f"{name}: `{value}` is not fail or row")
        if data._what != "changes":
            raise ConfigError("what: streams are of `changes`")
        if not all("://" in source for source in data._sources):
            raise ConfigError("path: streams need URIs of Sources")
        self._data = data
        unreadable = data._given["on_unreadable"]
        self._options = {"onGap": on_gap, "onRewrite": on_rewrite, "onUnreadable": unreadable, "most": whole("lists", lists, 1), "mostEntries": entries}
        self._most: int | None = None if entries is None else whole("entries", entries, 1)
        self._interval = whole("min_interval", min_interval, 0)
        self._asked = float("-inf")
        #: The sets of each Source, as they were found last, and when.
        self._found: dict[str, tuple[float, dict[str, Any]]] = {}
        #: Documents that lead to sets and cannot be read, with the reason.
        self._dead: dict[str, str] = {}
        #: The position of each set with what saves requests.
        self._known: dict[str, tuple[Any, Any]] = {}
        self._latest: Offset | None = None
        #: Sets with lists that were left for the next step, and those that are not read again, if the stream ends.
        self._more: set[str] = set()
        self._ended: set[str] | None = None

    def initial(self) -> Offset:
        """The beginning of every list."""
        return {"v": 1, "sets": {}}

    def end(self) -> None:
        """From now on each set is read until nothing is new, and then no more."""
        self._ended = set()

    def latest(self, start: Offset) -> Offset:
        """The offset after what is new since another one, or the same offset.

        :raises InputError: if it cannot be known what is new, with the code and the remedy.
        """
        before: Mapping[str, Any] = start["sets"]
        now = time.monotonic()
        is_due = now - self._asked >= self._interval
        sets = self._sets(before) if is_due else {key: each for key, each in self._positions(before).items() if key in self._more}
        wanted = {key: each for key, each in sets.items() if key not in (self._ended or ())}
        if not wanted:
            return start
        self._asked = now if is_due else self._asked
        with ThreadPoolExecutor(min(_THREADS, len(wanted))) as pool:
            after = dict(zip(wanted, pool.map(self._advance, wanted, wanted.values())))
        changed = {key: {**each, "after": _token(before.get(key))} for key, each in after.items() if each is not None}
        self._leave(changed)
        if not changed:
            return start
        self._latest = {"v": 1, "sets": {**before, **changed}}
        return self._latest

    def _leave(self, changed: dict[str, Any]) -> None:
        """Leaves sets for the next step, as soon as the others have the entries of one."""
        entries = 0
        for key in list(changed):
            if self._most is not None and entries >= self._most:
                del changed[key]
                self._more.add(key)
                (self._ended or set[str]()).discard(key)
                continue
            entries += sum(slice_["entries"] - slice_["from"] for slice_ in changed[key].get("slices", ()))

    def partitions(self, start: Offset, end: Offset) -> list[Partition]:
        """What lies between two offsets: the same rows each time.

        :raises InputError: if some of them are in no list any more.
        """
        inputs: list[dict[str, Any]] = []
        for key, each in end["sets"].items():
            before: Mapping[str, Any] | None = start["sets"].get(key)
            if before == each:
                continue
            if each["after"] != _token(before):
                raise ConfigError("offset: the end does not follow the start")
            if each["source"] not in self._data._sources:
                raise ConfigError(f"path: {each['source']} has unfinished changes, and is not in the path any more")
            common = {"source": self._data._sources.index(each["source"]), "set": key, "kind": "change-list"}
            words = each.get("problem")
            if words and (before is None or words != before.get("problem")):
                inputs.append({**common, "uri": key, "words": words})
            inputs += [{**common, "uri": slice_["uri"], "slice": json.dumps(slice_)} for slice_ in self._slices(key, before, each, end)]
        plain = [json.dumps({**each, "turn": turn}) for turn, each in enumerate(inputs)]
        made: list[dict[str, Any]] = [json.loads(each) for each in _core.divide(plain, json.dumps(self._data._given["division"]))]
        return [Partition(each.get("host"), tuple(inputs[int(one["turn"])] for one in each["inputs"])) for each in made]

    def read(self, partition: Partition) -> Iterator[Any]:
        """The rows of a partition as ``pyarrow.RecordBatch``.

        :raises InputError, DocumentError: if a list cannot be read, or no longer has these entries.
        """
        schema = self._data.schema
        for each in partition._inputs:
            if "words" in each:
                yield self._data._problem(each, schema, each["words"])
            else:
                yield from self._data._rows(each, schema, self._data._documents("lane" if partition.host else "own"))

    def _sets(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The position of each set, of which new ones are at their beginning."""
        for number, source in enumerate(self._data._sources):
            seen, sets = self._found.get(source, (float("-inf"), {}))
            if not sets or self._dead.keys() & sets or time.monotonic() - seen >= _DAY:
                self._found[source] = (time.monotonic(), self._discovered(number, source))
        return self._positions(before)

    def _positions(self, before: Mapping[str, Any]) -> dict[str, Any]:
        return {key: before.get(key, each) for _, sets in self._found.values() for key, each in sets.items()}

    def _discovered(self, number: int, source: str) -> dict[str, Any]:
        planned = [json.loads(each) for each in self._data._documents("plan").plan(number, source)]
        sets: dict[str, Any] = {}
        for each in planned:
            # A list without a Capability List is followed by itself.
            sources = [] if each.get("set") or "problem" in each else [each["uri"]]
            key = each.get("set") or each["uri"]
            if key in sets or (sources and each["kind"] != "change-list"):
                continue
            sets[key] = {"source": source, "checkpoint": {"set": key, "sources": sources}}
            self._dead.pop(key, None)
            if "problem" in each and not each.get("set"):
                self._dead[key] = f"[INP-01] {key}: {_core.reason(json.dumps(each['problem']), 'en')}"
        return sets

    def _advance(self, key: str, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        """The next position of a set; none if nothing is new."""
        if words := self._dead.get(key):
            if self._options["onUnreadable"] == "fail":
                raise InputError(words)
            is_known = self._options["onUnreadable"] == "skip" or entry.get("problem") == words
            return None if is_known else {"source": entry["source"], "checkpoint": entry["checkpoint"], "problem": words}
        position = {name: value for name, value in entry.items() if name not in ("source", "after")}
        before, known = self._known.get(key, (None, None))
        given = {**self._options, "position": position, "now": int(time.time()), "known": known if before == position else None}
        made = json.loads(self._data._documents("plan").advance(json.dumps(given)))
        if words := made.get("failure"):
            raise InputError(f"{words} (Source {entry['source']}, set {key})")
        self._known[key] = (made.get("position", position), made["known"])
        (self._more.add if made["hasMore"] else self._more.discard)(key)
        if self._ended is not None and not made["hasMore"]:
            self._ended.add(key)
        return {"source": entry["source"], **made["position"]} if "position" in made else None

    def _slices(self, key: str, before: Mapping[str, Any] | None, entry: Mapping[str, Any], end: Offset) -> list[Any]:
        """The slices of a position, with the URIs where they are now."""
        slices: list[Any] = entry.get("slices", [])
        if end == self._latest:
            return slices
        documents, others = self._data._documents("plan"), None
        located: list[Any] = []
        for each in slices:
            try:
                located.append(json.loads(documents.locate(json.dumps(each), [])))
            except InputError:
                # A list that was closed may have another URI now.
                others = self._lists(key, before, entry) if others is None else others
                located.append(json.loads(documents.locate(json.dumps(each), others)))
        return located

    def _lists(self, key: str, before: Mapping[str, Any] | None, entry: Mapping[str, Any]) -> list[str]:
        """The lists from a position on, as far as they are there."""
        checkpoint = before["checkpoint"] if before else {"set": key, "sources": entry["checkpoint"]["sources"]}
        given = {**self._options, "onGap": "row", "position": {"checkpoint": checkpoint}, "now": int(time.time())}
        lists: list[str] = json.loads(self._data._documents("plan").advance(json.dumps(given)))["lists"]
        return lists


def _token(entry: Mapping[str, Any] | None) -> str:
    """Identifies a position, so that only the one that follows it is read from there."""
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:16]
