"""Apache Spark: rows and reports are those of one process, whatever becomes of tasks. Run by scripts/spark, since pyspark is large."""

from __future__ import annotations

import http.server
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pytest
import resourcesync as rs
from pyspark import TaskContext, cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSourceReader
from resourcesync.spark import validate as validate_sources
from resourcesync.spark import table as table_of
from resourcesync.spark import verify_packages
from resourcesync.spark import validating

# Workers do not import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def spark() -> Generator[SparkSession]:
    # More workers than a host has lanes; each task may fail three times.
    master = os.environ.get("RESOURCESYNC_SPARK_MASTER", "local[8,4]")
    session = SparkSession.builder.master(master).config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


class Site:
    """A Source on a server that counts requests, and how many it answers at the same time."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.times: list[float] = []
        self.busy = self.most = 0
        #: The header without which nothing is there.
        self.authorization: str | None = None

    def fill(self, lists: int, damage: bool) -> None:
        base = self.base
        description = rs.SourceDescription(f"{base}about.html")
        description.push(rs.CapabilityListEntry(f"{base}set.xml", describedby=f"{base}about.html"))
        capabilities = rs.CapabilityList(f"{base}.well-known/resourcesync", f"{base}about.html")
        capabilities.push(rs.CapabilityEntry("resourcelist", f"{base}index.xml"))
        capabilities.push(rs.CapabilityEntry("changelist", f"{base}changes.xml"))
        index = rs.ResourceListIndex(f"{base}set.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(f"{base}{number}.xml") for number in range(lists))
        for number in range(lists):
            made = rs.ResourceList(f"{base}set.xml", "2024-05-01T00:00:00Z", index=f"{base}index.xml")
            made.extend(rs.Resource(f"{base}{number}/{each}", length=each, lastmod="2024-04-01T00:00:00Z") for each in range(30))
            self.pages[f"/{number}.xml"] = made.to_bytes()
        changes = rs.ChangeList(f"{base}set.xml", "2024-05-01T00:00:00Z")
        changes.extend(rs.ResourceChange(f"{base}0/{each}", "updated", "2024-05-02T00:00:00Z") for each in range(5))
        self.pages |= {"/.well-known/resourcesync": description.to_bytes(), "/set.xml": capabilities.to_bytes(), "/index.xml": index.to_bytes()}
        self.pages["/changes.xml"] = changes.to_bytes()
        if damage:
            self.pages["/1.xml"] = self.pages["/1.xml"].replace(b"2024-04-01T00:00:00Z", b"yesterday")[:-30]
            del self.pages["/2.xml"]


@pytest.fixture
def site() -> Generator[Site]:
    own = Site()
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with lock:
                own.asked.append(self.path)
                own.times.append(time.monotonic())
                own.busy += 1
                own.most = max(own.most, own.busy)
            time.sleep(0.02)
            body = own.pages.get(self.path) if self.headers.get("Authorization") == own.authorization else None
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body or b"")
            with lock:
                own.busy -= 1

        do_HEAD = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        own.base = f"http://127.0.0.1:{server.server_port}/"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield own
        server.shutdown()


def command(*words: str) -> bytes:
    return subprocess.run([sys.executable, "-m", "resourcesync", "validate", "--format", "json", "--limit", "http_requests_per_second=1000", *words], capture_output=True, check=False).stdout


def flaky(task: validating.Task) -> Iterator[tuple[validating.Place, bytes]]:
    """The first attempt of each task fails after its work is done; each parcel is delivered twice."""
    parcels = list(validating.perform(task))
    context = TaskContext.get()
    if context is not None and context.attemptNumber() == 0:
        raise OSError("this executor is lost")
    return iter(parcels * 2)


@pytest.mark.parametrize("damage", [False, True])
@pytest.mark.parametrize("lanes", [1, 2, 7])
def test_the_report_is_that_of_the_command(spark: SparkSession, site: Site, monkeypatch: pytest.MonkeyPatch, lanes: int, damage: bool) -> None:
    site.fill(8, damage)
    whole = command("--follow", site.base)
    assert json.loads(whole)["verdict"] == ("invalid" if damage else "valid"), whole.decode()[-3000:]

    def collect(spark: Any, tasks: list[validating.Task]) -> Iterable[tuple[validating.Place, bytes]]:
        assert len(tasks) <= lanes
        parcels = spark.sparkContext.parallelize(tasks, len(tasks)).flatMap(flaky).collect()
        random.Random(lanes).shuffle(parcels)
        return parcels

    monkeypatch.setattr(validating, "collect", collect)
    result = validate_sources(spark, [site.base], lanes=lanes, requests_per_second=1000)
    assert result.report(site.base).to_json() == whole


def test_many_sources_are_validated_together_and_a_dead_one_is_undetermined(spark: SparkSession, site: Site) -> None:
    site.fill(3, False)
    dead = "http://127.0.0.1:9/"
    result = validate_sources(spark, [site.base, dead], requests_per_second=1000)
    assert result.report(site.base).to_json() == command("--follow", site.base)
    assert result.report(dead).to_json() == command("--follow", dead)
    assert (result.report(site.base).verdict, result.report(dead).verdict) == ("valid", "undetermined")


def test_a_host_gets_each_request_once_and_no_more_than_its_lanes(spark: SparkSession, site: Site) -> None:
    site.fill(60, False)
    validate_sources(spark, [site.base], requests_per_second=10)
    assert len(site.asked) == len(set(site.asked)) > 60
    # As many at a time as there are lanes, and the rate of the host: one more of each lane may arrive in a window, as the network delays them.
    assert site.most <= 4
    assert max(sum(first <= each < first + 3 for each in site.times) for first in site.times) <= 3 * 10 + 4
    site.asked.clear()
    site.most = 0
    frame = spark.read.format("resourcesync").option("columns", "uri").option("requestsPerSecond", "100").load(site.base)
    assert frame.count() == 60 * 30 and site.most <= 4


#: A driver of its own, which is killed.
DRIVER = """
import sys
from pyspark.sql import SparkSession
from resourcesync import spark as rss
start, folder = sys.argv[1:]
session = SparkSession.builder.master("local[4]").config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false").getOrCreate()
rss.validate(session, [start], checkpoint=folder, requests_per_second=100)
"""


def test_a_driver_that_was_killed_continues_with_what_its_tasks_returned(spark: SparkSession, site: Site, tmp_path: Path) -> None:
    # More lists than the tasks of all lanes read before they return something.
    site.fill(200, True)
    whole, folder = command("--follow", site.base), tmp_path / "checkpoint"
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, site.base, str(folder)], start_new_session=True)
    try:
        end = time.monotonic() + 120
        while len(list(folder.glob("parcels/*/*.parcel"))) < 40 and driver.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        os.killpg(driver.pid, signal.SIGKILL)
    assert driver.wait() == -signal.SIGKILL
    kept = [re.search(rb'"uri":"http://[^/"]+(/[^"]+)","status":200', path.read_bytes()) for path in folder.glob("parcels/*/*.parcel")]
    site.asked.clear()
    site.most = 0
    result = validate_sources(spark, [site.base], checkpoint=folder, requests_per_second=1000)
    assert result.report(site.base).to_json() == whole
    before = {found[1].decode() for found in kept if found}
    assert len(before) > 30 and site.asked and not before & {*site.asked} and site.most <= 4
    assert [path.name for path in folder.rglob("*")] == ["lock"]
    # Whether it is a folder of this run is a question before anything is requested.
    (folder / "run.json").write_text("{}")
    site.asked.clear()
    for function in (validate_sources, verify_packages):
        with pytest.raises(rs.ConfigError, match="checkpoint: .*run.json is not of a run"):
            function(spark, [site.base], checkpoint=str(folder))
    assert not site.asked


def test_packages_are_verified_with_a_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    packed(tmp_path / "packages", range(3))
    paths = [str(tmp_path / "packages" / f"{number}.zip") for number in range(3)]
    result = verify_packages(spark, [str(tmp_path / "packages")], piece_bytes=10_000, checkpoint=tmp_path / "checkpoint")
    assert {path: result.report(path).to_json() for path in paths} == {path: command(path) for path in paths}
    assert [path.name for path in (tmp_path / "checkpoint").rglob("*")] == ["lock"]


def test_workers_request_no_private_addresses_and_no_host_that_was_not_named(spark: SparkSession, site: Site) -> None:
    site.fill(3, False)
    for host in ("localhost", "[::1]"):
        private = f"{site.base.replace('127.0.0.1', host)}secret.xml"
        index = rs.ResourceListIndex(f"{site.base}set.xml", "2024-05-01T00:00:00Z")
        index.extend(rs.SnapshotEntry(uri) for uri in (f"{site.base}0.xml", private))
        site.pages |= {"/index.xml": index.to_bytes(), "/secret.xml": site.pages["/0.xml"]}
        rows = spark.read.format("resourcesync").option("requestsPerSecond", "1000").load(site.base).where("problem is not null").collect()
        assert [row.document for row in rows] == [private] and "--allow-host" in rows[0].problem
        report = validate_sources(spark, [site.base], requests_per_second=1000).report(site.base)
        assert report.to_json() == command("--follow", site.base) and b"--allow-host" in report.to_json()
        assert "/secret.xml" not in site.asked


def plain(value: Any) -> Any:
    """A value of a row of Spark, or of Arrow, where maps are pairs."""
    if isinstance(value, dict):
        return sorted((name, plain(each)) for name, each in value.items())
    if isinstance(value, list):
        values = [plain(each) for each in value]
        # Maps of Spark have each name once.
        return sorted(dict(values).items()) if values and isinstance(values[0], tuple) else values
    return value.timestamp() if isinstance(value, datetime) else value


def entries_of(place: Path) -> dict[str, list[Any]]:
    """The columns of a Resource List; nothing of any other document.

    :raises InputError, DocumentError: if it cannot be read to its end.
    """
    table = rs.to_arrow(place).read_all()
    for text, entry in zip(table.column("uri").to_pylist(), rs.iter_entries(place), strict=True):
        # Tables have URIs as written, entries as they are requested.
        assert entry.uri is None or unquote(text.strip()) == unquote(entry.uri)
    if rs.validate(place).inputs[0].kind != "resource-list":
        return {}
    links = table.column("links").combine_chunks().flatten()
    columns = {f"links.{name}": links.field(name).to_pylist() for name in ("rel", "href", "type")}
    for name in table.column_names:
        column = table.column(name)
        # Python has no moments after the year 9999.
        if name != "links":
            values = (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
            # Nor has Spark numbers beyond 2⁶³.
            columns[name] = [None if isinstance(each, int) and each >= 1 << 63 else each for each in values]
    return columns


def test_the_rows_of_every_document_of_the_corpus_are_its_entries(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[1] / "tests"))
    from conftest import CORPUS, Case

    wanted: dict[str, dict[str, list[Any]]] = {}
    for number, path in enumerate(sorted((CORPUS / "doc").rglob("*.case"))):
        case = Case.load(path)
        # Tables also take the capability of a second `rs:md`, which validation does not.
        if "generate" in case.fields or case.content()[:2] == b"PK" or case.name == "doc/GEN-05/in-second-md":
            continue
        place = tmp_path / f"{number}.xml"
        place.write_bytes(case.content())
        try:
            wanted[str(place)] = entries_of(place)
        except (rs.DocumentError, rs.InputError):
            wanted[str(place)] = {}
    (tmp_path / "sources.txt").write_text("\n".join(wanted))
    frame = spark.read.format("resourcesync").option("partitionBytes", "100000").load(str(tmp_path / "sources.txt"))

    def expression(name: str, kind: str) -> str:
        if name == "links":
            return "links.rel AS `links.rel`, links.href AS `links.href`, links.type AS `links.type`"
        return f"unix_micros(`{name}`) AS `{name}`" if kind == "timestamp" else f"`{name}`"

    found: dict[str, list[dict[str, Any]]] = {name: [] for name in wanted}
    names = [each for name, kind in frame.dtypes for each in expression(name, kind).split(", ")]
    for row in frame.selectExpr(*names).collect():
        found[row.document].append(row.asDict(recursive=True))
    for document, columns in wanted.items():
        rows = [row for row in found[document] if row["problem"] is None]
        # Of a damaged document the entries before the damage are rows, too; of one of another kind none.
        assert (len(rows) < len(found[document])) is not bool(columns), document
        for name, values in columns.items():
            own = [each for row in rows for each in row[name]] if name.startswith("links.") else [row[name] for row in rows]
            assert plain(own) == plain(values), (document, name)
    assert sum(map(bool, wanted.values())) > 100 and sum(not each for each in wanted.values()) > 100


def test_the_rows_are_those_of_the_dataset(spark: SparkSession, site: Site) -> None:
    site.fill(6, True)
    data = rs.dataset(site.base, requests_per_second=1000)
    wanted = data.to_arrow().read_all().to_pylist()
    frame = spark.read.format("resourcesync").option("requestsPerSecond", "1000").load(site.base)
    rows = [row.asDict(recursive=True) for row in frame.collect()]
    # The order of documents is not that of one process; that of the rows of a document is.
    documents = {row["document"] for row in wanted}
    assert {row["document"] for row in rows} == documents
    for document in documents:
        of = [[plain(row[name]) for name in wanted[0]] for row in rows if row["document"] == document]
        assert of == [[plain(value) for value in row.values()] for row in wanted if row["document"] == document]
    assert len([row for row in rows if row["problem"]]) == 2
    assert frame.where("problem is null").groupBy().sum("length").collect()[0][0] == sum(row["length"] or 0 for row in wanted)
    changes = spark.read.format("resourcesync").option("what", "changes").option("columns", "uri,change").load(site.base)
    assert changes.columns == ["uri", "change", "source", "set", "document", "problem"] and changes.count() == 5


@pytest.mark.skipif(not hasattr(DataSourceReader, "pushFilters"), reason="Spark 4.1 is the first with filters")
def test_filters_leave_out_lists_and_no_rows(spark: SparkSession, site: Site, tmp_path: Path) -> None:
    site.fill(3, False)
    index = rs.ChangeListIndex(f"{site.base}set.xml", "2024-05-01T00:00:00Z")
    for number, until in ((5, "2024-06-01T00:00:00Z"), (6, None)):
        index.push(rs.IntervalEntry(f"{site.base}c{number}.xml", f"2024-0{number}-01T00:00:00Z", until=until))
        made = rs.ChangeList(f"{site.base}set.xml", f"2024-0{number}-01T00:00:00Z", until=until, index=f"{site.base}changes.xml")
        made.extend(rs.ResourceChange(f"{site.base}0/{day}", "updated", f"2024-0{number}-0{day}T12:00:00Z") for day in (1, 2))
        site.pages[f"/c{number}.xml"] = made.to_bytes()
    site.pages["/changes.xml"] = index.to_bytes()
    # The second Source is dead.
    sources = tmp_path / "sources.txt"
    sources.write_text(f"{site.base}\nhttp://127.0.0.1:9/\n")
    lists, closed = {"/0.xml", "/1.xml", "/2.xml"}, "/c5.xml"
    chosen = [
        ("resources", "true", lists),
        ("resources", f"document = '{site.base}1.xml'", {"/1.xml"}),
        ("resources", f"document IN ('{site.base}1.xml', '{site.base}2.xml') AND length > 20", {"/1.xml", "/2.xml"}),
        ("resources", f"source = '{site.base}'", lists),
        ("resources", "source = 'http://127.0.0.1:9/'", set()),
        ("resources", f"set = '{site.base}other.xml'", set()),
        ("resources", f"set = '{site.base}set.xml' OR length > 20", lists),
        ("resources", f"document = '{site.base}1.xml' AND document = '{site.base}2.xml'", set()),
        ("resources", f"document <> '{site.base}1.xml'", lists),
        ("changes", "datetime >= '2024-06-01T12:00:00Z'", {"/c6.xml"}),
        ("changes", "datetime >= '2024-05-02T12:00:00Z'", {closed, "/c6.xml"}),
        ("changes", "datetime < '2024-06-01T00:00:00Z'", {closed, "/c6.xml"}),
    ]
    fast = spark.read.format("resourcesync").option("requestsPerSecond", "1000")
    for what, words, wanted in chosen:
        frame = fast.option("what", what).option("pushFilters", "false").load(str(sources)).where(words)
        rows = sorted(map(str, frame.collect()))
        site.asked.clear()
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        try:
            assert sorted(map(str, fast.option("what", what).option("pushFilters", "true").load(str(sources)).where(words).collect())) == rows, words
        finally:
            spark.conf.set("spark.sql.python.filterPushdown.enabled", "false")
        assert {path for path in site.asked if path in lists | {closed, "/c6.xml"}} == wanted, words
    with pytest.raises(Exception, match="filterPushdown"):
        fast.option("what", "resources").option("pushFilters", "true").load(site.base).where("length > 20").collect()


def test_many_sources_are_planned_and_read_by_tasks(spark: SparkSession, site: Site, tmp_path: Path) -> None:
    site.fill(6, True)
    folders = []
    for number in range(12):
        folders.append(tmp_path / str(number))
        folders[-1].mkdir()
        made = rs.ResourceList("http://example.com/c.xml", "2024-05-01T00:00:00Z")
        made.push(rs.Resource(f"http://example.com/{number}"))
        (folders[-1] / "list.xml").write_bytes(made.to_bytes())
    sources = [site.base, *map(str, folders)]
    frame = table_of(spark, rs.dataset(sources, columns=["uri"], requests_per_second=1000, partition_bytes=1))
    wanted = rs.dataset(sources, columns=["uri"], requests_per_second=1000).to_arrow().read_all().to_pylist()
    key = lambda row: (row["source"], row["document"], str(row["uri"]), str(row["problem"]))  # noqa: E731
    assert sorted((row.asDict() for row in frame.collect()), key=key) == sorted(wanted, key=key)
    assert frame.rdd.getNumPartitions() > 6
    assert table_of(spark, rs.dataset(tmp_path / "none-here")).collect()[0]["problem"].startswith("[INP-01]")
    (tmp_path / "empty").mkdir()
    assert table_of(spark, rs.dataset(tmp_path / "empty")).count() == 0


def test_folders_by_sql_with_lists_and_maps(spark: SparkSession, tmp_path: Path) -> None:
    made = rs.ResourceList("http://example.com/c.xml", "2024-05-01T00:00:00Z")
    made.push(rs.Resource("http://example.com/1", length=3, hashes={"md5": "1584abdf8ebdc9802ac0c6a7402c03b6"}, links=[rs.Related("describedby", "http://example.com/1.xml")]))
    (tmp_path / "list.xml").write_bytes(made.to_bytes())
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW r USING resourcesync OPTIONS (path '{tmp_path}')")
    (row,) = spark.sql("SELECT uri, hashes['md5'] AS md5, links[0].rel AS rel, lastmod FROM r").collect()
    assert (row.uri, row.md5, row.rel, row.lastmod) == ("http://example.com/1", "1584abdf8ebdc9802ac0c6a7402c03b6", "describedby", None)
    (tmp_path / "sources.txt").write_text(f"{tmp_path}\n\n{tmp_path / 'list.xml'}\n")
    assert spark.read.format("resourcesync").load(str(tmp_path / "sources.txt")).count() == 2


def test_findings_and_reports_are_rows_that_merge(spark: SparkSession, site: Site) -> None:
    site.fill(4, True)
    read = spark.read.format("resourcesync").option("requestsPerSecond", "1000")
    reports = {row.document: row for row in read.option("what", "reports").load(site.base).collect()}
    names = sorted(reports)
    merged = rs.merge(rs.Report(reports[name].report.encode()) for name in names)
    assert merged.to_json() == command(*names)
    findings = read.option("what", "findings").load(site.base)
    assert sorted((row.document, row.code, row.line) for row in findings.collect()) == sorted(
        (merged.inputs[found.input].name, found.code, found.span.start.line if found.span else None) for found in merged.diagnostics
    )


def test_the_example_of_an_aggregator(spark: SparkSession, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[1] / "examples"))
    import aggregator_spark
    import pyarrow.parquet as pq

    site.fill(3, True)
    (tmp_path / "sources.txt").write_text(f"{site.base}\nhttp://127.0.0.1:9/\n{site.base}set.xml\n")
    results = tmp_path / "results"
    verdicts = aggregator_spark.main([str(tmp_path / "sources.txt"), str(results), "--batch", "2", "--requests-per-second", "1000"])
    assert verdicts == {"invalid": 2, "undetermined": 1}
    rows = {row["source"]: row for row in pq.read_table(results / "sources.parquet").to_pylist()}
    assert rows[site.base]["report"].encode() == command("--follow", site.base)
    found = pq.read_table(results / "findings.parquet").to_pylist()
    assert len(found) == sum(len(rs.Report(row["report"].encode()).diagnostics) for row in rows.values())
    assert sorted(each.name for each in results.iterdir()) == ["findings.parquet", "sources.parquet"]


def test_a_stream_has_each_change_once_across_queries(spark: SparkSession, site: Site, tmp_path: Path) -> None:
    site.fill(1, False)
    place, checkpoint = str(tmp_path / "changes"), str(tmp_path / "checkpoint")

    def run() -> list[str]:
        stream = spark.readStream.format("resourcesync").option("what", "changes").option("columns", "uri,change,datetime")
        changes = stream.option("requestsPerSecond", "1000").load(site.base)
        query = changes.writeStream.format("parquet").option("path", place).option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
        assert query.awaitTermination(120)
        return sorted(row.uri for row in spark.read.parquet(place).where("problem is null").collect())

    def entries(first: int, last: int) -> list[rs.ResourceChange]:
        return [rs.ResourceChange(f"{site.base}0/{each}", "updated", "2024-05-02T00:00:00Z") for each in range(first, last)]

    assert run() == [f"{site.base}0/{each}" for each in range(5)]
    # Nothing new: no batch.
    batches = len(list((tmp_path / "checkpoint" / "commits").glob("[0-9]*")))
    assert len(run()) == 5 and len(list((tmp_path / "checkpoint" / "commits").glob("[0-9]*"))) == batches == 1
    longer = rs.ChangeList(f"{site.base}set.xml", "2024-05-01T00:00:00Z")
    longer.extend(entries(0, 8))
    site.pages["/changes.xml"] = longer.to_bytes()
    assert run() == [f"{site.base}0/{each}" for each in range(8)]
    # The commit of the last batch is lost, and so is the log of the sink: the batch is run again, with the same rows.
    last = max((tmp_path / "checkpoint" / "commits").glob("[0-9]*"), key=lambda path: int(path.name))
    for path in (last, last.with_name(f".{last.name}.crc")):
        path.unlink(missing_ok=True)
    assert run() == [f"{site.base}0/{each}" for each in range(8)]
    rewritten = rs.ChangeList(f"{site.base}set.xml", "2024-05-01T00:00:00Z")
    rewritten.extend(entries(1, 9))
    site.pages["/changes.xml"] = rewritten.to_bytes()
    with pytest.raises(Exception, match="SYN-26"):
        run()


def test_documents_are_those_of_the_crawl(spark: SparkSession, site: Site) -> None:
    site.fill(3, True)
    frame = spark.read.format("resourcesync").option("what", "documents").option("requestsPerSecond", "1000").load(site.base)
    rows = {row.document: row for row in frame.collect()}
    inputs = json.loads(command("--follow", site.base))["inputs"]
    assert sorted(rows) == sorted(each["uri"] for each in inputs)
    for each in inputs:
        row = rows[each["uri"]]
        assert (row.kind, row.entries, row.bytes, row.verdict, row.at) == (each["kind"], each["entries"], each["bytes"], each["verdict"], each.get("times", {}).get("at"))
    assert rows[f"{site.base}0.xml"].parent == f"{site.base}index.xml"
    assert site.most <= 4


@pytest.mark.parametrize("what", ["reports", "documents"])
def test_secret_headers_come_from_the_file_of_each_node(spark: SparkSession, site: Site, tmp_path: Path, what: str) -> None:
    site.fill(3, False)
    site.authorization = "Bearer hidden"
    secrets = tmp_path / "headers.json"
    secrets.write_text(json.dumps({site.base.rstrip("/"): {"Authorization": "Bearer hidden"}}))
    frame = spark.read.format("resourcesync").option("what", what).option("requestsPerSecond", "1000").option("headers.file", str(secrets)).load(site.base)
    assert {f"{site.base}{number}.xml": "valid" for number in range(3)}.items() <= {row.document: row.verdict for row in frame.collect()}.items()


def recipe(engine: str, data: rs.Dataset) -> Any:
    """The value of the last line of what docs/scale.md shows for an engine."""
    page = (Path(__file__).parents[2] / "docs/scale.md").read_text("utf-8")
    (lines,) = re.findall(rf"^(import {engine}\b.*?)(?=\n\n|^```)", page, re.DOTALL | re.MULTILINE)
    *imports, value = lines.strip().splitlines()
    names: dict[str, Any] = {"data": data}
    exec("\n".join(imports), names)
    return eval(value, names)


def test_the_recipe_for_dask(site: Site) -> None:
    pytest.importorskip("dask.dataframe")
    site.fill(3, False)
    data = rs.dataset(site.base, columns=["uri", "length"], requests_per_second=1000)

    assert len(recipe("dask.dataframe", data).compute(scheduler="threads")) == 90


def test_the_recipe_for_ray(site: Site) -> None:
    ray: Any = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    site.fill(3, False)
    data = rs.dataset(site.base, columns=["uri", "length"], requests_per_second=1000)
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200_000_000, log_to_driver=False)
    try:
        rows = recipe("ray", data)
        assert (rows.count(), rows.sum("length")) == (90, 3 * sum(range(30)))
    finally:
        ray.shutdown()


def test_wrong_options_are_named_in_one_line(spark: SparkSession, tmp_path: Path) -> None:
    for options, words in (({"what": "people"}, "what: `people`"), ({"content": "yes", "what": "members"}, "`yes` is not true or false"), ({"lane": "3"}, "there is no option `lane`"), ({"limits.depht": "3"}, "depht"), ({"pushFilters": "true", "what": "reports"}, "pushFilters: not for `reports`"), ({"since": "2024"}, "since: only changes"), ({"columns": "size"}, "there is no column `size`")):
        with pytest.raises(Exception, match=words):
            spark.read.format("resourcesync").options(**options).load(str(tmp_path)).collect()
    with pytest.raises(Exception, match="schema: the columns are"):
        spark.read.format("resourcesync").schema("uri string").load(str(tmp_path)).collect()
    with pytest.raises(rs.ConfigError, match="expected URIs"):
        validate_sources(spark, ["folder"])


def test_a_folder_without_lists_is_an_empty_table(spark: SparkSession, tmp_path: Path) -> None:
    for what in ("resources", "members", "findings"):
        assert spark.read.format("resourcesync").option("what", what).load(str(tmp_path)).count() == 0


def repository(site: Site) -> None:
    """An OAI-PMH repository at ``/oai``."""

    def page(verb: str, inner: str) -> bytes:
        head = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request>'
        return f"{head}<{verb}>{inner}</{verb}></OAI-PMH>".encode()

    identity = "<repositoryName>Test</repositoryName><baseURL>x</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@b.example</adminEmail>"
    identity += "<earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DD</granularity>"
    formats = "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a.example/s</schema><metadataNamespace>http://a.example/n</metadataNamespace></metadataFormat>"
    records = "".join(
        f'<record><header><identifier>{number}</identifier><datestamp>2025-01-01</datestamp></header><metadata><d xmlns="http://a.example/n">{number}</d></metadata></record>'
        for number in range(3)
    )
    site.pages["/oai?verb=Identify"] = page("Identify", identity)
    site.pages["/oai?verb=ListMetadataFormats"] = page("ListMetadataFormats", formats)
    site.pages["/oai?verb=ListRecords&metadataPrefix=oai_dc"] = page("ListRecords", records)


def test_repositories_are_harvested_and_their_proofs_are_rows(spark: SparkSession, site: Site) -> None:
    repository(site)
    frame = spark.read.format("resourcesync").options(what="records", prefix="oai_dc", delay="0").load(f"{site.base}oai")
    rows = frame.collect()
    assert [row.identifier for row in rows] == ["0", "1", "2", None], (rows, site.asked)
    assert bytes(rows[0].metadata) == b'<d xmlns="http://a.example/n">0</d>' and json.loads(rows[3].proof)["status"] == "complete" and rows[3].problem is None


def test_the_examples_of_the_page_run(spark: SparkSession, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.fill(2, False)
    repository(site)
    store = tmp_path / "packages"
    store.mkdir()
    packed(store, [1])
    (store / "1.zip").rename(store / "part1.zip")
    site.pages["/part1.zip"] = (store / "part1.zip").read_bytes()
    dump = rs.ResourceDump(f"{site.base}set.xml", "2024-05-01T00:00:00Z")
    dump.push(rs.Package(f"{site.base}part1.zip", len(site.pages["/part1.zip"])))
    site.pages["/resourcedump.xml"] = dump.to_bytes()
    public = tmp_path / "public"
    public.mkdir()
    (public / "changes.xml").write_bytes(site.pages["/changes.xml"])
    (public / "list.xml").write_bytes(site.pages["/0.xml"])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources.txt").write_text(f"{site.base}\n{public}\n")
    page = (Path(__file__).parents[2] / "docs/scale.md").read_text("utf-8")
    here: dict[str, Any] = {"spark": spark}
    ran = 0
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        # Other engines, which tests of their own install, and a table of Delta Lake.
        if "Dask" in block or "Delta Lake" in block:
            continue
        for named in ("https://repository.example/", "https://a.example/", "https://b.example/"):
            block = block.replace(named, site.base)
        # Spark's own folder is that in which the session began.
        for word in ('load("sources.txt")', '"path", "changes")', '"checkpointLocation", "changes.checkpoint")'):
            block = block.replace(word, re.sub(r'"([\w.]+)"\)$', lambda name: f'"{tmp_path / name[1]}")', word))
        exec(block.replace("/mnt/store/public/", str(public)).replace("/mnt/store/packages", str(store)), here)
        ran += 1
    assert ran > 6 and here["result"].report(str(store / "part1.zip")).is_valid
    assert here["df"].count() == 90 and spark.read.parquet(str(tmp_path / "changes")).count() == 5


def packed(folder: Path, numbers: Iterable[int]) -> dict[str, bytes]:
    """A folder with packages, whose members these are."""
    members: dict[str, bytes] = {}
    for number in numbers:
        own = {f"http://example.com/{number}/{each}": random.Random(each).randbytes(2000) for each in range(20)}
        packed = [(rs.Bitstream(uri, f"/{uri.rpartition('/')[2]}.bin", "application/octet-stream"), content) for uri, content in own.items()]
        rs.create_package(folder / f"{number}.zip", packed, up="http://example.com/capabilitylist.xml", at="2024-05-01T00:00:00Z")
        members |= own
    return members


def test_members_of_packages_with_their_bytes(spark: SparkSession, tmp_path: Path) -> None:
    wanted = packed(tmp_path, range(3))
    options = {"what": "members", "content": "true", "partitionBytes": "15000"}
    frame = spark.read.format("resourcesync").options(**options).load(str(tmp_path))
    files = frame.where("kind = 'file'").collect()
    assert {row.uri: bytes(row.content) for row in files} == wanted and len(files) == len(wanted)
    assert {row.state for row in files} == {"verified"} and frame.rdd.getNumPartitions() > 6
    plain = spark.read.format("resourcesync").option("what", "members").load(str(tmp_path))
    assert "content" not in plain.columns and plain.where("state = 'verified'").agg({"size": "sum"}).collect()[0][0] == sum(map(len, wanted.values()))


def test_packages_are_verified_in_pieces(spark: SparkSession, site: Site, tmp_path: Path) -> None:
    packed(tmp_path, range(3))
    spoilt = tmp_path / "1.zip"
    whole = bytearray(spoilt.read_bytes())
    whole[1000] ^= 1
    spoilt.write_bytes(whole)
    made = rs.ResourceDump(f"{site.base}capabilitylist.xml", "2024-05-01T00:00:00Z")
    for number in range(3):
        site.pages[f"/{number}.zip"] = (tmp_path / f"{number}.zip").read_bytes()
        made.push(rs.Package(f"{site.base}{number}.zip", len(site.pages[f"/{number}.zip"])))
    site.pages["/dump.xml"] = made.to_bytes()
    dump = f"{site.base}dump.xml"
    result = verify_packages(spark, [dump, str(tmp_path)], piece_bytes=10_000, requests_per_second=1000)
    for number in range(3):
        path = str(tmp_path / f"{number}.zip")
        assert result.report(path).to_json() == command(path)
        assert result.report(path).verdict == ("invalid" if number == 1 else "valid")
    assert result.report(dump).to_json() == command("--follow", dump)
