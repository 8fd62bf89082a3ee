"""Measures tables and validation on Spark: processor seconds of all processes, the JVM included, as ratios in one run.

    scripts/bench spark [--only tables|packages|streams|hosts|reports] [--entries N] [--package MIB] [--sources N] [--hosts N] [--strict]

Needs Java 17. Every job runs once before it is measured: the first of a session starts the workers, and the JVM compiles.
"""

from __future__ import annotations

import argparse
import hashlib
import http.server
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import resourcesync as rs
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from resourcesync import _rounds
from resourcesync._stream import Stream
from resourcesync.spark import verify_packages

LISTS = 20
ROUNDS = 3
THREE = ["uri", "lastmod", "length"]
NEAR = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
RS = "{http://www.openarchives.org/rs/terms/}"
BASE = "https://repository.example.com/"


def write_lists(folder: Path, entries: int) -> None:
    """Lists of entries with two digests and a link each."""
    for number in range(LISTS):
        made = rs.ResourceList(f"{BASE}capabilitylist.xml", "2024-05-01T00:00:00Z")
        for each in range(number * entries // LISTS, (number + 1) * entries // LISTS):
            uri = f"{BASE}communities/library/collections/{each // 1000:04}/items/{each:08}"
            hashes = {"md5": f"{each:032x}", "sha-256": f"{each:064x}"}
            links = [rs.Related("describedby", f"{uri}/metadata.xml", type="application/xml")]
            made.push(rs.Resource(uri, lastmod="2024-04-01T00:00:00Z", length=each, type="application/pdf", hashes=hashes, links=links))
        made.write(folder / f"{number:02}.xml")


def processes() -> dict[int, tuple[int, float]]:
    """The parent and the processor seconds of each process, with those of children that ended."""
    tick = os.sysconf("SC_CLK_TCK")
    found: dict[int, tuple[int, float]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            cells = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(stat.parent.name)] = (int(cells[1]), sum(map(int, cells[11:15])) / tick)
    return found


def spent() -> float:
    """Of this process and all that it started."""
    all_ = processes()
    own = {os.getpid()}
    while more := {pid for pid, (parent, _) in all_.items() if parent in own} - own:
        own |= more
    return sum(seconds for pid, (_, seconds) in all_.items() if pid in own)


def measured(work: Callable[[], object]) -> float:
    """The least processor seconds of some runs, after one that is not counted."""
    work()
    found: list[float] = []
    for _ in range(ROUNDS):
        before = spent()
        work()
        found.append(spent() - before)
    return min(found)


class ByLxml(DataSource):
    """The same columns by lxml, which checks nothing."""

    @classmethod
    def name(cls) -> str:
        return "lxml"

    def schema(self) -> str:
        return "uri string, lastmod string, length bigint"

    def reader(self, schema: Any) -> DataSourceReader:
        return LxmlReader(self.options["path"])


class LxmlReader(DataSourceReader):
    def __init__(self, path: str) -> None:
        self.path = path

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(str(each)) for each in sorted(Path(self.path).glob("*.xml"))]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        from lxml import etree

        columns: list[list[Any]] = [[], [], []]
        for _, element in etree.iterparse(partition.value, tag=f"{NEAR}url"):
            md = element.find(f"{RS}md")
            values = (element.findtext(f"{NEAR}loc"), element.findtext(f"{NEAR}lastmod"), int(md.get("length")))
            for column, value in zip(columns, values):
                column.append(value)
            element.clear()
        yield pa.record_batch(columns, names=THREE)


class Rows:
    """The table; whether every target was met."""

    def __init__(self) -> None:
        self.is_met = True
        print("| what | ours | baseline | ratio | target | |\n| --- | --- | --- | --- | --- | --- |", flush=True)

    def add(self, what: str, ours: str, baseline: str, ratio: float, target: float, *, at_most: bool = True) -> None:
        is_met = ratio <= target if at_most else ratio >= target
        self.is_met &= is_met
        print(f"| {what} | {ours} | {baseline} | {ratio:.2f} | {'≤' if at_most else '≥'} {target:g} | {'' if is_met else 'missed'} |", flush=True)


