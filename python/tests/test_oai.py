"""OAI-PMH: the transcripts of the Rust tests, harvests over loopback, stores, and the bridge."""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import threading
import time
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import resourcesync
from oai_repository import respond
from resourcesync import _core, oai

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = ROOT / "target/corpus/oai.json"


def transcripts() -> list[dict[str, Any]]:
    return json.loads(TRANSCRIPTS.read_text()) if TRANSCRIPTS.exists() else []


def shown(record: oai.Record) -> dict[str, Any]:
    def text(data: bytes | None) -> str | None:
        return None if data is None else data.decode("utf-8", "replace")

    return {
        "identifier": record.identifier,
        "datestamp": record.datestamp,
        "isDeleted": record.is_deleted,
        "sets": record.sets,
        "metadata": text(record.metadata),
        "standalone": text(record.standalone()),
        "about": [text(about) for about in record.about],
    }


def test_the_transcripts_are_there() -> None:
    assert len(transcripts()) > 50, "scripts/inputs writes them"


@pytest.mark.parametrize("case", transcripts(), ids=lambda case: case["name"])
def test_a_transcript_has_the_steps_and_the_proof_of_the_rust_code(case: dict[str, Any]) -> None:
    now = case["now"]
    options = {name: value for name, value in case["options"].items() if value is not None}
    machine = _core.OaiMachine(case["url"], json.dumps(options), now, 0)
    answers = iter(case["answers"])
    for step in case["steps"]:
        kind, text, form, ms = machine.step(now)
        if "wait" in step:
            assert (kind, ms, text) == ("wait", step["wait"], step["why"])
            now += ms
            continue
        assert (kind, text, form) == ("request", step["url"], step["form"])
        answer = next(answers)
        if answer["fail"] is None or answer["fail"][1] != "nothing":
            machine.begin(now, answer["status"], answer["contentType"], answer["retryAfter"], answer["date"])
        now += answer["ms"]
        if answer["fail"] is None:
            body = bytes.fromhex(answer["body"])
            for at in range(0, len(body), 1000):
                if not machine.push(body[at : at + 1000]):
                    break
            records = machine.end(now)
        else:
            if answer["fail"][1] == "part":
                machine.push(b"<OAI-PMH>")
            records = machine.failed(now, "it broke off", answer["fail"][0] == "timeout")
        assert [shown(record) for record in records] == step["records"]
    assert machine.step(now)[0] == "done"
    assert machine.proof() == case["proof"]


@pytest.mark.parametrize("case", transcripts(), ids=lambda case: case["name"])
def test_a_page_has_the_pieces_of_the_rust_code(case: dict[str, Any]) -> None:
    for answer in case["answers"]:
        page = oai.read(bytes.fromhex(answer["body"]))
        assert page.to_json() == answer["page"]["facts"]
        assert [shown(record) for record in page.records] == answer["page"]["records"]
        assert [header.identifier for header in page.headers] == answer["page"]["headers"]


