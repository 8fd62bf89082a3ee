"""Checks of OAI-PMH repositories: those of the Rust tests, and the same as the command over loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import resourcesync
from resourcesync import _core, oai

ROOT = Path(__file__).resolve().parents[2]
CHECKS = ROOT / "target/corpus/oai-checks.json"


def shared() -> dict[str, Any]:
    return json.loads(CHECKS.read_text()) if CHECKS.exists() else {"bodies": [], "checks": [], "rendered": {}}


SHARED = shared()
BODIES: list[bytes] = [bytes.fromhex(body) for body in SHARED["bodies"]]
CASES: dict[str, dict[str, Any]] = {case["name"]: case for case in SHARED["checks"]}


def test_the_checks_are_there() -> None:
    assert len(CASES) > 90, "scripts/inputs writes them"


def played(case: dict[str, Any]) -> bytes | None:
    """The report of a check whose requests are answered as in the corpus."""
    now = case["now"]
    machine = _core.OaiCheck(case["url"], json.dumps(case["options"]))
    for step in case["steps"]:
        kind, text, url, form, coding, ms = machine.step(now)
        if kind == "wait":
            assert (step["step"], step["ms"], step["why"]) == ("wait", ms, text)
            now += ms
            continue
        assert (kind, text, url, form, coding) == ("request", step["name"], step["url"], step.get("form"), step.get("acceptEncoding"))
        response, headers = step["response"], step["response"]["headers"]
        now += 200
        if response["status"] == 0:
            machine.failed(now, "it broke off", False)
            continue
        names = ("content-type", "content-encoding", "retry-after", "date")
        machine.begin(now, response["status"], *(headers.get(name) for name in names))
        body = BODIES[int(response["body"])]
        for at in range(0, len(body), 1000):
            if not machine.push(body[at : at + 1000]):
                break
        machine.end(now)
    assert machine.step(now)[0] == "done"
    return machine.report()


@pytest.mark.parametrize("name", CASES)
def test_a_check_has_the_steps_and_the_report_of_the_rust_code(name: str) -> None:
    report = played(CASES[name])
    assert report is not None and report.decode() == CASES[name]["report"]


@pytest.mark.parametrize("which", SHARED["rendered"])
def test_its_report_is_rendered_as_by_the_rust_code(which: str) -> None:
    name, format, lang = which.split()
    report = resourcesync.Report(CASES[name]["report"].encode())
    assert _core.render(report.to_json(), format, lang=lang, max_per_rule=5, width=120) == SHARED["rendered"][which]
    assert report.run.family == "OAI"
    found = report.diagnostics[0]
    assert found.message_in("en") == found.message and found.message_in("ja") != found.message


class Server:
    """Answers as in a check of the corpus."""

    def __init__(self, case: dict[str, Any]) -> None:
        answers: dict[tuple[str, str | None, bool], list[dict[str, Any]]] = defaultdict(list)
        for step in case["steps"]:
            if step["step"] == "request":
                answers[step["url"].removeprefix(case["url"]), step.get("form"), step["acceptEncoding"] == "identity"].append(step["response"])
        own = self
        self.requests = 0

        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                own.requests += 1
                length = int(self.headers.get("Content-Length", 0))
                form = self.rfile.read(length).decode() if self.command == "POST" else None
                left = answers[self.path.removeprefix("/oai"), form, self.headers["Accept-Encoding"] == "identity"]
                response = left.pop(0) if len(left) > 1 else left[0]
                body = BODIES[int(response["body"])].replace(case["url"].encode(), own.url.encode())
                self.send_response(response["status"])
                for field, value in response["headers"].items():
                    self.send_header(field, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = respond

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/oai"


@pytest.fixture(params=["OAI-17-fires", "OAI-50-fires", "OAI-43-fires", "OAI-37-near"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    server = Server(CASES[request.param])
    yield server
    server.server.shutdown()


def command(*arguments: str) -> bytes:
    return subprocess.run([sys.executable, "-m", "resourcesync", "oai", "validate", "--format", "json", *arguments], stdout=subprocess.PIPE, check=False).stdout


def test_a_recording_has_the_report_of_the_command(server: Server, tmp_path: Path) -> None:
    recording = str(tmp_path / "check.har")
    expected = command("--skip-waits", "--quiet", "--record", recording, server.url)
    requests = server.requests
    report = oai.validate(server.url, replay=recording)
    assert report.to_json() == expected and len(report.inputs) > 30
    assert server.requests == requests
    ignored = oai.validate(server.url, replay=recording, ignore=[group.code for group in report.groups])
    assert ignored.summary.suppressed == sum(group.count for group in report.groups)
    assert oai.validate(server.url, replay=recording, baseline=oai.validate(server.url, replay=recording, max_per_rule=0)).groups == ()


def test_a_repository_is_asked_slowly(tmp_path: Path) -> None:
    case = CASES["OAI-17-fires"]
    first = next(step for step in case["steps"] if step["step"] == "request")
    forbidden: dict[str, Any] = {**first, "response": {"status": 403, "headers": {}, "body": first["response"]["body"]}}
    post = next(step for step in case["steps"] if step["step"] == "request" and step.get("form"))
    server = Server({**case, "steps": [first, {**forbidden, "acceptEncoding": "identity"}, post]})
    BODIES.append(b"no")
    forbidden["response"]["body"] = len(BODIES) - 1
    report = oai.validate(server.url, contact="me@example.org", record=tmp_path / "record.har")
    server.server.shutdown()
    assert report.run.stopped_by == "forbidden" and [own.name for own in report.inputs] == ["Identify", "Identify, identity"]
    assert oai.validate(server.url, replay=tmp_path / "record.har") == report


def test_any_client_can_send_the_requests() -> None:
    case = CASES["OAI-50-fires"]
    machine = oai.ProviderCheck(case["url"], all_headers=False)
    step = machine.step()
    assert isinstance(step, oai.CheckRequest) and (step.method, step.headers) == ("GET", {})
    machine.answer(200, {"Content-Type": "text/xml"}, BODIES[int(case["steps"][0]["response"]["body"])])
    assert isinstance(machine.step(), oai.Wait)
    machine.interrupt()
    done = machine.step()
    assert isinstance(done, oai.Checked) and done.report.run.stopped_by == "interrupt" and done.report.inputs[0].kind == "oai-response"
    assert machine.step() == done
    machine = oai.ProviderCheck(case["url"], max_wait=0)
    for _ in range(10):
        if isinstance(machine.step(), oai.Checked):
            break
        machine.failed("no route")
    last = machine.step()
    assert isinstance(last, oai.Checked) and last.report.verdict == "undetermined"


def test_single_responses_need_no_network(tmp_path: Path) -> None:
    case = CASES["OAI-17-fires"]
    page = tmp_path / "identify.xml"
    page.write_bytes(BODIES[int(case["steps"][0]["response"]["body"])])
    report = oai.validate(page)
    assert report.to_json() == command(str(page)) and [own.code for own in report.groups] == ["OAI-17"]
    assert oai.validate(page.read_bytes(), name=str(page)) == report
    assert len(oai.validate([page, page]).inputs) == 2
    text = oai.validate(page, lang="ja").to_markdown()
    assert "メールアドレス" in text


def test_options_are_checked(tmp_path: Path) -> None:
    wrongs: tuple[dict[str, Any], ...] = (
        {"select": ["OIA-17"]},
        {"select": "OAI-17"},
        {"severity": {"OAI-17": "bad"}},
        {"limits": {"oai_pagse": 1}},
        {"profile": "lax"},
        {"name": "a"},
        {"replay": tmp_path / "none.har"},
    )
    for wrong in wrongs:
        with pytest.raises(resourcesync.ConfigError):
            oai.validate("http://a.example/oai", **wrong)
    with pytest.raises(resourcesync.InputError):
        oai.validate(tmp_path / "none.xml")
    with pytest.raises(resourcesync.ConfigError):
        oai.validate(b"<a/>", replay=tmp_path / "none.har")
