#!/usr/bin/env python3
"""Runs a ResourceSync implementation over the conformance suite: ``run.py [OPTIONS] SUITE -- COMMAND …``

The command is called once for each case and prints a verdict and, if it has them, the codes of its findings. README.md describes the protocol.
Needs Python 3.10 and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlsplit

VERDICTS = ("valid", "invalid", "undetermined")
TYPES = ("document", "package", "source")
OUTCOMES = ("passed", "failed", "unsupported")
Case = dict[str, Any]


@dataclass
class Result:
    """What became of a case."""

    name: str
    #: ``passed``, ``failed`` or ``unsupported``.
    outcome: str
    verdict: str = ""
    problems: list[str] = field(default_factory=list)


def normalized(uri: str) -> str:
    """The URI as clients spell it (RFC 3986, section 6.2.2)."""
    parts = urlsplit(uri)
    path = quote(unquote_to_bytes(parts.path), safe="/!$&'()*+,;=:@~")
    return f"{parts.scheme}://{(parts.hostname or '')}{path or '/'}{'?' if parts.query else ''}{parts.query}"


class Proxy(ThreadingHTTPServer):
    """Serves the Source of one case at its own URIs, as an HTTP proxy."""

    daemon_threads = True

    def __init__(self, suite: Path, responses: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.suite = suite
        self.responses = {normalized(uri): response for uri, response in responses.items()}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is not an error."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def do_CONNECT(self) -> None:
        """Clients that tunnel their requests are answered as the host that they name."""
        self.send_response_only(200)
        self.end_headers()

    def do_GET(self) -> None:
        uri = f"http://{self.headers['Host']}{self.path}" if self.path.startswith("/") else self.path
        given = self.server.responses.get(normalized(uri))
        if given is None:
            self.answer(404, [], b"")
        elif "failed" in given:
            self.close_connection = True
        elif "redirect" in given:
            self.answer(302, [("Location", given["redirect"])], b"")
        else:
            self.answer(given["status"], given["headers"], (self.server.suite / given["file"]).read_bytes())

    do_HEAD = do_GET

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response(status)
        # A case that states headers states all of them, such as that there is no length.
        has_length = not headers or "content-length" in (name.lower() for name, _ in headers)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header(*(("Content-Length", str(len(body))) if has_length else ("Transfer-Encoding", "chunked")))
        self.end_headers()
        if self.command == "GET":
            chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
            self.wfile.write(body if has_length else chunk + b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


def call(command: list[str], arguments: list[str], environment: dict[str, str], seconds: float) -> tuple[str, Counter[str]]:
    """Calls the implementation; returns its verdict and codes."""
    answer = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, errors="replace", timeout=seconds, check=False, env={**os.environ, **environment}
    )
    if answer.returncode != 0:
        last = answer.stderr.strip().splitlines()[-1:] or ["no message"]
        raise RuntimeError(f"exit status {answer.returncode}: {last[0]}")
    verdict, *lines = [line for line in map(str.strip, answer.stdout.splitlines()) if line] or [""]
    if verdict not in (*VERDICTS, "unsupported"):
        raise RuntimeError(f"`{verdict}` is no verdict")
    codes: Counter[str] = Counter()
    for line in lines:
        code, _, count = line.partition(" x")
        codes[code] += int(count or 1)
    return verdict, codes


def run(case: Case, suite: Path, command: list[str], seconds: float) -> tuple[str, Counter[str]]:
    if case["type"] != "source":
        environment = {"RESOURCESYNC_EXPECT": case["expect"]} if case.get("expect") else {}
        return call(command, [case["type"], str(suite / case["file"])], environment, seconds)
    with Proxy(suite, case["responses"]) as proxy:
        try:
            return call(command, ["source", *case["start"]], {"http_proxy": proxy.uri}, seconds)
        finally:
            proxy.shutdown()


def compared(codes: Iterable[str]) -> list[str]:
    """The codes that decide: advice is everyone's own."""
    return [code for code in codes if not code.startswith("ADV-")]


def check(case: Case, suite: Path, command: list[str], seconds: float, has_codes: bool) -> Result:
    try:
        verdict, codes = run(case, suite, command, seconds)
    except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
        return Result(case["name"], "failed", problems=[str(error)])
    if verdict == "unsupported":
        return Result(case["name"], "unsupported")
    problems = [] if verdict == case["verdict"] else [f"the verdict is {verdict}, not {case['verdict']}"]
    if has_codes:
        for code in compared(case["must"]):
            if codes[code] != case["must"][code]:
                problems.append(f"{code} is reported {codes[code]} times, not {case['must'][code]}")
        problems += [f"{code} is not one of the findings" for code in compared(codes) if code not in case["must"] and code not in case.get("may", ())]
    return Result(case["name"], "failed" if problems else "passed", verdict, problems)


def count(cases: list[Case], results: list[Result]) -> dict[str, dict[str, int]]:
    """By type the number of cases of each outcome."""
    pairs = Counter((case["type"], result.outcome) for case, result in zip(cases, results, strict=True))
    return {kind: {outcome: pairs[kind, outcome] for outcome in OUTCOMES} for kind in TYPES}


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs a ResourceSync implementation over the conformance suite.")
    parser.add_argument("suite", type=Path, help="the folder with cases.json")
    parser.add_argument("command", nargs="+", help="the implementation or its adapter, after --")
    parser.add_argument("--codes", action="store_true", help="compare the codes, too, not only the verdict")
    parser.add_argument("--only", metavar="TEXT", help="only cases whose name contains this text")
    parser.add_argument("--limits", default="", metavar="CODES", help="limits that the implementation has (LIM-04,LIM-06 or all); cases that need others are left out")
    parser.add_argument("--type", choices=TYPES, help="only cases of this type")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth of them")
    parser.add_argument("--seconds", type=float, default=60, help="the time for one case (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cases at a time (the number of processors)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the results as JSON")
    arguments = parser.parse_args()
    suite = json.loads((arguments.suite / "cases.json").read_text(encoding="utf-8"))
    if (suite.get("format"), suite.get("formatVersion")) != ("resourcesync-conformance", 1):
        parser.error(f"{arguments.suite} has no cases of version 1")
    limits = set(suite["limits"] if arguments.limits == "all" else filter(None, arguments.limits.split(",")))
    cases: list[Case] = [case for case in suite["cases"] if arguments.type in (None, case["type"]) and (arguments.only or "") in case["name"]]
    cases = [case for case in cases if limits.issuperset(case.get("limits", ()))]
    cases = cases[:: max(arguments.every, 1)]
    if not cases:
        parser.error("there are no such cases")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda case: check(case, arguments.suite, arguments.command, arguments.seconds, arguments.codes), cases))
    for case, result in zip(cases, results, strict=True):
        if result.outcome == "failed":
            print(f"{result.name}: {case['title']}", *(f"    {problem}" for problem in result.problems), sep="\n")
    counts = count(cases, results)
    print(f"{'':<10}{''.join(f'{outcome:>13}' for outcome in OUTCOMES)}")
    for kind, own in counts.items():
        print(f"{kind:<10}{''.join(f'{own[outcome]:>13}' for outcome in OUTCOMES)}")
    if arguments.output:
        about = {"format": "resourcesync-conformance-results", "formatVersion": 1, "suite": suite["version"], "codes": arguments.codes, "counts": counts}
        document = {**about, "results": list(map(asdict, results))}
        arguments.output.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(any(result.outcome == "failed" for result in results))


if __name__ == "__main__":
    sys.exit(main())
