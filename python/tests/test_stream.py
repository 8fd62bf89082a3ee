"""Change Lists as a stream: each entry once, whatever the Source does between requests, and wherever the engine stops.

The reader is driven as Spark does it: offsets as JSON in a log, readers that know nothing but them. ``RESOURCESYNC_HISTORIES`` is the number
of random histories. With pyspark, in scripts/spark, the reader is that of Spark.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import os
import pickle
import random
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
import resourcesync as rs
from conftest import proxied
from resourcesync._stream import Stream

pytest.importorskip("pyarrow")

#: The reader of Spark, if pyspark is installed.
ChangeReader: Any = None
if find_spec("pyspark"):
    ChangeReader = import_module("resourcesync.spark.stream").ChangeReader

HISTORIES = int(os.environ.get("RESOURCESYNC_HISTORIES", "24"))
NEAR = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"'
Row = tuple[str, str, "str | None"]


class Site:
    """Documents of a server, with entity tags."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.asked: list[str] = []
        #: The paths of complete responses.
        self.sent: list[str] = []


@pytest.fixture(scope="module")
def server() -> Generator[tuple[str, Site]]:
    site = Site()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            body = site.pages.get(self.path)
            tag = f'"{hashlib.sha256(body or b"").hexdigest()[:16]}"'
            is_same = body is not None and self.headers.get("If-None-Match") == tag
            self.send_response(404 if body is None else 304 if is_same else 200)
            if body is not None:
                self.send_header("ETag", tag)
            self.send_header("Content-Length", str(0 if is_same else len(body or b"")))
            self.end_headers()
            if self.command == "GET" and not is_same:
                site.sent.append(self.path)
                self.wfile.write(body or b"")

        do_HEAD = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as own:
        threading.Thread(target=own.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{own.server_port}", site
        own.shutdown()


def moment(seconds: int) -> str:
    return f"2024-05-{1 + seconds // 86_400:02}T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"


@dataclass
class Member:
    """A Change List of a Source."""

    name: str
    begins: int
    ends: int | None = None
    entries: list[Row] = field(default_factory=list[Row])

    def to_bytes(self, base: str) -> bytes:
        def entry(row: Row) -> str:
            at = f' datetime="{row[2]}"' if row[2] else ""
            return f'<url><loc>{row[0]}</loc><rs:md change="{row[1]}"{at}/></url>'

        until = "" if self.ends is None else f' until="{moment(self.ends)}"'
        head = f'<rs:ln rel="up" href="{base}/cap.xml"/><rs:md capability="changelist" from="{moment(self.begins)}"{until}/>'
        return f"<urlset {NEAR}>{head}{''.join(map(entry, self.entries))}</urlset>".encode()


class Publisher:
    """A Source with one open Change List, below an index or alone."""

    def __init__(self, base: str, site: Site, path: str, *, has_index: bool = True) -> None:
        self.base, self.site, self.path, self.has_index = base + path, site, path, has_index
        self.clock = 10
        self.names = 0
        self.lists: list[Member] = [Member("changes-0.xml", self.clock)]
        #: What every reader has to have seen in the end.
        self.wanted: Counter[Row] = Counter()

    @property
    def open(self) -> Member | None:
        return self.lists[-1] if self.lists and self.lists[-1].ends is None else None

    def grow(self, rows: list[Row]) -> None:
        assert self.open is not None
        self.open.entries += rows
        self.wanted.update(rows)

    def close(self, keeps_name: bool) -> None:
        """Closes the open list; the next one may take its name."""
        own = self.open
        assert own is not None
        self.clock += 1
        own.ends = self.clock
        if keeps_name:
            self.names += 1
            own.name = f"closed-{self.names}.xml"

    def begin(self, name: str | None = None) -> None:
        self.names += 1
        self.lists.append(Member(name or f"changes-{self.names}.xml", self.clock))

    def publish(self) -> None:
        pages = {f"{self.path}/{each.name}": each.to_bytes(self.base) for each in self.lists}
        source = "index.xml" if self.has_index else self.lists[-1].name
        entry = f'<url><loc>{self.base}/{source}</loc><rs:md capability="changelist"/></url>'
        about = f'<rs:ln rel="up" href="{self.base}/about.xml"/>'
        pages[f"{self.path}/cap.xml"] = f'<urlset {NEAR}>{about}<rs:md capability="capabilitylist"/>{entry}</urlset>'.encode()

        def member(own: Member) -> str:
            until = "" if own.ends is None else f' until="{moment(own.ends)}"'
            return f'<sitemap><loc>{self.base}/{own.name}</loc><rs:md capability="changelist" from="{moment(own.begins)}"{until}/></sitemap>'

        if self.has_index:
            up = f'<rs:ln rel="up" href="{self.base}/cap.xml"/><rs:md capability="changelist" from="{moment(10)}"/>'
            pages[f"{self.path}/index.xml"] = f"<sitemapindex {NEAR}>{up}{''.join(map(member, self.lists))}</sitemapindex>".encode()
        old = [path for path in list(self.site.pages) if path.startswith(f"{self.path}/")]
        self.site.pages.update(pages)
        for path in old:
            if path not in pages:
                self.site.pages.pop(path, None)


class Engine:
    """What Spark does with a reader: the log of offsets and the commits survive, and nothing else."""

    def __init__(self, source: str | list[str], **given: Any) -> None:
        self.source, self.given = source, given
        self.log: list[str] = []
        self.committed = 0
        self.rows: list[dict[str, Any]] = []
        self.partial: list[dict[str, Any]] | None = None
        self.reader: Any = None

    def start(self) -> None:
        """A new process. A batch that was not committed is read again."""
        given = dict(self.given)
        names = ("on_gap", "on_rewrite", "lists", "entries", "min_interval")
        stream: dict[str, Any] = {"min_interval": 0, **{name: given.pop(name) for name in names if name in given}}
        data = rs.dataset(self.source, what="changes", columns=["uri", "change", "datetime"], requests_per_second=10_000, **given)
        own = Stream(data, **stream)
        self.reader = ChangeReader(own) if ChangeReader else own
        if not self.log:
            first = self.reader.initialOffset() if ChangeReader else own.initial()
            self.log.append(json.dumps(first))
            return
        last = json.loads(self.log[-1])
        assert self.reader.partitions(last, json.loads(self.log[-1])) == []
        if self.committed < len(self.log) - 1:
            self.read()
            self.commit()

    def plan(self, passes_start: bool = True) -> bool:
        """Begins a batch; false if nothing is new. Spark 4.0 does not pass where it begins."""
        start = json.loads(self.log[-1])
        if not ChangeReader:
            offset = self.reader.latest(start)
        else:
            offset = self.reader.latestOffset(start, None) if passes_start else self.reader.latestOffset()
        latest = json.dumps(offset)
        if latest == self.log[-1]:
            return False
        self.log.append(latest)
        return True

    def read(self, most: int | None = None) -> None:
        """Reads the partitions of the batch in other processes: all, or some, after which the engine is killed."""
        start, end = json.loads(self.log[-2]), json.loads(self.log[-1])
        parts = self.reader.partitions(start, end)
        rows: list[dict[str, Any]] = []
        for part in parts[:most]:
            worker, own = pickle.loads(pickle.dumps((self.reader, part)))
            rows += [row for batch in worker.read(own) for row in batch.to_pylist()]
        if most is not None and most < len(parts):
            return
        order = sorted(rows, key=lambda row: str((row["uri"], row["change"], row["datetime"], row["problem"])))
        values = [{name: value for name, value in row.items() if name != "document"} for row in order]
        # Read again, a batch has the same rows.
        assert self.partial is None or self.partial == values
        self.partial = values

    def commit(self) -> None:
        assert self.partial is not None
        self.rows += self.partial
        self.partial = None
        self.committed = len(self.log) - 1
        if ChangeReader:
            self.reader.commit(json.loads(self.log[-1]))

    def run(self) -> None:
        """Until nothing is new."""
        if self.reader is None:
            self.start()
        while self.plan():
            self.read()
            self.commit()

    def has_begun(self) -> bool:
        return bool(self.log) and bool(json.loads(self.log[-1])["sets"])

    def has_read_to(self, end: int | None) -> bool:
        """True if the lists that ended then were read, and their batch is finished."""
        sets: Mapping[str, Any] = json.loads(self.log[-1])["sets"] if self.log else {}
        read = [each["checkpoint"].get("asOf", "") for each in sets.values()]
        return end is not None and self.committed == len(self.log) - 1 and bool(read) and min(read) >= moment(end)

    def entries(self) -> Counter[Row]:
        def text(row: Mapping[str, Any]) -> Row:
            at = row["datetime"]
            return (row["uri"], row["change"], at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else None)

        return Counter(text(row) for row in self.rows if row["problem"] is None)

    def problems(self) -> list[str]:
        return [row["problem"] for row in self.rows if row["problem"]]


def entry(name: str, at: int | None = None, change: str = "updated") -> Row:
    return (f"http://a.example/{name}", change, None if at is None else moment(at))


def rows(chance: random.Random, own: Publisher, count: int, has_times: bool) -> Iterator[Row]:
    for _ in range(count):
        own.clock += chance.choice((0, 0, 1, 7))
        # Few names, so that resources change again, also at the same time and in the same way.
        yield entry(str(chance.randrange(6)), own.clock if has_times else None, chance.choice(("created", "updated", "deleted")))


def history(number: int, base: str, site: Site) -> str:
    """One random history; returns how it ended."""
    chance = random.Random(number)
    own = Publisher(base, site, f"/h{number}", has_index=chance.random() < 0.7)
    engine = Engine(f"{own.base}/cap.xml", lists=chance.choice((1, 2, 1000)), entries=chance.choice((None, 1, 4)))
    has_times, is_gentle = chance.random() < 0.7, chance.random() < 0.6
    own.publish()
    #: What a failure may be about.
    expected: set[str] = set()
    try:
        for _ in range(chance.randrange(6, 20)):
            step = chance.choice(("grow", "grow", "grow", "close", "rotate", "drop", "rewrite", "batch", "batch", "batch", "kill"))
            if step == "grow" and own.open:
                own.grow(list(rows(chance, own, chance.randrange(1, 5), has_times)))
            elif step == "close" and own.open and own.has_index:
                own.close(keeps_name=False)
                if chance.random() < 0.5:
                    own.begin()
            elif step == "rotate" and own.open and own.has_index:
                name = own.open.name
                own.close(keeps_name=True)
                own.begin(name)
            elif step in ("close", "rotate") and not own.open:
                own.begin()
            elif step == "drop" and len(own.lists) > 1 and not is_gentle:
                dropped = own.lists.pop(0)
                if not engine.has_begun():
                    # A stream begins with the earliest list that is there.
                    own.wanted.subtract(dropped.entries)
                if not engine.has_read_to(dropped.ends):
                    expected |= {"SYN-25", "SYN-27"}
            elif step == "rewrite" and own.open and own.open.entries and not is_gentle:
                place = chance.randrange(len(own.open.entries))
                old = own.open.entries[place]
                new = ("http://a.example/rewritten", "updated", old[2])
                own.open.entries[place] = new
                own.wanted.subtract([old])
                own.wanted.update([new])
                expected |= {"SYN-26", "SYN-27"}
            elif step == "batch":
                own.publish()
                if engine.reader is None:
                    engine.start()
                if engine.plan(passes_start=chance.random() < 0.5):
                    engine.read()
                    engine.commit()
            elif step == "kill":
                own.publish()
                if engine.reader is None:
                    engine.start()
                if engine.plan():
                    # Before anything is read, in the middle, or before the commit.
                    if chance.random() < 0.7:
                        engine.read(chance.choice((1, None)))
                engine.reader = None
        own.publish()
        engine.run()
    except rs.InputError as error:
        code = str(error)[1:7]
        assert code in expected, (number, str(error), expected)
        return code
    lost, more = +own.wanted - engine.entries(), engine.entries() - +own.wanted
    assert not lost and not more and not engine.problems(), (number, lost, more, engine.problems())
    return "complete"


def test_random_histories_have_each_entry_once_or_an_error(server: tuple[str, Site]) -> None:
    base, site = server
    # Lists that do not belong together are read again after a pause.
    with ThreadPoolExecutor(16) as pool:
        ends = Counter(pool.map(partial(history, base=base, site=site), range(HISTORIES)))
    assert ends["complete"] >= HISTORIES // 2, ends
    print(dict(ends))


def source(server: tuple[str, Site], name: str, **given: Any) -> Publisher:
    own = Publisher(*server, f"/{name}", **given)
    own.grow([entry("1", 11), entry("2", 11)])
    own.publish()
    return own


def test_a_poll_without_news_is_one_request_and_no_batch(server: tuple[str, Site]) -> None:
    own = source(server, "quiet")
    engine = Engine(f"{own.base}/cap.xml")
    engine.run()
    assert engine.entries() == own.wanted and len(engine.log) == 2
    before = len(server[1].asked)
    assert not engine.plan() and not engine.plan()
    assert server[1].asked[before:] == ["/quiet/changes-0.xml"] * 2
    # Another process begins without entity tags, and finds nothing new either.
    engine.reader = None
    engine.run()
    assert len(engine.log) == 2


def test_a_source_is_not_requested_again_within_the_interval(server: tuple[str, Site]) -> None:
    own = source(server, "interval")
    data = rs.dataset(f"{own.base}/cap.xml", what="changes", requests_per_second=10_000)
    stream = Stream(data, min_interval=3600)
    first = stream.latest(stream.initial())
    own.grow([entry("3", 12)])
    own.publish()
    before = len(server[1].asked)
    assert stream.latest(first) == first and len(server[1].asked) == before


@pytest.mark.parametrize(("limit", "expected"), [({"lists": 2}, [2, 2, 2, 1]), ({"entries": 3}, [2, 3, 2])])
def test_a_batch_has_a_bounded_number_of_lists_and_the_end_comes_nevertheless(server: tuple[str, Site], limit: dict[str, int], expected: list[int]) -> None:
    own = source(server, f"bounded-{next(iter(limit))}")
    for number in range(6):
        own.clock += 5
        own.close(keeps_name=False)
        own.begin()
        own.grow([entry(str(number), own.clock)])
    own.publish()
    engine = Engine(f"{own.base}/cap.xml", **limit)
    engine.start()
    stream = engine.reader._stream if ChangeReader else engine.reader
    stream.end()
    engine.run()
    assert engine.entries() == own.wanted
    slices = [[len(each["slices"]) for each in json.loads(offset)["sets"].values()] for offset in engine.log[1:]]
    assert slices == [[number] for number in expected]
    # A query that ends with what is there does not read what comes later.
    own.grow([entry("late", own.clock)])
    own.publish()
    engine.run()
    assert len(engine.log) == len(expected) + 1


def test_a_batch_has_a_bounded_number_of_entries_and_left_sets_are_read_at_once(server: tuple[str, Site]) -> None:
    sources = [source(server, f"many-{number}") for number in range(5)]
    engine = Engine([f"{own.base}/cap.xml" for own in sources], entries=3, min_interval=3600)
    engine.start()
    stream = engine.reader._stream if ChangeReader else engine.reader
    stream.end()
    engine.run()
    assert engine.entries() == sum((own.wanted for own in sources), Counter[Row]())
    counts = [sum(sum(own["entries"] - own["from"] for own in each["slices"]) for each in json.loads(offset)["sets"].values()) for offset in engine.log]
    assert len(engine.log) > 2 and counts[1] < counts[-1]


def test_a_list_that_was_consumed_may_disappear(server: tuple[str, Site]) -> None:
    own = source(server, "retention")
    engine = Engine(f"{own.base}/cap.xml")
    engine.run()
    own.close(keeps_name=False)
    own.begin()
    own.publish()
    engine.run()
    own.lists.pop(0)
    own.grow([entry("3", 20)])
    own.publish()
    engine.run()
    assert engine.entries() == own.wanted and not engine.problems()


def gap(server: tuple[str, Site], name: str, **given: Any) -> tuple[Publisher, Engine]:
    own = source(server, name)
    engine = Engine(f"{own.base}/cap.xml", **given)
    engine.run()
    lost = [entry("lost", 30)]
    own.grow(lost)
    own.clock = 40
    own.close(keeps_name=False)
    own.begin()
    own.grow([entry("4", 41)])
    own.lists.pop(0)
    own.wanted.subtract(lost)
    own.publish()
    return own, engine


def test_changes_that_no_list_has_are_an_error_with_its_remedy(server: tuple[str, Site]) -> None:
    _, engine = gap(server, "gap")
    with pytest.raises(rs.InputError, match=r"^\[SYN-25\] no Change List contains the changes between 2024-05-01T00:00:1.Z and 2024-05-01T00:00:41Z"):
        engine.run()


def test_changes_that_no_list_has_can_be_a_row(server: tuple[str, Site]) -> None:
    own, engine = gap(server, "crossed", on_gap="row")
    engine.run()
    assert engine.entries() == +own.wanted
    (words,) = engine.problems()
    assert words.startswith("[SYN-25]")
    own.grow([entry("5", 42)])
    own.publish()
    engine.run()
    assert engine.entries() == +own.wanted and len(engine.problems()) == 1


@pytest.mark.parametrize("treatment", ["fail", "row"])
def test_a_rewritten_list_is_reported(server: tuple[str, Site], treatment: str) -> None:
    own = source(server, f"rewritten-{treatment}")
    engine = Engine(f"{own.base}/cap.xml", on_rewrite=treatment)
    engine.run()
    assert own.open is not None
    own.open.entries = [entry("other", 11), entry("2", 11), entry("3", 12)]
    own.publish()
    if treatment == "fail":
        with pytest.raises(rs.InputError, match=r"^\[SYN-26\] .*changes-0\.xml"):
            engine.run()
        return
    engine.run()
    assert engine.entries() == Counter([entry("1", 11), entry("2", 11), *own.open.entries])
    assert [words[:8] for words in engine.problems()] == ["[SYN-26]"]
    own.grow([entry("4", 13)])
    own.publish()
    engine.run()
    assert len(engine.problems()) == 1 and engine.entries()[entry("4", 13)] == 1


def test_rewrites_in_two_batches_one_after_the_other_are_both_reported(server: tuple[str, Site]) -> None:
    own = source(server, "rewritten-twice")
    engine = Engine(f"{own.base}/cap.xml", on_rewrite="row")
    engine.run()
    assert own.open is not None
    for number in (3, 4):
        own.open.entries = [*own.open.entries[1:], entry(str(number), 12)]
        own.publish()
        assert engine.plan()
        engine.read()
        engine.commit()
    assert [words[:8] for words in engine.problems()] == ["[SYN-26]"] * 2
    assert engine.entries() == Counter({entry("1", 11): 1, entry("2", 11): 2, entry("3", 12): 2, entry("4", 12): 1})


def test_an_unfinished_batch_is_found_where_its_list_has_moved(server: tuple[str, Site]) -> None:
    own = source(server, "moved")
    engine = Engine(f"{own.base}/cap.xml")
    engine.start()
    assert engine.plan()
    engine.read()
    name = own.lists[0].name
    own.grow([entry("3", 12)])
    own.close(keeps_name=True)
    own.begin(name)
    own.grow([entry("4", 20)])
    own.publish()
    # The engine compares the rows with those that were read before.
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted


def test_a_list_that_moves_before_its_rows_are_read_is_found_by_the_next_process(server: tuple[str, Site]) -> None:
    own = source(server, "moved-at-once")
    engine = Engine(f"{own.base}/cap.xml")
    engine.start()
    assert engine.plan()
    name = own.lists[0].name
    own.close(keeps_name=True)
    own.begin(name)
    own.grow([entry("4", 20)])
    own.publish()
    with pytest.raises(rs.InputError, match=r"^\[SYN-27\] .* is found when the query is started again\)$"):
        engine.read()
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted


def test_an_unfinished_batch_whose_entries_are_gone_is_an_error(server: tuple[str, Site]) -> None:
    own = source(server, "gone")
    engine = Engine(f"{own.base}/cap.xml")
    engine.start()
    assert engine.plan() and own.open
    parts = engine.reader.partitions(json.loads(engine.log[-2]), json.loads(engine.log[-1]))
    own.open.entries[0] = entry("other", 11)
    own.publish()
    with pytest.raises(rs.InputError, match=r"^\[SYN-27\] the entries 1 to 2 of"):
        list(engine.reader.read(parts[0]))
    engine.reader = None
    # No other list has them.
    with pytest.raises(rs.InputError, match=r"^\[SYN-27\] .* cannot be read again$"):
        engine.start()


@pytest.mark.parametrize("is_renamed", [False, True])
def test_an_unfinished_batch_that_cannot_be_read_now_is_read_later(server: tuple[str, Site], is_renamed: bool) -> None:
    own, other = source(server, f"later-{is_renamed}"), source(server, f"beside-{is_renamed}")
    engine = Engine([f"{own.base}/cap.xml", f"{other.base}/cap.xml"])
    engine.start()
    assert engine.plan()
    engine.read()
    damaged = f"{own.path}/changes-0.xml"
    if is_renamed:
        # The list has moved, and the index, which shows where it is, cannot be read.
        own.grow([entry("3", 12)])
        own.close(keeps_name=True)
        own.publish()
        damaged = f"{own.path}/index.xml"
    whole = server[1].pages[damaged]
    server[1].pages[damaged] = whole[:-30]
    engine.reader = None
    with pytest.raises(rs.InputError, match=r"^\[SYN-16\] "):
        engine.start()
    server[1].pages[damaged] = whole
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted + other.wanted and not engine.problems()


def described(server: tuple[str, Site], path: str, lists: list[str]) -> str:
    """A Source Description of these Capability Lists; its URI."""
    base, site = server
    entries = "".join(f'<url><loc>{base}{each}</loc><rs:md capability="capabilitylist"/></url>' for each in lists)
    site.pages[path] = f'<urlset {NEAR}><rs:md capability="description"/>{entries}</urlset>'.encode()
    return f"{base}{path}"


@pytest.mark.parametrize("treatment", ["fail", "row"])
def test_a_set_that_is_gone_is_followed_to_its_end_and_then_a_gap(server: tuple[str, Site], treatment: str) -> None:
    own, other = source(server, f"left-{treatment}"), source(server, f"stays-{treatment}")
    caps = [f"{own.path}/cap.xml", f"{other.path}/cap.xml"]
    about = described(server, f"/about-{treatment}.xml", caps)
    engine = Engine(about, on_gap=treatment)
    engine.run()
    described(server, f"/about-{treatment}.xml", caps[1:])
    own.grow([entry("3", 12)])
    own.publish()
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted + other.wanted and not engine.problems()
    for path in [path for path in server[1].pages if path.startswith(f"{own.path}/")]:
        del server[1].pages[path]
    other.grow([entry("4", 13)])
    other.publish()
    engine.reader = None
    if treatment == "fail":
        with pytest.raises(rs.InputError, match=r"^\[SYN-"):
            engine.run()
        return
    for _ in range(2):
        engine.run()
        # The changes after its last list, then its Capability List; each is reported once.
        assert [words[:8] for words in engine.problems()] == ["[SYN-25]", "[SYN-16]"]
        engine.reader = None
    assert engine.entries() == own.wanted + other.wanted


def test_a_set_that_never_was_there_is_an_error_unless_something_cannot_be_read(server: tuple[str, Site]) -> None:
    own, other = source(server, "wanted"), source(server, "beside-it")
    cap, misspelled = f"{own.base}/cap.xml", f"{own.base}/cap.xlm"
    about = described(server, "/about-wanted.xml", [f"{own.path}/cap.xml", f"{other.path}/cap.xml"])
    # The set may be where nothing can be read now.
    whole = server[1].pages.pop(f"{other.path}/cap.xml")
    engine = Engine(about, sets=[cap, misspelled])
    engine.run()
    assert engine.entries() == own.wanted and [words[:8] for words in engine.problems()] == ["[INP-01]"]
    server[1].pages[f"{other.path}/cap.xml"] = whole
    engine.reader = None
    with pytest.raises(rs.ConfigError, match=f"^sets: nothing of `changes` belongs to the set {misspelled};"):
        engine.run()
    # One that was there is followed to its end.
    engine.given["sets"] = [cap]
    described(server, "/about-wanted.xml", [f"{other.path}/cap.xml"])
    own.grow([entry("3", 12)])
    own.publish()
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted


def test_a_set_with_another_capability_list_goes_on_where_it_was(server: tuple[str, Site]) -> None:
    own = source(server, "renamed")
    about = described(server, "/about-renamed.xml", [f"{own.path}/cap.xml"])
    engine = Engine(about)
    engine.run()
    assert engine.entries() == own.wanted
    own.grow([entry("3", 12)])
    own.publish()
    pages = server[1].pages
    for path in [path for path in pages if path.startswith(f"{own.path}/")]:
        pages[path] = pages[path].replace(b"/cap.xml", b"/other.xml")
    pages[f"{own.path}/other.xml"] = pages.pop(f"{own.path}/cap.xml")
    described(server, "/about-renamed.xml", [f"{own.path}/other.xml"])
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted and not engine.problems()
    assert set(json.loads(engine.log[-1])["sets"]) == {f"{own.base}/other.xml"}
    # A batch that is read again has the same rows.
    engine.committed -= 1
    engine.reader = None
    engine.start()
    assert engine.committed == len(engine.log) - 1


def test_every_set_has_its_turn_and_what_was_read_is_not_read_again(server: tuple[str, Site]) -> None:
    sources = [source(server, f"turn-{number}") for number in range(20)]
    engine = Engine([f"{own.base}/cap.xml" for own in sources], entries=4)
    engine.run()
    for own in sources:
        own.grow([entry("3", 12)])
        own.publish()
    server[1].sent.clear()
    seen: set[str] = set()
    # The first set is busy all the time.
    for step in range(8):
        assert engine.plan()
        engine.read()
        engine.commit()
        seen |= {row["set"] for row in engine.rows[-4:]}
        sources[0].grow([entry("busy", 20 + step)])
        sources[0].publish()
    assert len(seen) == 20
    # The driver reads each list once, and a task once; requests without news are conditional.
    sent = Counter(path for path in server[1].sent if "turn-0/" not in path)
    assert max(sent.values()) <= 2, sent


def test_every_process_of_a_stream_knows_where_a_start_led() -> None:
    def changes(count: int) -> bytes:
        made = rs.ChangeList("http://www.a.example/set.xml", "2024-05-01T00:00:00Z")
        made.extend(rs.ResourceChange(f"http://www.a.example/{number}", "updated", "2024-05-02T00:00:00Z") for number in range(count))
        return made.to_bytes()

    capabilities = rs.CapabilityList("http://www.a.example/about.xml", "http://www.a.example/about.html")
    capabilities.push(rs.CapabilityEntry("changelist", "http://www.a.example/changes.xml"))
    pages: dict[str, bytes | str] = {
        "http://a.example/set.xml": "http://www.a.example/set.xml",
        "http://www.a.example/set.xml": capabilities.to_bytes(),
        "http://www.a.example/changes.xml": changes(2),
    }
    with proxied(pages) as (proxy, _):
        engine = Engine("http://a.example/set.xml", proxy=proxy)
        engine.run()
        assert len(engine.rows) == 2 and not engine.problems()
        # A batch that was not committed is read by a process that has not planned.
        pages["http://www.a.example/changes.xml"] = changes(3)
        assert engine.plan()
        engine.reader = None
        engine.run()
        assert len(engine.rows) == 3 and not engine.problems()


def test_a_dead_source_is_one_row_and_the_others_go_on(server: tuple[str, Site], tmp_path: Any) -> None:
    own, other = source(server, "alive"), source(server, "dead")
    saved = {path: body for path, body in server[1].pages.items() if path.startswith("/dead/")}
    for path in saved:
        del server[1].pages[path]
    engine = Engine([f"{own.base}/cap.xml", f"{other.base}/cap.xml"])
    engine.run()
    assert engine.entries() == own.wanted
    assert [words[:8] for words in engine.problems()] == ["[INP-01]"]
    engine.run()
    assert len(engine.log) == 2
    server[1].pages.update(saved)
    engine.reader = None
    engine.run()
    assert engine.entries() == own.wanted + other.wanted and len(engine.problems()) == 1
    # A list that cannot be read for a while is reported, and delivered later.
    other.grow([entry("3", 12)])
    other.publish()
    whole = server[1].pages["/dead/changes-0.xml"]
    server[1].pages["/dead/changes-0.xml"] = whole[:-30]
    engine.run()
    assert [words[:8] for words in engine.problems()] == ["[INP-01]", "[SYN-16]"] and engine.entries()[entry("3", 12)] == 0
    server[1].pages["/dead/changes-0.xml"] = whole
    engine.run()
    assert engine.entries() == own.wanted + other.wanted


def test_offsets_of_other_steps_and_wrong_options_are_rejected(server: tuple[str, Site], tmp_path: Any) -> None:
    own = source(server, "offsets")
    engine = Engine(f"{own.base}/cap.xml")
    engine.run()
    own.grow([entry("3", 12)])
    own.publish()
    engine.run()
    first, _, last = map(json.loads, engine.log)
    with pytest.raises(rs.ConfigError, match="does not follow"):
        engine.reader.partitions(first, last)
    changes = rs.dataset(f"{own.base}/cap.xml", what="changes")
    cases: list[tuple[Callable[[], Stream], str]] = [
        (lambda: Stream(rs.dataset(f"{own.base}/cap.xml")), "streams are of `changes`"),
        (lambda: Stream(rs.dataset(tmp_path, what="changes")), "need URIs"),
        (lambda: Stream(changes, on_gap="skip"), "on_gap: `skip`"),  # type: ignore[arg-type]
        (lambda: Stream(changes, lists=0), "lists"),
    ]
    for make, words in cases:
        with pytest.raises(rs.ConfigError, match=words):
            make()