def tables(rows: Rows, spark: SparkSession, folder: Path, entries: int) -> None:
    data = rs.dataset(folder, columns=THREE)
    partitions = data.partitions()

    def one_process() -> None:
        total = 0
        for path in sorted(folder.glob("*.xml")):
            for batch in rs.to_arrow(path):
                total += batch.num_rows
        assert total == entries

    def read() -> None:
        assert sum(batch.num_rows for each in partitions for batch in rs.dataset(folder).read(each)) == entries

    plain, all_columns = measured(one_process), measured(read)
    rows.add("`read` of all partitions, all columns : `to_arrow`, rows a CPU second", f"{all_columns:.2f} s", f"{plain:.2f} s", plain / all_columns, 0.9, at_most=False)

    def three() -> None:
        table = data.to_arrow().read_all()
        assert table.num_rows == entries

    def job(frame: Any, length: str = "length") -> Callable[[], object]:
        def run() -> None:
            (row,) = frame.selectExpr("count(uri)", f"sum({length})", "max(lastmod)").collect()
            assert row[0] == entries and row[1] == entries * (entries - 1) // 2, row

        return run

    ours = spark.read.format("resourcesync").option("columns", ",".join(THREE)).load(str(folder))
    xml = spark.read.format("xml").option("rowTag", "url").schema("loc string, lastmod string, `rs:md` struct<_length: bigint>").load(str(folder))
    spark.dataSource.register(ByLxml)
    by_lxml = spark.read.format("lxml").load(str(folder))
    one, on_spark = measured(three), measured(job(ours))
    rows.add("Spark: count, sum, max of three columns : the same columns by `to_arrow`", f"{on_spark:.2f} s", f"{one:.2f} s", on_spark / one, 1.8)
    theirs = measured(job(xml.withColumnRenamed("loc", "uri"), "`rs:md`._length"))
    rows.add("the same : Spark's own reader of XML, times less CPU", f"{on_spark:.2f} s", f"{theirs:.2f} s", theirs / on_spark, 1.5, at_most=False)
    theirs = measured(job(by_lxml))
    rows.add("the same : a data source on lxml, times less CPU", f"{on_spark:.2f} s", f"{theirs:.2f} s", theirs / on_spark, 5, at_most=False)


def validating(rows: Rows, spark: SparkSession, folder: Path) -> None:
    frame = spark.read.format("resourcesync").option("what", "reports").load(str(folder))

    def on_spark() -> None:
        assert {row.verdict for row in frame.select("verdict").collect()} == {"valid"}

    def command() -> None:
        own = [sys.executable, "-m", "resourcesync", "validate", "--quiet", "--jobs", "2", str(folder)]
        assert subprocess.run(own, stdout=subprocess.DEVNULL, check=False).returncode == 0

    ours, theirs = measured(on_spark), measured(command)
    rows.add("lists validated on Spark : by the command with two threads", f"{ours:.2f} s", f"{theirs:.2f} s", ours / theirs, 1.5)


def packages(rows: Rows, spark: SparkSession, folder: Path, size: int) -> None:
    """One large package in pieces, by one worker and by two: the time that passes."""
    member = random.Random(1).randbytes(1 << 20)
    hashes = {"md5": hashlib.md5(member).hexdigest(), "sha-256": hashlib.sha256(member).hexdigest()}
    members = [(rs.Bitstream(f"{BASE}{number}", f"/{number}.bin", "application/octet-stream", hashes=hashes), member) for number in range(size)]
    path = folder / "large.zip"
    rs.create_package(path, members, up=f"{BASE}capabilitylist.xml", at="2024-05-01T00:00:00Z")
    shared = _rounds.Shared({}, {}, 1)

    def one() -> None:
        made = _rounds.verified(shared, [str(path)], json.dumps({"least": 1, "pieceBytes": 32 << 20}), _rounds.here)
        assert made[str(path)].is_valid

    def two() -> None:
        assert verify_packages(spark, [str(path)], piece_bytes=32 << 20).report(str(path)).is_valid

    def elapsed(work: Callable[[], object]) -> float:
        work()
        found: list[float] = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
        return statistics.median(found)

    single, double = elapsed(one), elapsed(two)
    rows.add(f"a package of {size} MiB in pieces, two workers of Spark : one process, times as fast", f"{double:.2f} s", f"{single:.2f} s", single / double, 1.8, at_most=False)


