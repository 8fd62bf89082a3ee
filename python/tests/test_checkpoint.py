"""Runs whose driver is killed: they continue with the parcels in their folder, and have the report of a run that was not interrupted."""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import shutil
import stat
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import Pages, served
from resourcesync import _checkpoint, _core, _rounds

AT = "2024-05-01T00:00:00Z"
LISTS, PACKAGES = 24, 3
#: Packages are verified in some four pieces each, and a host has two lanes.
DIVISION = json.dumps({"lanes": 2, "requestsPerSecond": 1000, "pieceBytes": 12_000})
SHARED = _rounds.Shared({}, {}, 7)
Collected = Iterator[tuple[_rounds.Place, bytes]]


class Source:
    """A Source with lists and packages on a server that notes each request."""

    def __init__(self, pages: Pages, base: str, asked: list[tuple[str, str | None]], folder: Path) -> None:
        self.pages, self.base, self.asked, self.folder = pages, base, asked, folder
        self.start = f"{base}capabilitylist.xml"
        index = rs.ResourceListIndex(self.start, AT)
        for number in range(LISTS):
            index.push(rs.SnapshotEntry(f"{base}{number}.xml"))
            made = rs.ResourceList(self.start, AT, index=f"{base}index.xml")
            # A resource in several lists is a finding of the whole Source.
            made.extend(rs.Resource(f"{base}{number // 2}/{each}", length=each, lastmod="2024-04-01T00:00:00Z") for each in range(20))
            pages[f"/{number}.xml"] = made.to_bytes()
        dump = rs.ResourceDump(self.start, AT)
        for number in range(PACKAGES):
            path = folder / f"{number}.zip"
            members = [(rs.Bitstream(f"{base}{number}/{each}", f"/{each}", "text/plain"), random.Random(each).randbytes(2000)) for each in range(20)]
            rs.create_package(path, members, up=self.start, at=AT)
            pages[f"/{number}.zip"] = path.read_bytes()
            dump.push(rs.Package(f"{base}{number}.zip", path.stat().st_size))
        capabilities = rs.CapabilityList(f"{base}.well-known/resourcesync", f"{base}about.html")
        capabilities.push(rs.CapabilityEntry("resourcelist", f"{base}index.xml"))
        capabilities.push(rs.CapabilityEntry("resourcedump", f"{base}dump.xml"))
        pages |= {"/capabilitylist.xml": capabilities.to_bytes(), "/index.xml": index.to_bytes(), "/dump.xml": dump.to_bytes()}

    def report(self) -> bytes:
        """The report of the command."""
        fast = ["--limit", "http_requests_per_second=1000"]
        words = [sys.executable, "-m", "resourcesync", "validate", "--format", "json", "--follow", *fast, self.start]
        return subprocess.run(words, capture_output=True, check=False).stdout

    def requests(self) -> list[str]:
        """The paths that were requested since the last call."""
        paths = [path for path, _ in self.asked]
        self.asked.clear()
        return paths


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends leaves what it wrote, flushed or not, and a busy disk takes long to flush."""

    def unflushed(file: int) -> None: ...

    monkeypatch.setattr(os, "fsync", unflushed)


@pytest.fixture
def source(tmp_path: Path) -> Generator[Source]:
    pages: Pages = {}
    (tmp_path / "packages").mkdir()
    with served(pages) as (base, asked):
        yield Source(pages, base, asked, tmp_path / "packages")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "checkpoint"


def run(folder: Path, *starts: str, collect: _rounds.Collect = _rounds.here, shared: _rounds.Shared = SHARED, division: str = DIVISION) -> dict[str, bytes]:
    """The reports of a run, also of packages in files."""
    with _checkpoint.resumed(folder, replace(shared, seed=secrets.randbits(64)), starts, collect) as (own, on):
        uris, paths = [each for each in starts if "://" in each], [each for each in starts if "://" not in each]
        made = _rounds.crawled(own, uris, division, on) | _rounds.verified(own, paths, division, on)
    return {start: report.to_json() for start, report in made.items()}


#: The same in a process of its own, which is killed.
DRIVER = """
import os, secrets, sys
from resourcesync import _checkpoint, _rounds
folder, start, division, out = sys.argv[1:]
with _checkpoint.resumed(folder, _rounds.Shared({}, {}, secrets.randbits(64)), [start], _rounds.here) as (own, on):
    made = _rounds.crawled(own, [start], division, on)
    with open(f"{out}.part", "wb") as file:
        file.write(made[start].to_json())
    os.replace(f"{out}.part", out)
