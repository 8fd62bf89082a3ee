"""Sources as tables in partitions: the rows of every list, once, from folders and from servers that count their requests."""

from __future__ import annotations

import http.server
import json
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import BROKEN, LIST, proxied, serving
from resourcesync import _rounds
from resourcesync._parallel import in_order
from resourcesync._report_rows import document_rows
from resourcesync._stream import Stream

pa: Any = pytest.importorskip("pyarrow")
pytest.importorskip("polars")
NEAR = "http://www.sitemaps.org/schemas/sitemap/0.9"


def resources(name: str, count: int, base: str = "http://example.com/") -> bytes:
    made = rs.ResourceList(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
    made.extend(rs.Resource(f"{base}{name}/{number}", length=number, lastmod="2024-04-01") for number in range(count))
    return made.to_bytes()


def capability_list(base: str) -> bytes:
    made = rs.CapabilityList(f"{base}.well-known/resourcesync", f"{base}about.html")
    made.push(rs.CapabilityEntry("resourcelist", f"{base}index.xml"))
    return made.to_bytes()


def description(base: str) -> bytes:
    made = rs.SourceDescription(f"{base}about.html")
    made.push(rs.CapabilityListEntry(f"{base}capabilitylist.xml", describedby=f"{base}about.html"))
    return made.to_bytes()


def changes(count: int) -> bytes:
    made = rs.ChangeList("http://example.com/capabilitylist.xml", "2024-05-01T00:00:00Z")
    made.extend(rs.ResourceChange(f"http://example.com/{number}", "updated", "2024-05-02T00:00:00Z") for number in range(count))
    return made.to_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "lists"
    here.mkdir()
    for name, content in (("a.xml", resources("a", 5)), ("b.xml", resources("b", 40_000)), ("c.xml", changes(3)), ("d.xml", LIST)):
        (here / name).write_bytes(content)
    (here / "plain.xml").write_text(f'<urlset xmlns="{NEAR}"><url><loc>http://example.com/</loc></url></urlset>')
    return here


def uris(data: rs.Dataset, **given: Any) -> list[str | None]:
    found: list[str | None] = data.to_arrow(**given).read_all().column("uri").to_pylist()
    return found


def test_the_rows_are_the_entries_of_every_list_of_the_kind(folder: Path) -> None:
    data = rs.dataset(folder)
    wanted = [entry.uri for name in ("a.xml", "b.xml", "d.xml") for entry in rs.iter_entries(str(folder / name))]
    assert sorted(map(str, uris(data))) == sorted(map(str, wanted))
    assert uris(data, threads=1) == uris(data, threads=3)
    table = data.to_arrow().read_all()
    table.validate(full=True)
    assert table.schema == data.schema and table.schema.field("length").type == pa.int64()
    assert set(table.column("document").to_pylist()) == {str(folder / name) for name in ("a.xml", "b.xml", "d.xml")}
    assert set(table.column("source").to_pylist()) == {str(folder)} and table.column("problem").null_count == table.num_rows
    (first,) = (row for row in table.to_pylist() if row["uri"] == "http://example.com/res1")
    (plain,) = (row for row in rs.to_arrow(LIST).read_all().to_pylist() if row["uri"] == "http://example.com/res1")
    assert {name: value for name, value in first.items() if name in plain} == plain
    only = rs.dataset([folder / "c.xml"], what="changes", columns=["change"]).to_arrow().read_all()
    assert only.column("change").to_pylist() == ["updated"] * 3 and only.column_names == ["change", "source", "set", "document", "problem"]
    assert rs.dataset(folder / "a.xml", columns=[]).to_arrow().read_all().num_rows == 5


def test_only_the_named_columns_are_there_and_numbers_that_do_not_fit_are_absent(here: Path) -> None:
    (here / "a.xml").write_bytes(LIST.replace(b'"8876"', b'"18446744073709551615"'))
    table = rs.dataset(here / "a.xml", columns=["links", "length", "hashes"]).to_arrow().read_all()
    assert table.column_names[:3] == ["length", "hashes", "links"]
    assert table.column("length").to_pylist() == [None, 14599]
    full = rs.to_arrow(LIST).read_all()
    assert table.column("hashes").to_pylist() == full.column("hashes").to_pylist()
    assert table.column("links").to_pylist() == full.column("links").to_pylist()


def test_a_document_that_cannot_be_read_is_a_row_an_error_or_nothing(here: Path) -> None:
    (here / "a.xml").write_bytes(resources("a", 2))
    (here / "b.xml").write_bytes(LIST[:-20])
    table = rs.dataset([here / "a.xml", here / "b.xml", here / "none.xml"]).to_arrow().read_all()
    problems = {row["document"]: row["problem"] for row in table.to_pylist() if row["problem"]}
    assert sorted(problems) == [str(here / "b.xml"), str(here / "none.xml")]
    assert problems[str(here / "none.xml")] == f"[INP-01] {here / 'none.xml'}: no such file or folder"
    assert "GEN-01" in problems[str(here / "b.xml")] and "\n" not in problems[str(here / "b.xml")]
    with pytest.raises(rs.InputError, match="INP-01"):
        rs.dataset(here / "none.xml", on_unreadable="fail").to_arrow().read_all()
    with pytest.raises(rs.DocumentError):
        rs.dataset(here / "b.xml", on_unreadable="fail").to_arrow().read_all()
    skipped = rs.dataset([here / "none.xml", here / "a.xml"], on_unreadable="skip").to_arrow(threads=2).read_all()
    assert skipped.num_rows == 2


def test_a_table_whose_index_is_damaged_says_so() -> None:
    pages: dict[str, bytes] = {}
    with served(pages) as (base, _, _):
        index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(f"{base}{number}.xml") for number in range(4))
        whole = index.to_bytes()
        pages |= {f"/{number}.xml": resources(str(number), 2, base) for number in range(4)}
        pages |= {"/capabilitylist.xml": capability_list(base), "/.well-known/resourcesync": description(base)}
        cases = [
            (whole, 8, None),
            (whole[: whole.index(b"2.xml")], 4, "not read to its end (GEN-01)"),
            (f'<urlset xmlns="{NEAR}"><url><loc>{base}a</loc></url></urlset>'.encode(), 0, "not a ResourceSync document (sitemap)"),
        ]
        for content, count, words in cases:
            pages["/index.xml"] = content
            rows = rs.dataset(f"{base}capabilitylist.xml", requests_per_second=1000).to_arrow().read_all().to_pylist()
            problems = [(row["document"], row["problem"]) for row in rows if row["problem"]]
            assert problems == ([(f"{base}index.xml", f"[INP-01] {base}index.xml: {words}")] if words else []) and len(rows) - len(problems) == count
            if words:
                with pytest.raises(rs.InputError, match="index.xml"):
                    rs.dataset(f"{base}capabilitylist.xml", requests_per_second=1000, on_unreadable="fail").to_arrow().read_all()
        # It is about Resource Lists, so that a table of changes lacks nothing.
        assert rs.dataset(f"{base}capabilitylist.xml", what="changes", requests_per_second=1000).to_arrow().read_all().num_rows == 0