def streams(rows: Rows, count: int) -> None:
    """Sources without news: requests, and the time of the driver."""
    pages: dict[str, bytes] = {}
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            asked.append(self.path)
            body = pages.get(self.path)
            is_same = body is not None and self.headers.get("If-None-Match") == '"1"'
            self.send_response(404 if body is None else 304 if is_same else 200)
            self.send_header("ETag", '"1"')
            self.send_header("Content-Length", "0" if is_same else str(len(body or b"")))
            self.end_headers()
            self.wfile.write(b"" if is_same else body or b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        for number in range(count):
            capabilities = rs.CapabilityList(f"{base}/.well-known/resourcesync", f"{base}/about.html")
            capabilities.push(rs.CapabilityEntry("changelist", f"{base}/{number}/changes.xml"))
            changes = rs.ChangeList(f"{base}/{number}/cap.xml", "2024-05-01T00:00:00Z")
            changes.push(rs.ResourceChange(f"{base}/{number}/1", "created", "2024-05-02T00:00:00Z"))
            pages |= {f"/{number}/cap.xml": capabilities.to_bytes(), f"/{number}/changes.xml": changes.to_bytes()}
        data = rs.dataset([f"{base}/{number}/cap.xml" for number in range(count)], what="changes", requests_per_second=100_000, lanes=64)
        stream = Stream(data, min_interval=0)
        latest = stream.latest(stream.initial())
        asked.clear()
        start = time.perf_counter()
        assert stream.latest(latest) == latest
        elapsed = time.perf_counter() - start
        server.shutdown()
    rows.add(f"stream of {count} Sources without news, requests a Source", str(len(asked)), str(count), len(asked) / count, 1)
    rows.add("the same, seconds of the driver", f"{elapsed:.1f} s", "", elapsed, 10)


def hosts(rows: Rows, count: int) -> None:
    """Eight threads in place of workers read the lists of many hosts, each 50 ms away."""
    documents, workers, rate = 20, 8, 10
    times: dict[str, list[float]] = {}
    busy: dict[str, int] = {}
    most = 0
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_CONNECT(self) -> None:
            # What follows is for the host; this server answers for all.
            self.send_response_only(200)
            self.end_headers()

        def do_GET(self) -> None:
            nonlocal most
            host = self.headers["Host"]
            with lock:
                times.setdefault(host, []).append(time.monotonic())
                busy[host] = busy.get(host, 0) + 1
                most = max(most, busy[host])
            time.sleep(0.05)
            name = self.path.rpartition("/")[2]
            body = index(f"http://{host}/") if name == "index.xml" else document(f"http://{host}/") if name[0].isdigit() else b""
            # It is free again before the answer arrives, after which the next request may come.
            with lock:
                busy[host] -= 1
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    def index(base: str) -> bytes:
        made = rs.ResourceListIndex(f"{base}set.xml", "2024-05-01T00:00:00Z")
        made.extend(rs.SnapshotEntry(f"{base}{number}.xml") for number in range(documents))
        return made.to_bytes()

    def document(base: str) -> bytes:
        made = rs.ResourceList(f"{base}set.xml", "2024-05-01T00:00:00Z", index=f"{base}index.xml")
        made.push(rs.Resource(f"{base}1"))
        return made.to_bytes()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sources = [f"http://h{number}.example/index.xml" for number in range(count)]
        data = rs.dataset(sources, columns=["uri"], requests_per_second=rate, proxy=f"http://127.0.0.1:{server.server_port}")
        partitions = data.partitions()
        times.clear()
        start = time.perf_counter()
        with ThreadPoolExecutor(workers) as pool:
            tables = list(pool.map(lambda each: pa.Table.from_batches(data.read(each), data.schema), partitions))
        elapsed = time.perf_counter() - start
        server.shutdown()
    assert sum(table.filter(pa.compute.is_valid(table["uri"])).num_rows for table in tables) == count * documents
    share = workers * rate / 4
    rows.add(f"{count} hosts, {workers} workers: requests a second : those that their lanes may send", f"{count * documents / elapsed:.1f}", f"{share:.1f}", count * documents / elapsed / share, 0.9, at_most=False)
    in_window = max(sum(first <= each < first + 3 for each in own) for own in times.values() for first in own)
    rows.add("the most requests of a host in 3 s : its rate, with one more of each lane", str(in_window), str(3 * rate + 4), in_window / (3 * rate + 4), 1)
    rows.add("the most requests of a host at the same time : its lanes", str(most), "4", most / 4, 1)


def reports(rows: Rows, folder: Path, count: int) -> None:
    """Merging many reports, by the command: bytes a second, and memory above that of one report."""
    path = folder / "some.xml"
    names: list[Path] = []
    for number in range(count):
        made = rs.ResourceList(f"{BASE}capabilitylist.xml", "2024-05-01T00:00:00Z")
        made.extend(rs.Resource(f"{BASE}{number}/{each}", lastmod="2024-04-01T00:00:00Z") for each in range(3))
        # Some findings in each.
        path.write_bytes(made.to_bytes().replace(b"2024-04-01T00:00:00Z", b"yesterday"))
        names.append(folder / f"{number}.json")
        names[-1].write_bytes(rs.validate(path.read_bytes(), name=f"{number}.xml").to_json())
    size = sum(name.stat().st_size for name in names)

    def merged(some: list[Path]) -> tuple[float, int]:
        words = [sys.executable, "-m", "resourcesync", "merge", "--files-from", "-", "--output", str(folder / "all.json")]
        started = subprocess.Popen(words, stdin=subprocess.PIPE)
        assert started.stdin is not None
        started.stdin.write("\n".join(map(str, some)).encode())
        started.stdin.close()
        _, status, used = os.wait4(started.pid, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 1)
        return used.ru_utime + used.ru_stime, used.ru_maxrss << 10

    (one, least), (all_, most) = merged(names[:1]), merged(names)
    rows.add(f"{count} reports merged, MB a second", f"{size / 1e6:.0f} MB in {all_ - one:.2f} s", "200", size / 1e6 / (all_ - one) / 200, 1, at_most=False)
    rows.add("the same, memory above that for one, in MiB", f"{(most - least) >> 20}", "64", (most - least) / (64 << 20), 1)


def session() -> SparkSession:
    return (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--package", type=int, default=2048, help="MiB of the package")
    parser.add_argument("--sources", type=int, default=1000)
    parser.add_argument("--only", choices=("tables", "packages", "streams", "hosts", "reports"))
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--reports", type=int, default=10_000)
    parser.add_argument("--strict", action="store_true")
    given = parser.parse_args()
    rows = Rows()
    with tempfile.TemporaryDirectory() as place:
        if given.only in (None, "tables"):
            lists = Path(place) / "lists"
            lists.mkdir()
            write_lists(lists, given.entries)
            tables(rows, session(), lists, given.entries)
            validating(rows, session(), lists)
        if given.only in (None, "packages"):
            packages(rows, session(), Path(place), given.package)
        if given.only in (None, "streams"):
            streams(rows, given.sources)
        if given.only in (None, "hosts"):
            hosts(rows, given.hosts)
        if given.only in (None, "reports"):
            reports(rows, Path(place), given.reports)
    if spark := SparkSession.getActiveSession():
        spark.stop()
    sys.exit(given.strict and not rows.is_met)


if __name__ == "__main__":
    main()
