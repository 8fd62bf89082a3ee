"""Packages of dumps as tables and in pieces: each member once, in its state, with bytes only if they are verified."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import CORPUS, SAMPLE, Case, Pages, served
from resourcesync import _members, _rounds

pa: Any = pytest.importorskip("pyarrow")
AT = "2024-05-01T00:00:00Z"


def content(number: int) -> bytes:
    return random.Random(number).randbytes(1000 + 100 * number)


def package(path: Path, numbers: range, base: str = "http://example.com/") -> None:
    members = [(rs.Bitstream(f"{base}{number}", f"/res/{number}", "text/plain", hashes={"md5": hashlib.md5(content(number)).hexdigest()}), content(number)) for number in numbers]
    rs.create_package(path, members, up=f"{base}capabilitylist.xml", at=AT)


def damaged(path: Path, name: str) -> None:
    """Changes a byte of a member in place."""
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo(name).header_offset + 30 + len(name) + 40
    whole = bytearray(path.read_bytes())
    whole[place] ^= 0xFF
    path.write_bytes(whole)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "packages"
    here.mkdir()
    package(here / "one.zip", range(0, 20))
    package(here / "two.zip", range(20, 25))
    with zipfile.ZipFile(here / "other.zip", "w") as archive:
        archive.writestr("letter.txt", "none of ours")
    return here


def rows(data: rs.Dataset, **given: Any) -> list[dict[str, Any]]:
    table = data.to_arrow(**given).read_all()
    table.validate(full=True)
    assert table.schema == data.schema
    found: list[dict[str, Any]] = table.to_pylist()
    return found


@pytest.mark.parametrize("size", [128 << 20, 5000, 700])
def test_each_member_is_a_row_however_packages_are_divided(folder: Path, size: int) -> None:
    data = rs.dataset(folder, what="members", content=True, partition_bytes=size)
    again: rs.Dataset = pickle.loads(pickle.dumps(data))
    found = [row for each in data.partitions() for batch in again.read(each) for row in batch.to_pylist()]
    files = sorted((row for row in found if row["kind"] == "file"), key=lambda row: int(row["uri"].rpartition("/")[2]))
    assert [row["path"] for row in files] == [f"/res/{number}" for number in range(25)]
    assert [row["content"] for row in files] == [content(number) for number in range(25)]
    assert {row["state"] for row in files} == {"verified"} and {row["problem"] for row in found} == {None}
    assert [row["size"] for row in files] == [row["length"] for row in files] == [len(content(number)) for number in range(25)]
    assert all(row["hash"].startswith("md5:") for row in files)
    assert sorted((row["document"], row["path"]) for row in found if row["kind"] == "manifest") == [(str(folder / name), "/manifest.xml") for name in ("one.zip", "two.zip")]
    assert len(data.partitions()) > 2 or size > 5000


def test_a_divided_package_has_one_report(folder: Path) -> None:
    data = rs.dataset(folder, what="members", partition_bytes=3000)
    reports = [one for each in data.partitions() for one in data.validate(each)]
    assert sorted(name for name, _ in reports) == sorted(map(str, folder.iterdir()))
    assert all(report.to_json() == rs.validate(name).to_json() for name, report in reports)


def test_members_that_are_not_verified_have_no_bytes(folder: Path) -> None:
    damaged(folder / "one.zip", "res/3")
    with zipfile.ZipFile(folder / "two.zip", "a") as archive:
        archive.writestr("stray.txt", "not listed")
    found = rows(rs.dataset(folder, what="members", content=True, partition_bytes=3000))
    other = {(row["path"], row["state"], row["why"]) for row in found if row["state"] not in ("verified", "sound")}
    assert other == {("/res/3", "damaged", "damaged"), ("/stray.txt", "unlisted", None)} or other == {("/res/3", "damaged", "crc-32"), ("/stray.txt", "unlisted", None)}
    assert all((row["content"] is not None) == (row["state"] == "verified") for row in found)


def test_a_missing_bitstream_is_a_row_and_an_archive_that_is_named_is_ours(folder: Path, tmp_path: Path) -> None:
    lacking = tmp_path / "lacking.zip"
    with zipfile.ZipFile(folder / "two.zip") as old, zipfile.ZipFile(lacking, "w") as new:
        for each in old.infolist():
            if each.filename != "res/21":
                new.writestr(each, old.read(each))
    (absent,) = (row for row in rows(rs.dataset(lacking, what="members", partition_bytes=500)) if row["state"] == "absent")
    assert (absent["path"], absent["uri"], absent["kind"], absent["size"]) == ("/res/21", "http://example.com/21", None, None)
    without = tmp_path / "without.zip"
    with zipfile.ZipFile(folder / "two.zip") as old, zipfile.ZipFile(without, "w") as new:
        for each in old.infolist():
            new.writestr(each, old.read(each).replace(b' path="/res/21"', b""))
    (absent,) = (row for row in rows(rs.dataset(without, what="members")) if row["state"] == "absent")
    assert (absent["path"], absent["uri"]) == (None, "http://example.com/21")
    for size in (1 << 20, 50):
        (row,) = rows(rs.dataset(folder / "other.zip", what="members", partition_bytes=size))
        assert re.match(rf"\[PKG-01\] {folder / 'other.zip'}: \w", row["problem"]) and row["path"] is None
    (folder / "cut.zip").write_bytes((folder / "one.zip").read_bytes()[:-100])
    (row,) = rows(rs.dataset(folder / "cut.zip", what="members"))
    assert row["problem"].startswith("[PKG-08] ")
    with pytest.raises(rs.InputError, match="PKG-08"):
        rows(rs.dataset(folder / "cut.zip", what="members", on_unreadable="fail"))


def test_an_archive_in_a_folder_is_left_out_only_if_it_is_known_to_be_none_of_ours(folder: Path) -> None:
    whole = (folder / "two.zip").read_bytes()
    (folder / "cut.zip").write_bytes(whole[:-100])
    damaged(folder / "two.zip", "manifest.xml")
    with zipfile.ZipFile(folder / "theirs.zip", "w") as archive:
        archive.writestr("manifest.xml", "<manifest/>")
    found = {row["document"]: row["problem"] for row in rows(rs.dataset(folder, what="members"))}
    assert found.keys() == {str(folder / name) for name in ("one.zip", "cut.zip", "two.zip")} and found[str(folder / "one.zip")] is None
    assert found[str(folder / "cut.zip")].startswith("[PKG-08] ") and found[str(folder / "two.zip")].startswith("[ZIP-21] ")


def test_columns_and_options_of_members(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = rs.dataset(folder, what="members", columns=["uri", "state"]).to_arrow().read_all()
    assert table.column_names == ["state", "uri", "source", "set", "document", "problem"]
    with pytest.raises(rs.ConfigError, match="columns: there is no column `links`"):
        rs.dataset(folder, what="members", columns=["links"])
    with pytest.raises(rs.ConfigError, match="content: only members"):
        rs.dataset(folder, content=True)
    monkeypatch.setattr(_members, "MOST", 2000)
    large = [row for row in rows(rs.dataset(folder, what="members", content=True)) if row["state"] == "verified" and row["content"] is None]
    assert {row["size"] > 2000 and "open_package" in row["problem"] for row in large} == {True} and len(large) == 14


def dump(pages: Pages, base: str, tmp_path: Path, spoil: str | None = None) -> None:
    made = rs.ResourceDump(f"{base}capabilitylist.xml", AT)
    for number in range(3):
        path = tmp_path / f"{number}.zip"
        package(path, range(number * 30, number * 30 + 30), base)
        if spoil and number == 1:
            damaged(path, spoil)
        pages[f"/{number}.zip"] = path.read_bytes()
        made.push(rs.Package(f"{base}{number}.zip", path.stat().st_size))
    capabilities = rs.CapabilityList(f"{base}.well-known/resourcesync", f"{base}about.html")
    capabilities.push(rs.CapabilityEntry("resourcedump", f"{base}resourcedump.xml"))
    description = rs.SourceDescription(f"{base}about.html")
    description.push(rs.CapabilityListEntry(f"{base}capabilitylist.xml", describedby=f"{base}about.html"))
    pages |= {"/resourcedump.xml": made.to_bytes(), "/capabilitylist.xml": capabilities.to_bytes(), "/.well-known/resourcesync": description.to_bytes()}


@pytest.mark.parametrize("ranges", [True, False])
def test_the_members_of_the_packages_of_a_source(tmp_path: Path, ranges: bool) -> None:
    pages: Pages = {}
    with served(pages, ranges=ranges) as (base, asked):
        dump(pages, base, tmp_path)
        data = rs.dataset(f"{base}capabilitylist.xml", what="members", requests_per_second=1000, partition_bytes=40_000)
        planned = data.partitions()
        assert not [path for path, _ in asked if path.endswith(".zip")]
        found = [row for each in planned for batch in data.read(each) for row in batch.to_pylist()]
        del pages["/2.zip"]
        gone = rows(rs.dataset(f"{base}capabilitylist.xml", what="members", requests_per_second=1000))
    files = [row for row in found if row["kind"] == "file"]
    assert sorted(int(row["uri"].rpartition("/")[2]) for row in files) == list(range(90))
    assert {(row["state"], row["set"], row["problem"]) for row in files} == {("verified", f"{base}capabilitylist.xml", None)}
    assert [row["problem"] for row in gone if row["problem"]] == [f"[INP-01] {base}2.zip: response status 404 Not Found"]


def report(*words: str) -> bytes:
    own = [sys.executable, "-m", "resourcesync", "validate", "--format", "json", "--limit", "http_requests_per_second=1000", *words]
    return subprocess.run(own, capture_output=True, check=False).stdout


#: What the tasks of a run have in common.
SHARED = _rounds.Shared({}, {}, 7)


@pytest.mark.parametrize("spoil", [None, "res/45"])
def test_packages_of_a_dump_are_verified_in_pieces_and_the_report_is_that_of_the_command(tmp_path: Path, spoil: str | None) -> None:
    pages: Pages = {}
    with served(pages) as (base, _):
        dump(pages, base, tmp_path, spoil)
        start = f"{base}resourcedump.xml"
        whole = report("--follow", start)
        assert json.loads(whole)["verdict"] == ("invalid" if spoil else "valid"), whole.decode()
        jobs: list[_rounds.Job] = []

        def collect(tasks: list[_rounds.Task]) -> list[tuple[_rounds.Place, bytes]]:
            jobs.extend(job for task in tasks for job in task.jobs)
            parcels = [each for task in pickle.loads(pickle.dumps(tasks)) for each in _rounds.perform(task)] * 2
            random.Random(len(jobs)).shuffle(parcels)
            return parcels

        division = json.dumps({"lanes": 4, "requestsPerSecond": 1000, "pieceBytes": 20_000})
        made = _rounds.crawled(SHARED, [start], division, collect)
        assert made[start].to_json() == whole
    pieces = [job for job in jobs if job.piece]
    assert len(pieces) > 9 and sum(len(job.pieces) for job in jobs) == 2 * len(pieces)


@pytest.mark.parametrize("name", sorted(path.relative_to(CORPUS).as_posix() for path in (CORPUS / "zip").rglob("*.case"))[::SAMPLE])
def test_hostile_packages_in_pieces_have_the_report_of_the_command(tmp_path: Path, name: str) -> None:
    case = Case.load(CORPUS / name)
    if not case.is_package:
        pytest.skip("is no package")
    path = tmp_path / "part1.zip"
    path.write_bytes(case.content())
    division = json.dumps({"pieceBytes": max(1, path.stat().st_size // 3)})
    made = _rounds.verified(SHARED, [str(path)], division, _rounds.here)
    assert made[str(path)].to_json() == rs.validate(path).to_json()
    for row in rows(rs.dataset(path, what="members", content=True, partition_bytes=max(1, path.stat().st_size // 3))):
        assert row["content"] is None or row["state"] == "verified"
