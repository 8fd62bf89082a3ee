"""The outbox of Django and Flask, without them: records that leave their URIs, that cannot be published, and that begin a set."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest
import resourcesync as rs
from resourcesync import _platform
from resourcesync._commands import Incomplete, check, finish, watch, watch_source
from resourcesync._following import Applied
from resourcesync._lock import locked
from resourcesync._outbox import PlatformPublished, Publisher
from resourcesync._platform import Described, Item, Pending
from resourcesync._serving import serve
from resourcesync._settings import Settings

BASE = "https://repository.example/"


class Memory:
    """The tables."""

    def __init__(self) -> None:
        self.outbox: list[Pending] = []
        self.rows: dict[int, tuple[str, Item]] = {}
        self._last = 0

    def _next(self) -> int:
        self._last += 1
        return self._last

    def begin(self) -> None: ...

    def pending(self, after: int, limit: int) -> list[Pending]:
        return [row for row in self.outbox if row.id > after][:limit]

    def add(self, set: str, keys: Sequence[str]) -> None:
        now = int(datetime.now(timezone.utc).timestamp() * 1000)
        self.outbox += [Pending(self._next(), set, key, now) for key in keys]

    def items(self, set: str, keys: Sequence[str]) -> list[Item]:
        return [item for name, item in self.rows.values() if name == set and item.key in keys]

    def items_at(self, set: str, uris: Sequence[str]) -> list[Item]:
        return [item for name, item in self.rows.values() if name == set and item.uri in uris]

    def item_ids(self, set: str) -> Iterator[int]:
        return iter([id for id, (name, _) in self.rows.items() if name == set])

    def store(self, set: str, new: Sequence[Item], changed: Sequence[Item]) -> list[int]:
        added = [replace(item, id=self._next()) for item in new]
        self.rows.update({item.id: (set, item) for item in (*added, *changed)})
        return [item.id for item in added]

    def remove(self, pending: Sequence[int], items: Sequence[int]) -> None:
        self.outbox = [row for row in self.outbox if row.id not in pending]
        for id in items:
            del self.rows[id]


class Set:
    """Records by their keys; one that is an exception raises it."""

    def __init__(self, name: str, tables: Memory) -> None:
        self.records: dict[str, rs.Resource | Exception] = {}
        self._name = name
        self._tables = tables

    def save(self, **records: rs.Resource | Exception | str | None) -> None:
        """Saves records, or a resource at a path; ``None`` deletes one."""
        for key, record in records.items():
            if record is None:
                self.records.pop(key, None)
            else:
                self.records[key] = rs.Resource(f"{BASE}{record}") if isinstance(record, str) else record
            self._tables.add(self._name, [key])

    def _describe(self, key: str) -> Sequence[Described]:
        record = self.records[key]
        if isinstance(record, Exception):
            raise record
        return [Described(record)]

    def key(self, text: str) -> str:
        return text.strip()

    def current(self, keys: Sequence[str]) -> Mapping[str, object]:
        return {key: lambda key=key: self._describe(key) for key in keys if key in self.records}

    def everything(self) -> Iterator[tuple[str, object]]:
        return iter([(key, lambda key=key: self._describe(key)) for key in list(self.records)])


class Platform:
    """An application with two sets."""

    def __init__(self, folder: Path, end: str = "") -> None:
        self.folder = folder / "public"
        self.tables = Memory()
        self.theses = Set("theses", self.tables)
        self.papers = Set("papers", self.tables)
        self.source = rs.Source(f"{self.folder}{end}", BASE)
        self.publisher = Publisher(self.source, f"{self.folder}{end}", self.tables, {"theses": self.theses, "papers": self.papers})  # type: ignore[dict-item]

    def publish(self) -> PlatformPublished:
        return self.publisher.publish()

    def changes(self, name: str = "theses") -> list[tuple[str | None, str]]:
        found = self.folder / name / "changelist.xml"
        entries = list(rs.iter_entries(found)) if found.exists() else list[rs.Entry]()
        return [(entry.change, str(entry.uri).removeprefix(BASE)) for entry in entries]

    def listed(self, name: str = "theses") -> set[str]:
        self.publisher.publish(snapshot="now")
        return {str(entry.uri).removeprefix(BASE) for entry in rs.iter_entries(self.folder / name / "resourcelist.xml")}


@pytest.fixture
def platform(tmp_path: Path) -> Platform:
    found = Platform(tmp_path)
    found.theses.save(one="1", two="2")
    found.publish()
    return found


def test_the_lock_is_next_to_a_folder_with_a_slash_at_its_end(tmp_path: Path) -> None:
    slashed = Platform(tmp_path, end="/")
    for number in range(2):
        slashed.theses.save(**{f"t{number}": str(number)})
        assert slashed.publish().sets["theses"].created == 1
    assert {path.name for path in tmp_path.iterdir()} == {"public", "public.resourcesync", "public.resourcesync.lock"}


def test_a_uri_that_another_record_took_before_is_not_deleted(platform: Platform) -> None:
    # The newest version of a work has its URI: the new version is saved, and published, before the old one is no longer the newest.
    platform.theses.save(new="1")
    platform.publish()
    platform.theses.save(one=None)
    assert platform.publish().sets["theses"].deleted == 0
    assert platform.listed() == {"1", "2"}
    # The last record of a URI deletes it, also if both leave it in one publication.
    platform.theses.save(other="1")
    platform.publish()
    platform.theses.save(new=None, other=None)
    assert platform.publish().sets["theses"].deleted == 1 and platform.listed() == {"2"}
    assert [item.uri for _, item in platform.tables.rows.values()] == [f"{BASE}2"]


def test_a_uri_that_is_free_only_later_is_deleted_then(platform: Platform) -> None:
    platform.theses.save(new="1")
    platform.publish()
    platform.theses.save(one="moved")
    platform.publish()
    assert platform.changes() == [("updated", "1"), ("created", "moved")]
    platform.theses.save(new=None)
    platform.publish()
    assert platform.changes()[2:] == [("deleted", "1")]


def test_a_save_is_an_update_if_nothing_else_tells(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    platform.theses.save(one="1", two=rs.Resource(f"{BASE}2", lastmod="2024-05-01"))
    (row, _) = platform.tables.outbox
    with monkeypatch.context() as context, pytest.raises(Killed):
        context.setattr(platform.tables, "remove", killed)
        platform.publish()
    # The row is processed again, and a comparison finds the same.
    platform.publish()
    platform.theses.save(two=rs.Resource(f"{BASE}2", lastmod="2024-05-01"))
    assert not platform.publish().changed
    assert platform.publisher.reconcile().sets["theses"].updated == 0
    first, second = rs.iter_entries(platform.folder / "theses" / "changelist.xml")
    assert (first.change, first.uri, first.lastmod, second.uri) == ("updated", f"{BASE}1", datetime.fromtimestamp(row.at / 1000, timezone.utc), f"{BASE}2")


def version(length: int) -> rs.Resource:
    """A version of a work."""
    return rs.Resource(f"{BASE}work", length=length)


@pytest.mark.parametrize("chunk", [1, 500])
def test_of_several_records_with_a_uri_that_which_took_it_last_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(_platform, "CHUNK", chunk)
    own = Platform(tmp_path)
    own.theses.records.update(a=version(1), other=rs.Resource(f"{BASE}other"), b=version(2))
    assert own.publish().is_complete and own.listed() == {"work", "other"}
    (length,) = (entry.length for entry in rs.iter_entries(own.folder / "theses" / "resourcelist.xml") if entry.uri == f"{BASE}work")
    assert length == 2
    own.theses.save(a=version(3))
    assert not own.publish().changed

    def published() -> tuple[str | None, int | None]:
        assert own.publish().is_complete and not own.tables.outbox
        (*_, entry) = (entry for entry in rs.iter_entries(own.folder / "theses" / "changelist.xml") if entry.uri == f"{BASE}work")
        return entry.change, entry.length

    own.theses.save(b=None)
    assert published() == ("updated", 3)
    own.theses.save(c=version(4))
    assert published() == ("updated", 4)
    # A comparison finds the same.
    before = own.changes()
    assert own.publisher.reconcile().is_complete and own.changes() == before and not own.tables.outbox
    # The newer one is gone, which no row says.
    del own.theses.records["c"]
    own.theses.save(a=version(5))
    assert published() == ("updated", 5)
    own.theses.save(b=version(6), a="moved")
    assert published() == ("updated", 6)
    own.theses.save(b=None)
    assert published()[0] == "deleted"


def test_a_uri_waits_for_the_record_that_has_it_and_fails(platform: Platform) -> None:
    platform.theses.save(new=rs.Resource(f"{BASE}1", length=2))
    platform.publish()
    before = platform.changes()
    platform.theses.records["new"] = ValueError("no file")
    platform.theses.save(one=rs.Resource(f"{BASE}1", length=3))
    assert len(platform.publish().problems) == 1 and platform.changes() == before and not platform.tables.outbox
    assert len(platform.publisher.reconcile().problems) == 1 and platform.changes() == before and platform.listed() == {"1", "2"}
    # And if the other one leaves it.
    platform.theses.records["one"] = ValueError("no file")
    platform.theses.save(new=None)
    for _ in range(2):
        done = platform.publish()
        assert done.problems == ("theses: record one: ValueError: no file",) and platform.changes() == before
    platform.theses.records["one"] = rs.Resource(f"{BASE}1", length=4)
    assert platform.publish().is_complete and platform.changes() == [*before, ("updated", "1")] and not platform.tables.outbox


def no_header(_: str) -> None:
    """A request without header fields."""


IMPOSSIBLE = {
    "a naive datetime": rs.Resource(f"{BASE}new", lastmod=datetime(2024, 5, 1)),
    "the URI of a document": rs.Resource(f"{BASE}theses/resourcelist-x.xml"),
    "the URI of the page": rs.Resource(f"{BASE}about.html"),
    "no URI": rs.Resource("not a URI"),
    "a number as a time": rs.Resource(f"{BASE}new", lastmod=2024),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("record", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_record_stays_as_it_is_published_and_blocks_no_other(platform: Platform, record: rs.Resource) -> None:
    platform.theses.save(one=record, three="3")
    platform.papers.save(paper="paper")
    for _ in range(2):
        done = platform.publish()
        assert len(done.problems) == 1 and done.problems[0].startswith("theses: record one: ") and done.sets["theses"].refused == 1
    assert platform.listed() == {"1", "2", "3"} and platform.listed("papers") == {"paper"}
    # The comparison keeps it, too, and deletes what is really gone.
    del platform.theses.records["two"]
    done = platform.publisher.reconcile(max_delete="100%")
    assert done.sets["theses"].refused == 1 and done.sets["theses"].deleted == 1 and platform.listed() == {"1", "3"}
    assert [row.key for row in platform.tables.outbox] == ["one"]
    platform.theses.records["one"] = rs.Resource(f"{BASE}fixed")
    done = platform.publish()
    assert done.is_complete and platform.listed() == {"fixed", "3"} and not platform.tables.outbox
    assert list(rs.validate(platform.folder)) == []


def test_a_record_that_fails_in_a_comparison_stays_and_is_tried_again(platform: Platform) -> None:
    platform.theses.records["one"] = ValueError("no file")
    platform.theses.records["three"] = rs.Resource(f"{BASE}3")
    done = platform.publisher.reconcile()
    assert done.problems == ("theses: record one: ValueError: no file",) and done.sets["theses"].failed == 1
    assert platform.listed() == {"1", "2", "3"}
    # The outbox has a row for it now.
    platform.theses.records["one"] = rs.Resource(f"{BASE}fixed")
    assert platform.publish().is_complete and platform.listed() == {"fixed", "2", "3"}


def test_links_may_be_read_once_only(platform: Platform) -> None:
    def links() -> Iterator[rs.Related]:
        yield rs.Related("describedby", f"{BASE}metadata")

    platform.theses.save(one=rs.Resource(f"{BASE}1", links=links()))
    assert platform.publish().sets["theses"].updated == 1
    platform.theses.records.update(one=rs.Resource(f"{BASE}1", links=links()), two=rs.Resource(f"{BASE}2", links=links()))
    assert platform.publisher.reconcile().sets["theses"].updated == 1
    for entry in rs.iter_entries(platform.folder / "theses" / "changelist.xml"):
        assert [link.href for link in entry.links] == [f"{BASE}metadata"]


def test_what_a_guard_holds_back_does_not_count_as_published(platform: Platform) -> None:
    platform.theses.records.clear()
    platform.theses.records["three"] = rs.Resource(f"{BASE}3")
    with pytest.raises(rs.GuardError):
        platform.publisher.reconcile(max_delete=1)
    assert {item.uri for _, item in platform.tables.rows.values()} == {f"{BASE}1", f"{BASE}2"}
    platform.publisher.reconcile(max_delete="100%")
    assert platform.listed() == {"3"} and [item.uri for _, item in platform.tables.rows.values()] == [f"{BASE}3"]


def test_a_set_begins_without_the_others(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    # Deletions that need permission wait in the other set, and it fails.
    platform.theses.records.clear()
    platform.theses.records["bad"] = ValueError("no file")
    monkeypatch.setattr(platform.theses, "everything", lambda: pytest.fail("the other set is read"))
    platform.papers.records.update(a=rs.Resource(f"{BASE}a"), b=ValueError("no text"), c=rs.Resource(f"{BASE}about.html"))
    platform.papers.save(d="d")
    platform.theses.save(three="3")
    done = platform.publish()
    assert sorted(problem.partition(": ")[2][:9] for problem in done.problems) == ["record b:", "record c:"]
    assert (done.sets["papers"].created, done.sets["papers"].unchanged, done.sets["theses"].created) == (2, 0, 1)
    assert platform.listed("papers") == {"a", "d"} and platform.listed() == {"1", "2", "3"}
    # Records with problems have rows, although nobody saved them.
    platform.papers.records.update(b=rs.Resource(f"{BASE}b"), c=rs.Resource(f"{BASE}c"))
    assert platform.publish().sets["papers"].created == 2 and not platform.tables.outbox


def test_a_record_that_goes_while_its_set_begins_is_not_published(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def killed(**_: object) -> None:
        raise Killed

    platform.papers.save(a="a", b="b")
    with monkeypatch.context() as context, pytest.raises(Killed):
        context.setattr(platform.source, "publish", killed)
        platform.publish()
    platform.papers.save(b=None)
    platform.publish()
    assert platform.listed("papers") == {"a"} and len(platform.tables.rows) == 3


def test_a_publication_that_fails_leaves_no_event(platform: Platform) -> None:
    state = platform.folder.with_name("public.resourcesync")
    platform.theses.save(secret="secret", three="3")
    sizes: list[int] = []
    with locked(state / "lock", 0):
        source = rs.Source(platform.folder, BASE, wait=0)
        publisher = Publisher(source, platform.folder, platform.tables, {"theses": platform.theses, "papers": platform.papers}, wait=0)  # type: ignore[dict-item]
        with pytest.raises(rs.PublishError):
            publisher.publish()
    # Its settings are wrong.
    source = rs.Source(platform.folder, "https://wrong.example/")
    publisher = Publisher(source, platform.folder, platform.tables, {"theses": platform.theses, "papers": platform.papers})  # type: ignore[dict-item]
    platform.theses.records["three"] = rs.Resource("https://wrong.example/3")
    for _ in range(2):
        with pytest.raises(rs.PublishError):
            publisher.publish()
        sizes.append(sum(path.stat().st_size for path in state.glob("journal*")))
    assert sizes[0] == sizes[1]
    platform.theses.records["three"] = rs.Resource(f"{BASE}3")
    platform.theses.save(secret=None)
    assert platform.publish().is_complete and platform.changes() == [("created", "3")]
    # A comparison does not publish them either.
    platform.theses.save(secret="secret")
    with pytest.raises(rs.PublishError):
        publisher.publish()
    platform.theses.save(secret=None)
    platform.publisher.reconcile()
    assert platform.changes() == [("created", "3")] and [item.uri for _, item in platform.tables.rows.values()] == [f"{BASE}{n}" for n in (1, 2, 3)]


def test_one_failing_record_holds_back_no_first_publication(tmp_path: Path) -> None:
    platform = Platform(tmp_path)
    platform.theses.records.update(a=rs.Resource(f"{BASE}a"), b=ValueError("no file"))
    done = platform.publish()
    assert (done.kind, done.sets["theses"].created, len(done.problems)) == ("publish", 1, 1)
    platform.theses.records["b"] = rs.Resource(f"{BASE}b")
    assert platform.publish().sets["theses"].created == 1


def test_a_first_publication_needs_a_record(tmp_path: Path) -> None:
    platform = Platform(tmp_path)
    platform.theses.save(a=rs.Resource(f"{BASE}about.html"))
    for _ in range(2):
        with pytest.raises(rs.PublishError, match="no record can be published; the last one: theses: record a: "):
            platform.publish()
    assert [row.key for row in platform.tables.outbox] == ["a"] and not platform.folder.exists()
    platform.theses.save(a="a")
    assert platform.publish().sets["theses"].created == 1


def test_a_record_that_goes_before_a_first_publication_reads_it_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Platform(tmp_path)
    own.theses.save(a="a")
    everything, calls = own.theses.everything, iter([True])
    monkeypatch.setattr(own.theses, "everything", lambda: everything() if next(calls, False) else iter(()))
    assert not own.publisher.publish().changed
    monkeypatch.undo()
    assert own.publisher.publish().changed


def test_what_is_saved_while_others_are_published_is_published_too(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its own process waited for the lock in vain.
    original = platform.source.publish

    def publish(**options: str | None) -> rs.PublishedEvents:
        done = original(**options)
        if "late" not in platform.theses.records:
            platform.theses.save(late="late")
        return done

    monkeypatch.setattr(platform.source, "publish", publish)
    platform.theses.save(bad=ValueError("no file"), early="early")
    done = platform.publish()
    assert (done.sets["theses"].created, len(done.problems)) == (2, 1) and [row.key for row in platform.tables.outbox] == ["bad"]


def test_news_are_changes_and_other_problems() -> None:
    now = datetime.now(timezone.utc)
    quiet, failing = PlatformPublished(now, "publish", False, {}), PlatformPublished(now, "publish", False, {}, ("a", "b"))
    assert not quiet.is_news((), 0) and quiet.is_news(("a",), 0) and quiet.is_news((), 1) and replace(quiet, changed=True).is_news((), 0)
    assert not failing.is_news(["a", "b"], 0) and failing.is_news(["a"], 0)
    many = replace(failing, problems=tuple(map(str, range(500))))
    assert not many.is_news(many.first_problems, 0)


def test_a_command_ends_with_an_error_if_something_was_not_done(platform: Platform) -> None:
    lines: list[str] = []
    platform.theses.save(bad=ValueError("no file"))
    with pytest.raises(Incomplete, match="records that were not published: 1"):
        finish(platform.publish(), lines.append, lines.append)
    assert lines == ["theses: 0 created, 0 updated, 0 deleted, 0 unchanged, 1 failed", "papers: 0 created, 0 updated, 0 deleted, 0 unchanged",
                     "theses: record bad: ValueError: no file"]
    check(platform.folder, lines.append)
    (platform.folder / "theses" / "capabilitylist.xml").write_text("<urlset/>")
    with pytest.raises(Incomplete, match="the published documents are invalid"):
        check(platform.folder, lines.append)


def test_the_links_of_topics_are_in_compressed_capability_lists_too(tmp_path: Path) -> None:
    source = rs.Source(tmp_path / "public", BASE, gzip=True, hubs=["https://hub.example/"], notify="later")
    source.upsert(rs.Resource(f"{BASE}1"), set="theses")
    source.publish()
    assert (tmp_path / "public" / "theses" / "capabilitylist.xml.gz").exists()
    (topic, *_) = sorted(path.name for path in (tmp_path / "public" / "theses" / "notifications").iterdir())
    fields = dict(serve(tmp_path / "public", f"theses/notifications/{topic}", "HEAD", no_header).fields)
    assert fields["Link"] == f'<{BASE}theses/notifications/{topic}>; rel="self", <https://hub.example/>; rel="hub"'


def test_a_web_server_sends_the_files(tmp_path: Path) -> None:
    rs.publish(tmp_path / "public", BASE, {"theses": [rs.Resource(f"{BASE}1")]})
    sent = serve(tmp_path / "public", "theses/capabilitylist.xml", "GET", no_header, sendfile=("X-Accel-Redirect", "/internal/"))
    assert (sent.status, sent.file) == (200, None)
    assert sent.fields == [("Content-Type", "application/xml"), ("X-Accel-Redirect", "/internal/theses/capabilitylist.xml")]
    assert serve(tmp_path / "public", "theses/nothing", "GET", no_header, sendfile=("X-Sendfile", "/public")).status == 404


def test_mistakes_in_settings_are_found_for_each_framework(tmp_path: Path) -> None:
    right = Settings(BASE_URI=BASE, FOLDER=tmp_path)

    def found(settings: Settings, *sets: str) -> list[str]:
        return [mistake.code for mistake in settings.mistakes(sets)]

    assert found(right, "theses", "a-b_c.d") == []
    assert found(right, "", ".a", "a b", "a/b", "ä") == ["E006"] * 5
    assert found(replace(right, BASE_URI="repository.example", FOLDER="public")) == ["E002", "E005"]
    assert found(replace(right, BASE_URI=f"{BASE}?a=b")) == ["E002"] and found(replace(right, BASE_URI=f"{BASE}repo/")) == ["W004"]
    assert found(replace(right, HUBS=["https://h.example/", "http://localhost:8080/"])) == []
    assert found(replace(right, HUBS=["http://h.example/", "ftp://h.example/", "https://h.example/?x"])) == ["W003", "E002", "E002"]
    assert [mistake.is_error for mistake in replace(right, BASE_URI="x").mistakes([])] == [True]
    assert found(replace(right, BASE_URI="http://[x/", HUBS=["https://["])) == ["E002", "E002"]


def test_a_publisher_that_watches_goes_on_after_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    done = PlatformPublished(datetime.now(timezone.utc), "publish", True, {})
    results: list[Exception | PlatformPublished] = [rs.GuardError("more would be deleted"), rs.PublishError("another process"), KeyError("bug"), done]
    lines: list[str] = []

    class Over:
        def wait(self, seconds: float) -> bool:
            pauses.append(seconds)
            return not results

    def publish() -> PlatformPublished:
        found = results.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr("resourcesync._commands.stopped", Over)
    watch(lambda: (1, 1), publish, lambda: None, (), 0.2, lines.append, lines.append)
    reasons = ["more would be deleted", "another process", "KeyError: 'bug'"]
    assert lines == [f"not published, trying again: {reason}" for reason in reasons]
    assert pauses == [0.2, 1.0, 2.0, 4.0, 0.2]
    # Nothing corrects the settings of a process.
    results.append(rs.ConfigError("wrong"))
    with pytest.raises(rs.ConfigError):
        watch(lambda: (1, 1), publish, lambda: None, (), 0.2, lines.append, lines.append)


def test_a_run_that_ends_out_of_step_or_fails_is_repeated_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    runs: list[float] = []

    class Over:
        def is_set(self) -> bool:
            return now[0] > 1_100

        def wait(self, seconds: float) -> None:
            now[0] += seconds

    def follow() -> Applied:
        runs.append(now[0])
        if len(runs) == 2:
            raise KeyError("a bug of APPLY")
        return Applied("partner", 0, 0, 0, "not reachable", in_step=len(runs) > 2)

    monkeypatch.setattr("resourcesync._commands.stopped", Over)
    monkeypatch.setattr("resourcesync._commands.time.time", lambda: now[0])
    watch_source("partner", 3600.0, None, lambda: False, follow, lambda: None, (), lambda _: None)
    assert runs == [1_000.0, 1_030.0, 1_060.0]


def test_a_hub_that_fails_does_not_keep_a_source_from_being_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, runs, words = [1_000.0], [0], list[str]()

    class Over:
        def is_set(self) -> bool:
            return now[0] > 1_100

        def wait(self, seconds: float) -> None:
            now[0] += seconds

    def subscribe() -> float:
        raise OSError("no hub answers")

    def follow() -> Applied:
        runs[0] += 1
        return Applied("partner", 0, 0, 0, "", in_step=True)

    monkeypatch.setattr("resourcesync._commands.stopped", Over)
    monkeypatch.setattr("resourcesync._commands.time.time", lambda: now[0])
    watch_source("partner", 60.0, subscribe, lambda: False, follow, lambda: None, (OSError,), words.append)
    assert runs == [2] and len([word for word in words if "no hub answers" in word]) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="flock")
def test_a_lock_that_the_file_system_lacks_is_not_called_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def take(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("resourcesync._lock._take", take)
    with pytest.raises(rs.PublishError, match="cannot be locked: No locks available"), locked(tmp_path / "lock", 0):
        pass