class Repository:
    """A repository with three pages, and the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = {str(number): "first" for number in range(1, 26)}
        self.is_cut = False
        self.asked: list[str] = []
        own = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, _, query = self.path.partition("?")
                own.asked.append(self.path)
                body = own.respond(dict(urllib.parse.parse_qsl(query))) if path == "/oai" else own.file(path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.url = self.base + "oai"

    def file(self, path: str) -> bytes | None:
        name = urllib.parse.unquote(path.lstrip("/"))
        places = [self.folder / "public" / name, self.folder / "public.resourcesync/harvest" / name]
        return next((place.read_bytes() for place in places if place.is_file()), None)

    def respond(self, query: dict[str, str]) -> bytes:
        return respond(query, self.records, self.is_cut)


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    repository = Repository(tmp_path)
    yield repository
    repository.server.shutdown()


def test_a_harvest_is_an_iterator_with_a_proof(repository: Repository) -> None:
    with oai.harvest(repository.url, delay=0, contact="me@example.org") as records:
        found = {record.identifier: record for record in records}
    assert len(found) == 25
    one = found["7"]
    assert (one.datestamp, one.is_deleted, one.sets, one.prefix) == ("2025-01-01", False, [], "oai_dc")
    assert one.metadata == b'<d xmlns="http://a.example/n">7 first</d>' == one.standalone()
    assert one.metadata is not None and one.sha256 == hashlib.sha256(one.metadata).hexdigest()
    proof = records.proof
    assert proof is not None and proof.status == "complete" and proof.requests == 5 and proof.reasons == ()
    assert proof.as_dict()["format"] == "resourcesync-oai-proof"


def test_a_list_that_breaks_off_is_an_exception(repository: Repository) -> None:
    repository.is_cut = True
    taken: list[str] = []
    with pytest.raises(oai.IncompleteError) as caught:
        for record in oai.harvest(repository.url, delay=0, max_wait=0):
            taken.append(record.identifier)
    assert caught.value.proof.status == "incomplete" and "incomplete" in str(caught.value)
    assert len(taken) == 10, "records of a page that was cut are not among them"
    records = oai.harvest(repository.url, delay=0, max_wait=0, check=False)
    assert len(list(records)) == 10 and records.proof is not None and records.proof.status == "incomplete"


def test_a_harvest_that_is_closed_sends_no_further_request(repository: Repository) -> None:
    with oai.harvest(repository.url, delay=0.2) as records:
        next(records)
    asked = len(repository.asked)
    assert asked < 5
    assert records.proof is not None and records.proof.status == "incomplete"


def test_any_client_can_send_the_requests(repository: Repository) -> None:
    from urllib.request import urlopen

    machine = oai.Harvest(repository.url, delay=0)
    found: list[str] = []
    while not isinstance(step := machine.step(), oai.Done):
        assert isinstance(step, oai.Request) and step.method == "GET"
        with urlopen(step.url) as response:
            found += [record.identifier for record in machine.answer(response.status, dict(response.headers), iter(lambda: response.read(100), b""))]
    assert len(found) == 25 and step.proof.status == "complete"


def test_options_are_checked(repository: Repository) -> None:
    wrongs: tuple[dict[str, Any], ...] = ({"since": "yesterday"}, {"window": "decade"}, {"limits": {"oai_pagse": 1}}, {"repair": "everything"})
    for wrong in wrongs:
        with pytest.raises(resourcesync.ConfigError):
            oai.harvest(repository.url, **wrong)


def test_a_store_continues_and_is_a_table(repository: Repository, tmp_path: Path) -> None:
    pa, compute = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.compute")
    store = tmp_path / "store"
    assert len(list(oai.harvest(repository.url, delay=0, into=store))) == 25
    table = oai.to_arrow(store).read_all()
    assert isinstance(table, pa.Table) and table.num_rows == 25
    row = table.filter(compute.equal(table["identifier"], "7")).to_pylist()[0]
    assert row["metadata"] == b'<d xmlns="http://a.example/n">7 first</d>'
    assert row["digest"] == hashlib.sha256(row["metadata"]).hexdigest() and row["prefix"] == "oai_dc" and not row["deleted"]
    assert oai.to_arrow(oai.harvest(repository.url, delay=0)).read_all().num_rows == 25
    with pytest.raises(oai.HarvestError):
        oai.harvest(repository.url, into=tmp_path / "store", prefix="other")
    with pytest.raises(oai.HarvestError):
        oai.to_arrow(tmp_path).read_all()


def test_a_harvest_that_failed_says_why_again(repository: Repository, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert len(list(oai.harvest(repository.url, delay=0, into=store))) == 25
    repository.records["7"] = "second"
    shutil.rmtree(store / "records")
    (store / "records").touch()
    harvest = oai.harvest(repository.url, delay=0, into=store)
    for _ in range(2):
        with pytest.raises(oai.HarvestError, match="records"):
            list(harvest)


def test_repositories_are_a_table_whose_partitions_travel(repository: Repository) -> None:
    pytest.importorskip("pyarrow")
    dead = "http://localhost:9/oai"
    data = oai.dataset([repository.url, f"{repository.url}?other", dead], delay=0, max_wait=0)
    partitions = data.partitions()
    # Two repositories of one host are harvested one after the other.
    assert {each.documents for each in partitions} == {(repository.url, f"{repository.url}?other"), (dead,)}
    again: oai.RecordDataset = pickle.loads(pickle.dumps(data))
    rows = [row for each in pickle.loads(pickle.dumps(partitions)) for batch in again.read(each) for row in batch.to_pylist()]
    own = [row for row in rows if row["source"] == repository.url]
    assert sorted(row["identifier"] for row in own[:-1]) == sorted(repository.records) and all(row["proof"] is None for row in own[:-1])
    assert own[0]["metadata"].startswith(b'<d xmlns="http://a.example/n">') and own[0]["prefix"] == "oai_dc" and own[0]["sets"] == []
    assert own[-1]["identifier"] is None and own[-1]["problem"] is None and json.loads(own[-1]["proof"])["status"] == "complete"
    (failed,) = (row for row in rows if row["source"] == dead)
    assert failed["problem"].startswith("[OAI-") and json.loads(failed["proof"])["status"] == "incomplete"
    repository.is_cut = True
    cut = oai.dataset(repository.url, columns=["identifier"], delay=0, max_wait=0)
    table = cut.to_arrow().read_all()
    assert table.column_names == ["identifier", "source", "proof", "problem"] and table.num_rows == 11 and table["problem"].to_pylist()[-1]
    with pytest.raises(oai.IncompleteError):
        oai.dataset(repository.url, on_unreadable="fail", delay=0, max_wait=0).to_arrow().read_all()
    assert oai.dataset(repository.url, on_unreadable="skip", delay=0, max_wait=0).to_arrow().read_all().num_rows == 10


def test_a_harvest_that_was_limited_says_so(repository: Repository) -> None:
    pytest.importorskip("pyarrow")
    words = "the harvest is incomplete: max_records was reached"
    table = oai.dataset(repository.url, columns=["identifier"], delay=0, max_records=5).to_arrow().read_all()
    assert table["problem"].to_pylist()[-1] == words
    with pytest.raises(oai.IncompleteError, match=f"^{words}$"):
        list(oai.harvest(repository.url, delay=0, max_records=5))


def test_a_harvest_that_is_closed_gives_what_was_read(repository: Repository) -> None:
    # Fewer pages than wait for the program, so that the harvest can be complete before it is closed.
    records = oai.harvest(repository.url, delay=0)
    first = next(records)
    for _ in range(100):
        if len(repository.asked) == 5:
            break
        time.sleep(0.1)
    records.close()
    try:
        assert len({record.identifier for record in records} | {first.identifier}) == 25
    except oai.IncompleteError as error:
        assert error.proof.status == "incomplete"
    repository.records |= {str(number): "first" for number in range(26, 100)}
    records = oai.harvest(repository.url, delay=0)
    taken = [next(records).identifier]
    records.close()
    with pytest.raises(oai.IncompleteError, match="^the harvest is incomplete: it was ended early$"):
        for record in records:
            taken.append(record.identifier)
    assert 10 <= len(taken) < 99 and len(taken) == len(set(taken))


def test_wrong_options_of_a_table_of_repositories_are_named() -> None:
    with pytest.raises(resourcesync.ConfigError, match="columns: there is no column `uri`"):
        oai.dataset("https://a.example/oai", columns=["uri"])
    with pytest.raises(resourcesync.ConfigError, match="repositories: `records` is no URL"):
        oai.dataset("records")
    assert [each.host for each in oai.dataset("HTTPS://A.EXAMPLE/oai").partitions()] == ["a.example"]
    with pytest.raises(resourcesync.ConfigError, match="on_unreadable"):
        oai.dataset("https://a.example/oai", on_unreadable="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_repository_becomes_a_source(repository: Repository, tmp_path: Path) -> None:
    out = tmp_path / "public"
    first = oai.bridge(repository.url, repository.base, out, delay=0)
    assert first.published.changed and first.published.resources == 25 and first.withheld is None
    assert first.proof is not None and first.proof.status == "complete" and len(repository.asked) == 5
    report = resourcesync.sync(repository.base + ".well-known/resourcesync", tmp_path / "copy", limits={"http_requests_per_second": 0})
    assert report.outcome == "in-step" and report.held.resources == 25
    repository.records["26"] = "first"
    del repository.records["3"]
    repository.records["4"] = "second"
    second = oai.bridge(repository.url, repository.base, out, delay=0)
    # The repository does not report the deletion, although it says so.
    assert (second.published.created, second.published.updated, second.published.deleted) == (1, 1, 0)
    assert not oai.bridge(repository.url, repository.base, out, delay=0).published.changed
    repository.is_cut = True
    withheld = oai.bridge(repository.url, repository.base, out, delay=0, max_wait=0)
    assert withheld.withheld == "incomplete" and not withheld.published.changed
    store = tmp_path / "public.resourcesync/harvest"
    assert oai.bridge(store, repository.base, tmp_path / "other", publish_incomplete=True).published.resources == 26


def test_packages_alone_are_a_source(repository: Repository, tmp_path: Path) -> None:
    out = tmp_path / "public"
    first = oai.bridge(repository.url, repository.base, out, form="dump", delay=0)
    assert first.published.resources == 25 and "oai_dc/resourcedump-1.zip" in first.published.written
    assert not list((tmp_path / "public.resourcesync").rglob("*.xml"))
    start = repository.base + ".well-known/resourcesync"
    report = resourcesync.sync(start, tmp_path / "copy", limits={"http_requests_per_second": 0})
    assert report.outcome == "in-step" and report.held.resources == 25
    repository.records["26"] = "first"
    second = oai.bridge(repository.url, repository.base, out, form="dump", delay=0)
    assert second.published.created == 1 and "oai_dc/changedump-1.zip" in second.published.written
    report = resourcesync.sync(start, tmp_path / "copy", limits={"http_requests_per_second": 0})
    assert report.outcome == "in-step" and report.held.resources == 26
    with pytest.raises(oai.HarvestError, match="--keep applies to lists"):
        oai.bridge(repository.url, repository.base, out, form="dump", keep=3, delay=0)