"""


def parcels(folder: Path) -> list[Path]:
    return sorted(folder.glob("parcels/*/*.parcel"))


def kept(folder: Path) -> set[str]:
    """The paths of the documents and packages of which there are parcels. Those of pieces name no URI."""
    found = (re.search(rb'"uri":"http://[^/"]+(/[^"]+)","status":200', path.read_bytes()) for path in parcels(folder))
    return {each[1].decode() for each in found if each}


class Killed(Exception):
    """The end of a driver in this process."""


class Worker:
    """Performs tasks in this process until it has returned some parcels, and notes the jobs whose parcels were kept."""

    def __init__(self, most: int | None = None) -> None:
        self.left = iter(range(1_000_000 if most is None else most))
        self.began: list[_rounds.Job] = []
        self.done: list[_rounds.Job] = []

    def __call__(self, tasks: list[_rounds.Task]) -> Collected:
        for task in tasks:
            for job in task.jobs:
                own = replace(job, place=(0, 0), pieces=())
                self.began.append(own)
                for parcel in _rounds.perform(replace(task, jobs=(job,))):
                    if next(self.left, None) is None:
                        raise Killed
                    yield parcel
                    self.done.append(own)


def interrupted(folder: Path, *starts: str, after: int, **given: Any) -> set[_rounds.Job]:
    """A run that ends after so many parcels; what is kept."""
    worker = Worker(after)
    with pytest.raises(Killed):
        run(folder, *starts, collect=worker, **given)
    assert len(worker.done) == after
    return {*worker.done}


def none(tasks: list[_rounds.Task]) -> Collected:
    raise AssertionError(f"{tasks} are performed although everything is kept")


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be killed like that")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_driver_that_is_killed_requests_nothing_again_and_has_the_same_report(source: Source, folder: Path, tmp_path: Path, seed: int) -> None:
    whole = source.report()
    found = json.loads(whole)
    assert found["summary"]["inputs"] > LISTS + PACKAGES and len(found["diagnostics"]) > LISTS // 2
    chance, out = random.Random(seed), tmp_path / "report.json"
    pieces = kills = 0
    begun: set[bytes] = set()
    source.requests()
    while not out.exists():
        before, most = kept(folder), len(source.asked) + chance.randrange(8)
        driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(folder), source.start, DIVISION, str(out)])
        while driver.poll() is None and len(source.asked) < most:
            time.sleep(0.0005)
        time.sleep(chance.random() * 0.02 if most else 0)
        driver.kill()
        kills += driver.wait() != 0
        again = {*source.requests()} & before
        assert not again
        assert before <= kept(folder) or out.exists()
        if (folder / "run.json").exists():
            begun.add((folder / "run.json").read_bytes())
        pieces = max(pieces, len(parcels(folder)) - len(kept(folder)))
        assert kills < 200
    assert out.read_bytes() == whole
    assert kills > 3 and pieces > PACKAGES and len(begun) == 1
    # The last one may have been killed while it ended the run.
    assert run(folder, source.start, collect=none if (folder / "run.json").exists() else _rounds.here) == {source.start: whole}
    assert sorted(path.name for path in folder.rglob("*")) == ["lock"]


def test_whatever_was_kept_the_rest_is_requested_once(source: Source, folder: Path) -> None:
    whole = source.report()
    source.requests()
    alone = run(folder, source.start)[source.start]
    once = sorted(source.requests())
    assert alone == whole
    for after in (0, 1, 3, 10, 30):
        done = interrupted(folder, source.start, after=after)
        assert len(parcels(folder)) == after
        rest = Worker()
        assert run(folder, source.start, collect=rest)[source.start] == whole
        assert not done & {*rest.began} and len(rest.began) == len({*rest.began})
        assert {*source.requests()} == {*once}


def test_pieces_of_packages_are_kept_and_those_of_a_package_that_was_read_are_not_needed(source: Source, folder: Path) -> None:
    start = f"{source.base}dump.xml"
    whole = Worker()
    report = run(folder, start, collect=whole)[start]
    pieces = {job for job in whole.began if job.piece}
    assert len(pieces) > 2 * PACKAGES
    first = next(number for number, job in enumerate(whole.done) if job.piece)
    done = interrupted(folder, start, after=first + 3)
    assert len(done & pieces) == 3
    rest = Worker()
    assert run(folder, start, collect=rest)[start] == report
    assert not done & {*rest.began} and done | {*rest.began} == {*whole.began}
    # Now no piece is kept, and all packages but one.
    everything(folder, start)
    for path in parcels(folder):
        if b'"status":' not in path.read_bytes():
            path.unlink()
    of(folder, "/0.zip").unlink()
    again = Worker()
    assert run(folder, start, collect=again)[start] == report
    assert len(again.began) > 2 and {*again.began} == {job for job in whole.began if json.loads(job.fetch)["uri"].endswith("/0.zip")}


def test_packages_in_files_continue_as_well(source: Source, folder: Path) -> None:
    paths = [str(path) for path in sorted(source.folder.iterdir())]
    wanted = {path: rs.validate(path).to_json() for path in paths}
    # In the folder, and by itself.
    starts = (str(source.folder), paths[0])
    for after in (0, 4, 9, 13):
        done = interrupted(folder, *starts, after=after)
        rest = Worker()
        assert run(folder, *starts, collect=rest) == wanted
        assert not done & {*rest.began}
    both = {**wanted, source.start: source.report()}
    interrupted(folder, *starts, source.start, after=40)
    assert run(folder, *starts, source.start) == both
    everything(folder, *starts)
    for path in paths:
        Path(path).write_bytes(b"PK")
    assert run(folder, *starts, collect=none) == wanted


def everything(folder: Path, *starts: str) -> None:
    """All parcels of a run that has not ended."""
    uris, paths = [each for each in starts if "://" in each], [each for each in starts if "://" not in each]
    with pytest.raises(Killed), _checkpoint.resumed(folder, SHARED, starts, _rounds.here) as (own, on):
        _rounds.crawled(own, uris, DIVISION, on)
        _rounds.verified(own, paths, DIVISION, on)
        raise Killed


def test_a_complete_run_requests_nothing_whatever_the_servers_say_now(source: Source, folder: Path) -> None:
    whole = source.report()
    everything(folder, source.start)
    source.requests()
    source.pages.clear()
    assert run(folder, source.start, collect=none) == {source.start: whole}
    assert source.requests() == []


def of(folder: Path, page: str) -> Path:
    """The parcel of a document."""
    (path,) = (path for path in parcels(folder) if f'{page}","status":200'.encode() in path.read_bytes())
    return path


@pytest.mark.parametrize("damage", ["cut", "longer", "flipped", "empty", "of another", "of another run", "gone", "bare"])
def test_a_parcel_that_is_damaged_or_foreign_is_read_again(source: Source, folder: Path, tmp_path: Path, damage: str) -> None:
    whole = source.report()
    everything(folder, source.start)
    source.requests()
    path = of(folder, "/5.xml")
    content = path.read_bytes()
    if damage == "of another run":
        everything(tmp_path / "other", source.start)
        source.requests()
        (tmp_path / "other" / path.relative_to(folder)).replace(path)
    elif damage == "of another":
        shutil.copy(of(folder, "/6.xml"), path)
    elif damage == "gone":
        path.unlink()
    else:
        flipped = content[:-40] + bytes([content[-40] ^ 1]) + content[-39:]
        path.write_bytes({"cut": content[:-1], "longer": content + b"\0", "flipped": flipped, "empty": b"", "bare": content[:-32]}[damage])
    assert run(folder, source.start) == {source.start: whole}
    assert source.requests() == ["/5.xml"]


def test_a_document_that_leads_elsewhere_when_it_is_read_again_has_its_own_fetches(source: Source, folder: Path) -> None:
    everything(folder, source.start)
    source.requests()
    of(folder, "/index.xml").unlink()
    index = rs.ResourceListIndex(source.start, AT)
    index.extend(rs.SnapshotEntry(f"{source.base}{number}.xml") for number in (*range(4, LISTS), 1, 0))
    source.pages["/index.xml"] = index.to_bytes()
    made = run(folder, source.start)[source.start]
    asked = source.requests()
    # The fetches have other numbers than before. What a parcel of another number says is not taken for them.
    assert made == source.report() and asked[0] == "/index.xml" and "/4.xml" in asked


def test_a_folder_of_another_run_is_rejected_and_left_as_it_is(source: Source, folder: Path, tmp_path: Path) -> None:
    allowed = replace(SHARED, servers={"allow_host": ["b.example", "a.example"]}, options={"ignore": ["ADV"], "limits": {"entries": 9, "links": 9}})
    interrupted(folder, source.start, after=3, shared=allowed)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    others = [
        ([source.start, f"{source.base}index.xml"], allowed, "other sources"),
        ([f"{source.base}index.xml"], allowed, "other sources"),
        ([source.start], replace(allowed, options={**allowed.options, "ignore": ["GEN"]}), "other options"),
        ([source.start], replace(allowed, options={**allowed.options, "limits": {"entries": 8, "links": 9}}), "other options"),
        ([source.start], replace(allowed, options={**allowed.options, "max_per_rule": 5}), "other options"),
        ([source.start], replace(allowed, servers={"allow_host": ["a.example"]}), "other options"),
        ([source.start], replace(allowed, servers={**allowed.servers, "robots": True}), "other options"),
        ([str(tmp_path)], replace(allowed, options={}), "other sources and other options"),
    ]
    for starts, shared, words in others:
        with pytest.raises(rs.ConfigError, match=f"^checkpoint: {re.escape(str(folder))} belongs to a run with {words}; remove the folder to start again"):
            run(folder, *starts, shared=shared, collect=none)
    older = json.loads((folder / "run.json").read_bytes())
    assert older["version"] == _core.VERSION
    (folder / "run.json").write_text(json.dumps({**older, "version": "0.0.1"}))
    with pytest.raises(rs.ConfigError, match="another version of resourcesync"):
        run(folder, source.start, shared=allowed, collect=none)
    (folder / "run.json").write_bytes(before[folder / "run.json"])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    # How fast and as whom servers are requested is of no importance, nor is the order of what has none.
    same = replace(allowed, servers={"allow_host": ["a.example", "b.example"], "user_agent": "x", "from": "a@b.example", "header": {}})
    same = replace(same, options={"limits": {"links": 9, "entries": 9}, "ignore": ["ADV"]})
    source.requests()
    interrupted(folder, source.start, after=0, shared=same, division=json.dumps({"lanes": 1, "requestsPerSecond": 500}))
    assert len(parcels(folder)) == 3 and not {*source.requests()} & kept(folder)


def test_sources_may_be_named_in_another_order(source: Source, folder: Path) -> None:
    starts = (source.start, f"{source.base}index.xml", f"{source.base}dump.xml")
    all_ = Worker()
    wanted = run(folder, *starts, collect=all_)
    done = interrupted(folder, *starts, after=30)
    rest = Worker()
    assert run(folder, *reversed(starts), collect=rest) == wanted
    # Each Source reads its documents for itself.
    assert not done & {*rest.began} and len(done) + len(rest.began) == len(all_.began) > 2 * LISTS


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"version": "1"}', b'\xff'])
def test_what_is_not_a_run_is_rejected(folder: Path, content: bytes) -> None:
    folder.mkdir()
    (folder / "run.json").write_bytes(content)
    with pytest.raises(rs.ConfigError, match="run.json is not of a run; remove the folder, or name another one"):
        run(folder, "http://127.0.0.1:9/", collect=none)
    assert (folder / "run.json").read_bytes() == content


def test_a_folder_with_other_files_is_rejected_and_an_empty_one_is_not(source: Source, folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(rs.ConfigError, match="other files, such as thesis.tex; name a folder that is empty or does not exist"):
        run(folder, source.start, collect=none)
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]
    with pytest.raises(rs.ConfigError, match="thesis.tex is not a folder"):
        run(folder / "thesis.tex", source.start, collect=none)
    (folder / "thesis.tex").unlink()
    assert run(folder, source.start) == {source.start: source.report()}


def test_two_drivers_do_not_share_a_folder(source: Source, folder: Path, tmp_path: Path) -> None:
    def meanwhile(tasks: list[_rounds.Task]) -> Collected:
        with pytest.raises(rs.ConfigError, match=f"^checkpoint: another process uses {re.escape(str(folder))}; wait"):
            run(folder, source.start, collect=none)
        return _rounds.here(tasks)

    whole = run(folder, source.start, collect=meanwhile)
    with _checkpoint.resumed(folder, SHARED, [source.start], none):
        assert run(tmp_path / "other", source.start) == whole


def test_the_next_run_starts_again(source: Source, folder: Path) -> None:
    first = run(folder, source.start)
    assert sorted(path.name for path in folder.rglob("*")) == ["lock"]
    asked = source.requests()
    del source.pages["/3.xml"]
    assert run(folder, source.start) != first
    assert sorted({*source.requests()}) == sorted({*asked})


def test_parcels_of_a_run_that_has_ended_are_not_used(source: Source, folder: Path) -> None:
    everything(folder, source.start)
    source.requests()
    # The driver was killed while it removed them.
    (folder / "run.json").unlink()
    parcels(folder)[0].with_suffix(".7.part").write_bytes(b"torn")
    (folder / "run.7.part").write_bytes(b"torn")
    left = len(parcels(folder))
    interrupted(folder, source.start, after=2)
    assert left > LISTS and len(parcels(folder)) == 2 and not [*folder.rglob("*.part")]
    assert source.requests()[0] == "/capabilitylist.xml"


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be flushed")
def test_a_run_has_ended_on_the_disk_before_its_parcels_are_removed(source: Source, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[tuple[bool, bool, int]] = []
    real = os.fsync

    def fsync(file: int) -> None:
        real(file)
        flushed.append((stat.S_ISDIR(os.fstat(file).st_mode), (folder / "run.json").exists(), len(parcels(folder))))

    monkeypatch.setattr(os, "fsync", fsync)
    run(folder, source.start)
    # Otherwise a loss of power could leave a run with some of its parcels.
    assert flushed[-1][:2] == (True, False) and flushed[-1][2] > LISTS


def test_other_people_learn_nothing_from_the_folder(source: Source, folder: Path) -> None:
    secret = "c2VjcmV0"
    shared = replace(SHARED, servers={"header": {source.base: {"Authorization": f"Bearer {secret}"}}, "from": "me@a.example", "user_agent": "us"})
    interrupted(folder, source.start, after=20, shared=shared)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 22
    for path in files:
        content = path.read_bytes()
        assert not any(word in content for word in (secret.encode(), b"me@a.example", b"Authorization"))
    assert source.start.encode() not in (folder / "run.json").read_bytes()
    if os.name == "posix":
        assert {stat.S_IMODE(path.stat().st_mode) for path in files if path.name != "lock"} == {0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_driver_does_not_hold_all_parcels(folder: Path) -> None:
    jobs = tuple(_rounds.Job((0, number), json.dumps(number), "http://a.example/") for number in range(90))
    tasks = [_rounds.Task(SHARED, None, jobs[:40]), _rounds.Task(SHARED, None, jobs[40:])]

    def large(tasks: list[_rounds.Task]) -> Collected:
        return ((job.place, bytes([int(job.fetch)]) * 300_000) for task in tasks for job in task.jobs)

    tracemalloc.start()
    try:
        with _checkpoint.resumed(folder, SHARED, ["http://a.example/"], large) as (_, on):
            found = [(place, parcel[0], len(parcel)) for place, parcel in on(tasks)]
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == [((0, number), number, 300_000) for number in range(90)]
    # Less than the parcels of one task have.
    assert most < 9_000_000


def test_tasks_return_after_some_fetches_and_keep_the_rate_of_their_lane(folder: Path) -> None:
    jobs = tuple(_rounds.Job((0, number), json.dumps(number), "http://a.example/") for number in range(100))
    parts: list[int] = []
    begun: list[float] = []
    ended: list[float] = []

    def noted(tasks: list[_rounds.Task]) -> Collected:
        begun.append(time.monotonic())
        (task,) = tasks
        parts.append(len(task.jobs))
        yield from ((job.place, b"") for job in task.jobs)
        ended.append(time.monotonic())

    with _checkpoint.resumed(folder, SHARED, ["http://a.example/"], noted) as (_, on):
        assert len([*on([_rounds.Task(SHARED, 20, jobs)])]) == 100
    assert parts == [32, 32, 32, 4]
    # A part begins with a request at once, so that it waits for its turn.
    assert all(next_ - last >= 0.05 for last, next_ in zip(ended, begun[1:]))


def test_what_is_read_for_one_source_is_not_of_another(folder: Path) -> None:
    asked = [("http://a.example/", "f", None), ("http://b.example/", "f", None), (None, "f", None), (None, "f", "1"), (None, "f", "2"), (None, "g", "1")]
    jobs = tuple(_rounds.Job((0, 0), fetch, start, piece) for start, fetch, piece in asked)

    def named(tasks: list[_rounds.Task]) -> Collected:
        return ((job.place, json.dumps([job.start, job.fetch, job.piece]).encode()) for task in tasks for job in task.jobs)

    for collect in (named, none):
        with pytest.raises(Killed), _checkpoint.resumed(folder, SHARED, ["http://a.example/"], collect) as (_, on):
            pieces = [parcel for _, parcel in on([_rounds.Task(SHARED, None, jobs[3:])])]
            found = [parcel for _, parcel in on([_rounds.Task(SHARED, None, jobs[:3])])]
            assert [tuple(json.loads(each)) for each in found] == asked[:3]
            # Those of a package that was read are not needed any more.
            assert [tuple(json.loads(each)) for each in pieces] == (asked[3:] if collect is named else asked[5:])
            raise Killed


@pytest.mark.parametrize("after", [0, 1, 5, 20])
def test_files_are_there_as_a_whole_or_not_at_all(source: Source, folder: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    worker, left = Worker(), iter(range(after))
    real = os.fsync

    def fsync(file: int) -> None:
        if next(left, None) is None:
            raise Killed
        real(file)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(os, "fsync", fsync)
        run(folder, source.start, collect=worker)
    assert (folder / "run.json").exists() is (after > 0) and len(parcels(folder)) == max(0, after - 1)
    rest = Worker()
    assert run(folder, source.start, collect=rest)[source.start] == source.report()
    assert not {*worker.done} & {*rest.began}


def test_an_error_of_a_task_ends_the_run_and_what_is_kept_stays(source: Source, folder: Path) -> None:
    def full(tasks: list[_rounds.Task]) -> Collected:
        for number, parcel in enumerate(_rounds.here(tasks)):
            if number == 2:
                raise OSError(28, "No space left on device")
            yield parcel

    with pytest.raises(OSError, match="No space left"):
        run(folder, source.start, collect=full)
    before = kept(folder)
    source.requests()
    assert before and run(folder, source.start)[source.start] == source.report()


def test_a_worker_with_another_version_keeps_nothing(source: Source, folder: Path) -> None:
    def old(tasks: list[_rounds.Task]) -> Collected:
        return _rounds.here([replace(task, shared=replace(task.shared, version="0.0.1")) for task in tasks])

    with pytest.raises(rs.ConfigError, match=f"a worker has resourcesync {re.escape(_core.VERSION)}, but the driver has 0.0.1; install one version"):
        run(folder, source.start, collect=old)
    assert parcels(folder) == [] and source.requests() == []
    assert run(folder, source.start)[source.start] == source.report()