def test_a_listed_or_named_document_of_another_kind_is_a_problem(here: Path) -> None:
    pages: dict[str, bytes] = {}
    plain = f'<urlset xmlns="{NEAR}"><url><loc>http://example.com/</loc></url></urlset>'.encode()
    with served(pages) as (base, _, _):
        index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(f"{base}{name}.xml") for name in ("list", "plain", "changes", "package"))
        pages |= {"/index.xml": index.to_bytes(), "/capabilitylist.xml": capability_list(base), "/.well-known/resourcesync": description(base)}
        pages |= {"/list.xml": resources("a", 2, base), "/plain.xml": plain, "/changes.xml": changes(3)}
        rows = rs.dataset(f"{base}index.xml", requests_per_second=1000).to_arrow().read_all().to_pylist()
        problems = {row["document"].rpartition("/")[2]: row["problem"].partition("xml: ")[2] for row in rows if row["problem"]}
    assert problems == {
        "plain.xml": "not a ResourceSync document (sitemap)",
        "changes.xml": "its kind is change-list, and resource-list is expected",
        "package.xml": "response status 404 Not Found",
    }
    assert len(rows) == 2 + len(problems)
    (here / "plain.xml").write_bytes(plain)
    (here / "archive.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    (row,) = rs.dataset(here / "plain.xml").to_arrow().read_all().to_pylist()
    assert row["problem"].endswith("plain.xml: not a ResourceSync document (sitemap)")
    # A folder may have anything in it.
    for what in ("resources", "changes", "members"):
        table = rs.dataset(here, what=what).to_arrow().read_all()
        assert table.column("problem").null_count == table.num_rows == (2 if what == "resources" else 0)


def test_batches_are_bounded_by_their_texts(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.xml").write_bytes(resources("a", 20_000))
    data = rs.dataset(here / "a.xml", columns=["uri"])
    (partition,) = data.partitions()
    assert [batch.num_rows for batch in data.read(partition)] == [20_000]
    monkeypatch.setattr("resourcesync._rows._BYTES", 100_000)
    sizes = [batch.column("uri").nbytes for batch in data.read(partition)]
    assert len(sizes) > 3 and max(sizes) < 400_000


def test_a_linked_folder_that_is_left_out_is_a_row_with_a_problem(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    table = rs.dataset(folder).to_arrow().read_all()
    problems = [(row["document"], row["problem"]) for row in table.to_pylist() if row["problem"]]
    assert [name for name, _ in problems] == [str(folder / "linked")] and "link" in problems[0][1]


def test_partitions_travel_and_are_read_anywhere(folder: Path) -> None:
    data = rs.dataset(folder, partition_bytes=1)
    partitions = data.partitions()
    assert len(partitions) == 5 and all(each.host is None for each in partitions)
    again: rs.Dataset = pickle.loads(pickle.dumps(data))
    rows = [batch.num_rows for each in pickle.loads(pickle.dumps(partitions)) for batch in again.read(each)]
    assert sum(rows) == 40_007 and max(rows) < 40_000
    assert again.partitions() == partitions


def test_merged_reports_are_the_report_of_one_run(folder: Path) -> None:
    (folder / "broken.xml").write_bytes(BROKEN)
    names = [str(folder / name) for name in ("a.xml", "broken.xml", "d.xml")]
    data = rs.dataset(names, partition_bytes=1, profile="strict")
    found = dict(one for each in data.partitions() for one in data.validate(each))
    whole = rs.validate_all(names, profile="strict")
    assert rs.merge(found[name] for name in names).to_json() == whole.to_json() and whole.verdict == "invalid"


def test_merged_reports_of_urls_are_the_report_of_the_command() -> None:
    with served({"/a.xml": resources("a", 3), "/b.xml": BROKEN}) as (base, asked, _):
        names = [f"{base}{name}" for name in ("a.xml", "b.xml", "gone.xml")]
        data = rs.dataset(names)
        partitions = data.partitions()
        planned = len(asked)
        found = dict(one for each in partitions for one in data.validate(each))
        # What was not found is not requested again.
        assert sorted(asked[planned:]) == ["/a.xml", "/b.xml"]
        words = [sys.executable, "-m", "resourcesync", "validate", "--format", "json", *names]
        whole = subprocess.run(words, capture_output=True, check=False).stdout
    assert rs.merge(found[name] for name in names).to_json() == whole and len(whole) > 1000


def test_polars_builds_only_what_it_needs(folder: Path) -> None:
    import polars as pl

    frame = rs.dataset(folder).scan()
    assert frame.select(pl.len()).collect().item() == 40_007
    assert frame.filter(pl.col("length") == 39_999).select("uri").collect()["uri"].to_list() == ["http://example.com/b/39999"]
    assert frame.head(3).select("uri", "document").collect().shape == (3, 2)


def test_duckdb_and_pandas_read_the_stream(folder: Path) -> None:
    duckdb: Any = pytest.importorskip("duckdb")
    rows: Any = rs.dataset(folder, columns=["uri", "length"]).to_arrow(threads=2)
    assert duckdb.from_arrow(rows).aggregate("count(*), max(length)").fetchall() == [(40_007, 39_999)]
    assert len(rs.dataset(folder / "a.xml").to_arrow().read_pandas()) == 5


def test_wrong_options_are_named(folder: Path) -> None:
    with pytest.raises(rs.ConfigError, match="columns: there is no column `size`"):
        rs.dataset(folder, columns=["size"])
    with pytest.raises(rs.ConfigError, match="what: `people`"):
        rs.dataset(folder, what="people")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(rs.ConfigError, match="on_unreadable"):
        rs.dataset(folder, on_unreadable="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(rs.ConfigError, match="lanes: 0 is less than 1"):
        rs.dataset(folder, lanes=0)
    with pytest.raises(rs.ConfigError, match=r"since: `yesterday`: .* W3C Datetime$"):
        rs.dataset(folder, what="changes", since="yesterday")
    with pytest.raises(rs.ConfigError, match="since: only changes"):
        rs.dataset(folder, since="2024-05-01")
    with pytest.raises(rs.ConfigError, match="limits"):
        rs.dataset(folder, limits={"depht": 3})
    with pytest.raises(rs.ConfigError, match="`lane` is no option"):
        rs.dataset(folder, lane=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    with pytest.raises(rs.ConfigError, match="allow_host"):
        rs.dataset("http://example.com/", allow_host=["not a host"])


@contextmanager
def served(pages: dict[str, bytes], times: list[float] | None = None) -> Generator[tuple[str, list[str], list[int]]]:
    """A server that records the paths of requests, and how many are answered at the same time."""
    asked: list[str] = []
    busy = [0, 0]
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with lock:
                asked.append(self.path)
                if times is not None:
                    times.append(time.monotonic())
                busy[0] += 1
                busy[1] = max(busy)
            time.sleep(0.05)
            body = pages.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")
            with lock:
                busy[0] -= 1

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", asked, busy
        finally:
            server.shutdown()


def test_a_server_gets_each_request_once_and_no_more_than_its_lanes() -> None:
    pages: dict[str, bytes] = {}
    with served(pages) as (base, asked, busy):
        index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(f"{base}{number}.xml") for number in range(12))
        pages |= {f"/{number}.xml": resources(str(number), 3, base) for number in range(11)}
        pages["/index.xml"] = index.to_bytes()
        pages["/capabilitylist.xml"] = capability_list(base)
        pages["/.well-known/resourcesync"] = description(base)
        data = rs.dataset(f"{base}capabilitylist.xml", requests_per_second=100)
        partitions = data.partitions()
        assert len(partitions) == 4 and {each.host for each in partitions} == {"127.0.0.1"}
        assert {each.requests_per_second for each in partitions} == {25}
        planned = list(asked)
        assert not [path for path in planned if path.strip("/").removesuffix(".xml").isdigit()]
        # Eight workers take the four lanes.

        def read_all(partition: rs.Partition) -> list[Any]:
            return list(data.read(partition))

        with ThreadPoolExecutor(8) as pool:
            batches = list(pool.map(read_all, partitions))
        rows: list[dict[str, Any]] = pa.Table.from_batches([batch for own in batches for batch in own]).to_pylist()
        assert len(rows) == 34 and [row["problem"] for row in rows if row["problem"]] == [f"[INP-01] {base}11.xml: response status 404 Not Found"]
        assert {row["set"] for row in rows} == {f"{base}capabilitylist.xml"}
        assert busy[1] <= 4
        read = asked[len(planned) :]
        assert sorted(read) == sorted(f"/{number}.xml" for number in range(12)) and len(set(planned)) == len(planned)


@pytest.mark.parametrize("are_processes", [True, False])
def test_eight_workers_send_a_host_no_more_and_no_less_than_one_process_would(are_processes: bool) -> None:
    times: list[float] = []
    pages: dict[str, bytes] = {}
    with served(pages, times) as (base, _, busy):
        index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(f"{base}{number}.xml") for number in range(60))
        pages |= {f"/{number}.xml": resources(str(number), 1, base) for number in range(60)}
        pages |= {"/index.xml": index.to_bytes(), "/capabilitylist.xml": capability_list(base), "/.well-known/resourcesync": description(base)}
        data = rs.dataset(f"{base}index.xml")
        partitions = data.partitions()
        times.clear()

        def read_all(partition: rs.Partition) -> int:
            own: rs.Dataset = pickle.loads(pickle.dumps(data)) if are_processes else data
            return sum(batch.num_rows for batch in own.read(partition))

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(read_all, partitions)) == 60
        assert busy[1] <= 4 and len(times) == 60
        # In any window a request more of each lane may arrive, as the network delays them.
        assert max(sum(first <= each < first + 3 for each in times) for first in times) <= 3 * 10 + 4
        assert 60 / (max(times) - min(times)) >= 0.9 * 10


def two_sets(base: str) -> dict[str, bytes]:
    """A Source with two sets, each with a closed and an open Change List."""
    description = rs.SourceDescription(f"{base}about.html")
    pages: dict[str, bytes] = {}
    for name in ("a", "b"):
        description.push(rs.CapabilityListEntry(f"{base}{name}/set.xml", describedby=f"{base}about.html"))
        capabilities = rs.CapabilityList(f"{base}.well-known/resourcesync", f"{base}about.html")
        capabilities.push(rs.CapabilityEntry("changelist", f"{base}{name}/changes.xml"))
        index = rs.ChangeListIndex(f"{base}{name}/set.xml", "2024-05-01T00:00:00Z")
        for number, until in enumerate(("2024-06-01T00:00:00Z", None), 5):
            index.push(rs.IntervalEntry(f"{base}{name}/{number}.xml", f"2024-0{number}-01T00:00:00Z", until=until))
            made = rs.ChangeList(f"{base}{name}/set.xml", f"2024-0{number}-01T00:00:00Z", until=until, index=f"{base}{name}/changes.xml")
            made.extend(rs.ResourceChange(f"{base}{name}/{number}/{day}", "updated", f"2024-0{number}-0{day}T12:00:00Z") for day in (1, 2))
            pages[f"/{name}/{number}.xml"] = made.to_bytes()
        pages |= {f"/{name}/set.xml": capabilities.to_bytes(), f"/{name}/changes.xml": index.to_bytes()}
    return pages | {"/.well-known/resourcesync": description.to_bytes()}


def test_only_the_named_sets_and_the_later_changes_are_read() -> None:
    pages: dict[str, bytes] = {}
    with served(pages) as (base, asked, _):
        pages |= two_sets(base)
        fast = partial(rs.dataset, what="changes", requests_per_second=1000)
        data = fast(base, sets=[f"{base}b/set.xml"], since="2024-06-02T00:00:00Z")
        assert uris(data) == [f"{base}b/6/2"]
        assert "/b/6.xml" in asked and not {"/b/5.xml", "/a/5.xml", "/a/6.xml"} & set(asked)
        # At its end a list may have a change of this moment.
        assert len(uris(fast(base, since="2024-06-01T00:00:00Z"))) == 4 and {"/a/5.xml", "/b/5.xml"} <= set(asked)
        with pytest.raises(rs.ConfigError, match="sets: nothing of `changes` belongs to the set .*/c/set.xml"):
            fast(base, sets=[f"{base}b/set.xml", f"{base}c/set.xml"]).partitions()
        stream = Stream(fast(base, sets=[f"{base}b/set.xml"]), min_interval=0)
        assert set(stream.latest(stream.initial())["sets"]) == {f"{base}b/set.xml"}
        others: list[dict[str, Any]] = [{}, {"v": 1}, {"v": 2, "sets": {}}, {"v": 1, "sets": {"a": {"source": "b"}}}]
        for other in others:
            with pytest.raises(rs.ConfigError, match="offset: it is not one of this version"):
                stream.latest(other)
        # A stream that continues follows only what is wanted now.
        every = Stream(fast(base), min_interval=0)
        at = every.latest(every.initial())
        assert set(at["sets"]) == {f"{base}a/set.xml", f"{base}b/set.xml"}
        new = f'<url><loc>{base}new</loc><rs:md change="updated" datetime="2024-06-09T00:00:00Z"/></url></urlset>'
        pages["/a/6.xml"] = pages["/a/6.xml"].replace(b"</urlset>", new.encode())
        assert stream.latest(at) == at and every.latest(at) != at
        # What cannot be read may lead to the set.
        del pages["/a/set.xml"]
        rows = fast(base, sets=[f"{base}c/set.xml"]).to_arrow().read_all().to_pylist()
        assert [row["document"] for row in rows] == [f"{base}a/set.xml"] and rows[0]["problem"].startswith("[INP-01]")


def test_secrets_are_in_a_file_and_not_in_what_travels(tmp_path: Path) -> None:
    seen: list[str | None] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            is_there = self.path == "/list.xml"
            self.send_response(200 if is_there else 404)
            self.end_headers()
            self.wfile.write(resources("a", 2) if is_there else b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as server:
        secrets = tmp_path / "headers.json"
        secrets.write_text(json.dumps({server: {"Authorization": "Bearer hidden"}}))
        data = rs.dataset(f"{server}/list.xml", headers_file=secrets)
        assert uris(pickle.loads(pickle.dumps(data)))[:2] == ["http://example.com/a/0", "http://example.com/a/1"] and set(seen) == {"Bearer hidden"}
        assert b"hidden" not in pickle.dumps((data, data.partitions()))
        for text, words in (
            ('{"Authorization": "Bearer hidden"', "headers_file: .*headers.json cannot be read"),
            ('{"Authorization": "Bearer hidden"}', "headers_file: expected headers by origin"),
            ('["hidden"]', "headers_file: expected headers by origin"),
            ('{"https://a.example": {"Authorization": ["hidden"]}}', "headers_file: the value of Authorization is no text"),
        ):
            secrets.write_text(text)
            with pytest.raises(rs.ConfigError, match=words) as error:
                rs.dataset(f"{server}/list.xml", headers_file=secrets)
            assert "hidden" not in str(error.value)
        with pytest.raises(rs.ConfigError, match="^header: expected headers by origin") as error:
            rs.dataset(f"{server}/list.xml", header={server: "Bearer hidden"})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
        assert "hidden" not in str(error.value)


def test_a_dead_source_is_a_row_and_private_addresses_are_not_requested() -> None:
    with served({}) as (base, _, _):
        (row,) = rs.dataset(f"{base}none.xml").to_arrow().read_all().to_pylist()
        assert row["document"] == f"{base}none.xml" and row["problem"].startswith("[INP-01] ")
    with served({}) as (private, asked, _):
        pages: dict[str, bytes] = {}
        with served(pages) as (base, _, _):
            index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
            secret = f"{private.replace('127.0.0.1', 'localhost')}secret.xml"
            index.push(rs.SnapshotEntry(secret))
            pages |= {"/index.xml": index.to_bytes(), "/capabilitylist.xml": capability_list(base), "/.well-known/resourcesync": description(base)}
            (row,) = rs.dataset(f"{base}index.xml").to_arrow().read_all().to_pylist()
        assert row["document"] == secret and "--allow-host" in row["problem"] and asked == []


def redirected(host: str, target: str) -> dict[str, bytes | str]:
    """A Source whose documents are on the host to which its own one redirects."""
    base = f"http://{target}/"
    index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
    index.extend(rs.SnapshotEntry(f"{base}{number}.xml") for number in range(3))
    pages: dict[str, bytes | str] = {f"{base}{number}.xml": resources(str(number), 2, base) for number in range(3)}
    pages |= {f"{base}index.xml": index.to_bytes(), f"{base}capabilitylist.xml": capability_list(base), f"{base}.well-known/resourcesync": description(base)}
    return pages | {f"http://{host}/.well-known/resourcesync": f"{base}.well-known/resourcesync"}


def test_every_process_knows_where_a_start_led() -> None:
    with proxied(redirected("a.example", "www.a.example")) as (proxy, asked):
        data = rs.dataset(["http://a.example/", "http://dead.example/"], requests_per_second=1000, proxy=proxy)
        partitions = data.partitions()
        # Another process has neither the plan nor its connections.
        worker: rs.Dataset = pickle.loads(pickle.dumps(data))
        rows = [row for each in pickle.loads(pickle.dumps(partitions)) for batch in worker.read(each) for row in batch.to_pylist()]
        assert [row["problem"][:28] for row in rows if row["problem"]] == ["[INP-01] http://dead.example"]
        assert len(rows) == 7 and "http://www.a.example/2.xml" in asked
        reports = dict(one for each in partitions for one in worker.validate(each))
        assert reports["http://www.a.example/2.xml"].summary.entries == 2


def test_a_listed_uri_leads_to_no_other_host() -> None:
    pages = redirected("a.example", "www.a.example")
    pages["http://www.a.example/1.xml"] = "http://evil.example/1.xml"
    pages["http://evil.example/1.xml"] = resources("1", 2)
    with proxied(pages) as (proxy, asked):
        for sources in (["http://a.example/"], ["http://a.example/", "http://evil.example/"]):
            rows = rs.dataset(sources, requests_per_second=1000, proxy=proxy).to_arrow().read_all().to_pylist()
            (problem,) = [row["problem"] for row in rows if row["document"] == "http://www.a.example/1.xml"]
            assert "--allow-host evil.example" in problem and "http://evil.example/1.xml" not in asked
        rows = rs.dataset("http://a.example/", requests_per_second=1000, proxy=proxy, allow_host=["evil.example"]).to_arrow().read_all().to_pylist()
        assert len(rows) == 6 and not any(row["problem"] for row in rows)


def followed(proxy: str, source: str) -> bytes:
    """The report of the command."""
    fast = ["--limit", "http_requests_per_second=1000", "--proxy", proxy]
    words = [sys.executable, "-m", "resourcesync", "validate", "--format", "json", "--follow", *fast, source]
    return subprocess.run(words, capture_output=True, check=False).stdout


def test_the_report_of_a_source_in_rounds_is_that_of_the_command_whatever_the_others_are() -> None:
    pages = redirected("a.example", "www.a.example") | redirected("b.example", "www.b.example")
    index = rs.ResourceListIndex("http://www.a.example/capabilitylist.xml", "2024-05-01T00:00:00Z")
    # Links to the other Source, and to where it leads: the crawl of the first one alone does not follow them.
    index.extend(rs.SnapshotEntry(f"http://{host}/0.xml") for host in ("www.a.example", "b.example", "www.b.example"))
    pages["http://www.a.example/index.xml"] = index.to_bytes()
    with proxied(pages) as (proxy, _):
        shared = _rounds.Shared({"proxy": proxy}, {}, 7)
        sources = ["http://a.example/", "http://b.example/"]
        sizes: list[int] = []

        def collect(tasks: list[_rounds.Task]) -> Iterator[tuple[_rounds.Place, bytes]]:
            for task in tasks:
                sizes.append(len(pickle.dumps(task)))
                yield from _rounds.perform(pickle.loads(pickle.dumps(task)))

        division = json.dumps({"lanes": 4, "requestsPerSecond": 1000})
        made = _rounds.crawled(shared, sources, division, collect)
        for source in sources:
            assert made[source].to_json() == followed(proxy, source), source
        assert b"--allow-host www.b.example" in made["http://a.example/"].to_json() and len(made["http://b.example/"].inputs) > 5
        # A task does not grow with the Sources that are not its own.
        most = max(sizes)
        _rounds.crawled(shared, [*sources, *(f"http://{number}.dead.example/" for number in range(40))], division, collect)
        assert max(sizes) <= most + 100


def test_documents_that_were_not_read_to_their_end_are_rows_with_a_problem() -> None:
    pages: dict[str, bytes] = {}
    with served(pages) as (base, _, _):
        index = rs.ResourceListIndex(f"{base}capabilitylist.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(f"{base}{name}.xml") for name in ("whole", "cut", "missing"))
        pages |= {"/index.xml": index.to_bytes(), "/capabilitylist.xml": capability_list(base), "/.well-known/resourcesync": description(base)}
        pages |= {"/whole.xml": resources("whole", 3, base), "/cut.xml": resources("cut", 3, base)[:-30]}
        starts = [f"{base}index.xml", f"{base}none.xml"]
        reports = _rounds.crawled(_rounds.Shared({}, {}, 7), starts, json.dumps({"lanes": 1, "requestsPerSecond": 1000}), _rounds.here)
        problems = {row[1].removeprefix(base): row[-1] for start in starts for row in document_rows(start, reports[start])}
    # What the index only links to and is not there is no document of the Source.
    assert (problems["index.xml"], problems["whole.xml"], "missing.xml" in problems) == (None, None, False)
    assert problems["cut.xml"].startswith("[GEN-01] ") and problems["none.xml"] == "[INP-01] could not read the input: response status 404"


def test_values_of_threads_are_in_order_and_an_error_ends_them() -> None:
    def slow(number: int) -> Iterator[int]:
        for each in range(20):
            time.sleep(0.001 if number else 0.01)
            yield number * 20 + each

    assert list(in_order([partial(slow, number) for number in range(5)], 3)) == list(range(100))

    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    values: Iterator[int] = in_order([broken, broken], 2)
    assert next(values) == 1
    with pytest.raises(ValueError, match="broken"):
        list(values)
    nothing: Iterator[int] = in_order([], 2)
    assert list(nothing) == []


def test_the_beginning_of_a_uri_is_no_uri(tmp_path: Path) -> None:
    entries = "".join(f"<url><loc>http://a.example/{'x' * length}</loc></url>" for length in (1, 70_000, 2))
    names = f'xmlns="{NEAR}" xmlns:rs="http://www.openarchives.org/rs/terms/"'
    (tmp_path / "list.xml").write_text(f'<urlset {names}><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>{entries}</urlset>')
    rows = rs.dataset(tmp_path / "list.xml", columns=["uri"]).to_arrow().read_all().to_pylist()
    assert [row["uri"] for row in rows] == ["http://a.example/x", None, "http://a.example/xx", None]
    assert [(row["problem"] or "")[:8] for row in rows] == ["", "", "", "[LIM-07]"]
