"""Change Lists as a stream: which entries lie between two offsets, each exactly once. An engine stores the offsets."""

from __future__ import annotations

import hashlib
import json
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, cast

from . import _core
from ._dataset import Dataset
from ._errors import ConfigError, InputError
from ._partition import Partition
from ._values import whole

#: A plain value: for each set of resources how far its Change Lists were read, and the slices of them that the last step added.
Offset = Mapping[str, Any]
#: Seconds after which the sets of a Source are looked up again; at most those after which this is done if it cannot be read.
_DAY = 86_400.0
_HOUR = 3600.0
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
        #: The sets of each Source, as they were found last, and when they are looked up again.
        self._found: dict[str, tuple[float, dict[str, Any]]] = {}
        #: Documents that lead to sets and cannot be read, with the reason; for each Source, how often in a row no set was found, or not all.
        self._dead: dict[str, str] = {}
        self._failures: dict[str, int] = {}
        #: The wanted sets of which nothing was found yet.
        self._absent: set[str] = {*data._given["sets"]}
        #: The position of each set with what saves requests.
        self._known: dict[str, tuple[Any, Any]] = {}
        self._latest: Offset | None = None
        #: Sets with lists that were left for the next step, and those that are not read again, if the stream ends.
        self._more: set[str] = set()
        self._ended: set[str] | None = None
        #: The last set of the last step, after which the next one begins, and what was read of others meanwhile.
        self._last = ""
        self._read: dict[str, tuple[Any, dict[str, Any], bool]] = {}

    def initial(self) -> Offset:
        """The beginning of every list."""
        return {"v": 1, "sets": {}}

    def end(self) -> None:
        """From now on each set is read until nothing is new, and then no more."""
        self._ended = set()

    def latest(self, start: Offset) -> Offset:
        """The offset after what is new since another one, or the same offset.

        :raises InputError: if it cannot be known what is new, with the code and the remedy.
        :raises ConfigError: if there is nothing of a wanted set, and there never was, or the offset is of another version.
        """
        before: Mapping[str, Any] = _sets_of(start)
        now = time.monotonic()
        is_due = now - self._asked >= self._interval
        if is_due:
            self._look_up()
        sets = self._positions(before)
        self._absent -= {*sets, *before}
        if self._absent and not self._dead:
            raise self._data._nothing_of(self._absent)
        keys = [key for key in sets if (is_due or key in self._more) and key not in (self._ended or ())]
        if not keys:
            return start
        self._asked = now if is_due else self._asked
        changed: dict[str, Any] = {}
        entries = 0
        # Each step begins after the last one, so that no set waits for ever.
        order = deque(sorted(keys, key=lambda key: (key <= self._last, key)))
        with ThreadPoolExecutor(_THREADS) as pool:
            while order and (self._most is None or entries < self._most):
                some = [order.popleft() for _ in range(min(_THREADS, len(order)))]
                for key, after in zip(some, pool.map(self._advance, some, [sets[key] for key in some])):
                    if after is None:
                        continue
                    if self._most is not None and entries >= self._most:
                        self._read[key] = (sets[key], after, key in self._more)
                        order.append(key)
                        continue
                    changed[key] = {**after, "after": _token(before.get(key))}
                    entries += sum(slice_["entries"] - slice_["from"] for slice_ in after.get("slices", ()))
                    self._last = key
        for key in order:
            self._note(key, has_more=True)
        if not changed:
            return start
        renamed = {sets[key].get("renamed") for key in changed}
        self._latest = {"v": 1, "sets": {**{key: each for key, each in before.items() if key not in renamed}, **changed}}
        return self._latest

    def _note(self, key: str, *, has_more: bool) -> None:
        """Notes whether a set has something for the next step."""
        (self._more.add if has_more else self._more.discard)(key)
        if self._ended is not None:
            (self._ended.discard if has_more else self._ended.add)(key)

    def partitions(self, start: Offset, end: Offset) -> list[Partition]:
        """What lies between two offsets: the same rows each time.

        :raises InputError: if some of them are in no list any more.
        """
        inputs: list[dict[str, Any]] = []
        begun = _sets_of(start)
        for key, each in _sets_of(end).items():
            before: Mapping[str, Any] | None = begun.get(key)
            if before == each:
                continue
            if each["after"] != _token(before):
                raise ConfigError("offset: the end does not follow the start")
            if each["source"] not in self._data._sources:
                raise ConfigError(f"path: {each['source']} has unfinished changes, and is not in the path any more")
            common = {"source": self._data._sources.index(each["source"]), "set": key, "kind": "change-list", "led": each.get("led", [])}
            words = each.get("problem")
            # What cannot be read is reported once; each rewrite repeats entries.
            if words and (before is None or words != before.get("problem") or "[SYN-26]" in words):
                inputs.append({**common, "uri": key, "words": words})
            for slice_ in self._slices(key, before, each, end):
                # Only what the user named has no parent.
                parent = {} if slice_["uri"] == each["source"] else {"parent": key}
                inputs.append({**common, **parent, "uri": slice_["uri"], "slice": json.dumps(slice_)})
        inputs = [{**each, "turn": turn} for turn, each in enumerate(inputs)]
        made: Iterable[dict[str, Any]] = map(json.loads, _core.divide(list(map(json.dumps, inputs)), json.dumps(self._data._given["division"])))
        return [Partition(each.get("host"), tuple(inputs[int(one["turn"])] for one in each["inputs"]), each.get("requestsPerSecond")) for each in made]

    def read(self, partition: Partition) -> Iterator[Any]:
        """The rows of a partition as ``pyarrow.RecordBatch``.

        :raises InputError, DocumentError: if a list cannot be read, or no longer has these entries.
        """
        schema, documents = self._data.schema, self._data._reading(partition)
        for each in partition._inputs:
            if "words" in each:
                yield self._data._problem(each, schema, each["words"])
                continue
            try:
                yield from self._data._rows(each, schema, documents)
            except InputError as error:
                if not str(error).startswith("[SYN-27]"):
                    raise
                # It is not looked for here, since rows that were passed on cannot be taken back.
                raise InputError(f"{error} (if the list has another URI now, it is found when the query is started again)") from None

    def _look_up(self) -> None:
        """Looks up the sets of Sources: once a day, and again after a while if they cannot be read."""
        now = time.monotonic()
        due = [number for number, source in enumerate(self._data._sources) if now >= self._found.get(source, (now, {}))[0]]
        with ThreadPoolExecutor(_THREADS) as pool:
            for number, (sets, dead) in zip(due, pool.map(self._discovered, due)):
                source = self._data._sources[number]
                for key in self._found.get(source, (now, {}))[1]:
                    self._dead.pop(key, None)
                self._dead |= dead
                is_lacking = not sets or bool(dead)
                failures = self._failures[source] = self._failures.get(source, 0) + 1 if is_lacking else 0
                wait = min(self._interval * 2.0 ** min(failures - 1, 20), _HOUR) if is_lacking else _DAY
                self._found[source] = (now + wait, sets)

    def _positions(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The position of each set, of which new ones are at their beginning."""
        positions: dict[str, Any] = {}
        for source, (_, sets) in self._found.items():
            # A set that is not found any more is followed as long as its lists are there, unless another one has these.
            left = {key: each for key, each in before.items() if each["source"] == source and key not in sets and _has_begun(each)}
            for key, found in sets.items():
                position = before.get(key)
                if position is None:
                    lists = {*found["lists"]}
                    same = next((old for old, each in left.items() if lists & _lists_of(each)), None)
                    position = found if same is None else {**_renamed(left.pop(same), key), "renamed": same}
                positions[key] = {**position, "led": found["led"]}
            wanted = self._data._given["sets"]
            positions |= {key: each for key, each in left.items() if not wanted or key in wanted}
        return positions

    def _discovered(self, number: int) -> tuple[dict[str, Any], dict[str, str]]:
        """The sets of a Source, and the documents that lead to sets and cannot be read, with the reason."""
        source = self._data._sources[number]
        sets: dict[str, Any] = {}
        dead: dict[str, str] = {}
        wanted = json.dumps({"sets": self._data._given["sets"]})
        for each in map(json.loads, self._data._documents("plan").plan(number, source, wanted)):
            # A list without a Capability List is followed by itself; what may lead to one is dead until it can be read.
            is_dead = "problem" in each and not each.get("set")
            if not each.get("set") and each["kind"] not in (("change-list", "unknown") if is_dead else ("change-list",)):
                continue
            key = each.get("set") or each["uri"]
            sources = [] if each.get("set") or is_dead else [each["uri"]]
            own = sets.setdefault(key, {"source": source, "checkpoint": {"set": key, "sources": sources}, "led": [], "lists": []})
            own["led"] = each.get("led", [])
            own["lists"] += [uri for uri in (each["uri"], each.get("parent")) if uri and uri != key and each["kind"] == "change-list"]
            if is_dead:
                dead[key] = f"[INP-01] {key}: {_core.reason(json.dumps(each['problem']), 'en')}"
        return sets, dead

    def _advance(self, key: str, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        """The next position of a set; none if nothing is new."""
        if words := self._dead.get(key):
            if self._options["onUnreadable"] == "fail":
                raise InputError(words)
            is_known = self._options["onUnreadable"] == "skip" or entry.get("problem") == words
            return None if is_known else {"source": entry["source"], "checkpoint": entry["checkpoint"], "problem": words}
        if key in self._read:
            read = self._read.pop(key)
            if read[0] == entry:
                self._note(key, has_more=read[2])
                return read[1]
        position = {name: value for name, value in entry.items() if name in ("checkpoint", "slices", "problem")}
        before, known = self._known.get(key, (None, None))
        given = {**self._options, "position": position, "now": int(time.time()), "known": known if before == position else None}
        led: list[str] = entry.get("led", [])
        made = json.loads(self._data._documents("plan").advance(entry["source"], led, json.dumps(given)))
        if words := made.get("failure"):
            raise InputError(f"{words} (Source {entry['source']}, set {key})")
        self._known[key] = (made.get("position", position), made["known"])
        self._note(key, has_more=made["hasMore"])
        return {"source": entry["source"], **({"led": led} if led else {}), **made["position"]} if "position" in made else None

    def _slices(self, key: str, before: Mapping[str, Any] | None, entry: Mapping[str, Any], end: Offset) -> list[Any]:
        """The slices of a position, with the URIs where they are now."""
        slices: list[Any] = entry.get("slices", [])
        if end == self._latest:
            return slices
        documents, others = self._data._documents("plan"), None
        start, led = entry["source"], entry.get("led", [])
        located: list[Any] = []
        for each in slices:
            try:
                located.append(json.loads(documents.locate(start, led, json.dumps(each), [])))
            except InputError:
                # A list that was closed may have another URI now.
                others = self._lists(key, before, entry) if others is None else others
                located.append(json.loads(documents.locate(start, led, json.dumps(each), others)))
        return located

    def _lists(self, key: str, before: Mapping[str, Any] | None, entry: Mapping[str, Any]) -> list[str]:
        """The lists from a position on, as far as they are there.

        :raises InputError: if they cannot be read now, so that it is not known what is there.
        """
        checkpoint = before["checkpoint"] if before else {"set": key, "sources": entry["checkpoint"]["sources"]}
        treatments = {"onGap": "row", "onRewrite": "row", "onUnreadable": "fail"}
        given = {**self._options, **treatments, "position": {"checkpoint": checkpoint}, "now": int(time.time())}
        made: dict[str, Any] = json.loads(self._data._documents("plan").advance(entry["source"], entry.get("led", []), json.dumps(given)))
        if words := made.get("failure"):
            raise InputError(f"{words} (Source {entry['source']}, set {key}; the batch is read again when the query is started again)")
        lists: list[str] = made["lists"]
        return lists


def _has_begun(entry: Mapping[str, Any]) -> bool:
    checkpoint: Mapping[str, Any] = entry["checkpoint"]
    return "asOf" in checkpoint or bool(checkpoint.get("open"))


def _lists_of(entry: Mapping[str, Any]) -> set[str]:
    """The lists of a set: those that were open, and those that its Capability List named, or their indexes."""
    checkpoint: Mapping[str, Any] = entry["checkpoint"]
    return {*checkpoint.get("sources", ()), *(each["uri"] for each in checkpoint.get("open", ()))}


def _renamed(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The position of a set whose Capability List has another URI now."""
    return {"source": entry["source"], "checkpoint": {**entry["checkpoint"], "set": key}}


def _sets_of(offset: Offset) -> Mapping[str, Any]:
    """The positions of an offset.

    :raises ConfigError: if it is none, or of another version.
    """
    sets: Any = offset.get("sets") if isinstance(offset, Mapping) and offset.get("v") == 1 else None
    if isinstance(sets, Mapping):
        positions = cast("Mapping[str, Any]", sets)
        if all(map(_is_position, positions.values())):
            return positions
    raise ConfigError("offset: it is not one of this version; begin at `initial()`, or continue with the package that made it")


def _is_position(entry: Any) -> bool:
    if not isinstance(entry, Mapping):
        return False
    position = cast("Mapping[str, Any]", entry)
    return isinstance(position.get("source"), str) and isinstance(position.get("checkpoint"), Mapping)


def _token(entry: Mapping[str, Any] | None) -> str:
    """Identifies a position, so that only the one that follows it is read from there."""
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:16]
