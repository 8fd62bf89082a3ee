#!/usr/bin/env python3
"""Runs a ResourceSync implementation over the conformance suite: ``run.py [OPTIONS] SUITE -- COMMAND …``

The command is called once for each case and prints a verdict and, if it has them, the codes of its findings. README.md describes the protocol.
Needs Python 3.10 and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlsplit

VERDICTS = ("valid", "invalid", "undetermined")
TYPES = ("document", "package", "source")
OUTCOMES = ("passed", "failed", "unsupported")
UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")
#: What an implementation prints is read up to here.
MOST_BYTES = 1 << 20
#: Of standard error so many lines are shown.
SHOWN_LINES = 5
#: What the caller has set of these is not the implementation's.
OWN_VARIABLES = ("resourcesync_expect", "http_proxy", "https_proxy", "all_proxy", "no_proxy")
Case = dict[str, Any]


@dataclass
class Result:
    """What became of a case."""

    name: str
    #: ``passed``, ``failed`` or ``unsupported``.
    outcome: str
    verdict: str = ""
    problems: list[str] = field(default_factory=list)


class Failed(Exception):
    """The implementation gave no answer."""


def normalized(uri: str) -> str:
    """The URI as clients spell it (RFC 3986, sections 6.2.2 and 6.2.3)."""

    def spelled(found: re.Match[str]) -> str:
        meant = chr(int(found[1], 16))
        return meant if UNRESERVED.fullmatch(meant) else found[0].upper()

    parts = urlsplit(uri)
    path = re.sub("%([0-9A-Fa-f]{2})", spelled, quote(parts.path, safe="/%!$&'()*+,;=:@~"))
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(":80")
    return f"{parts.scheme}://{host}{path or '/'}{'?' if parts.query else ''}{parts.query}"


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


class Program:
    """One call of the implementation, with everything that it starts."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        inherited = {name: value for name, value in os.environ.items() if name.lower() not in OWN_VARIABLES}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**inherited, **environment},
            start_new_session=True,
        )
        self.printed: dict[str, bytes] = {}
        streams = {"output": self.process.stdout, "errors": self.process.stderr}
        self.readers = [threading.Thread(target=self.read, args=own, daemon=True) for own in streams.items()]
        for reader in self.readers:
            reader.start()

    def read(self, name: str, stream: IO[bytes]) -> None:
        with stream:
            self.printed[name] = stream.read(MOST_BYTES + 1)
            if len(self.printed[name]) > MOST_BYTES:
                self.kill()

    def kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL) if hasattr(os, "killpg") else self.process.kill()
        except (ProcessLookupError, PermissionError):
            pass

    def answer(self, seconds: float) -> tuple[str, str]:
        """What it printed to standard output and to standard error, once it has ended."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        # What it has left running would keep its output open.
        self.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join(1)
        output, errors = (self.printed.get(name, b"") for name in ("output", "errors"))
        shown = "".join(f"\n    {line}" for line in errors.decode(errors="replace").splitlines()[-SHOWN_LINES:])
        if max(len(output), len(errors)) > MOST_BYTES:
            raise Failed(f"it prints more than {MOST_BYTES} bytes")
        if status is None:
            raise Failed(f"it takes more than {seconds:g} seconds{shown}")
        if status != 0:
            raise Failed(f"exit status {status}{shown}")
        return output.decode(errors="replace"), shown


def answer(text: str, has_codes: bool) -> tuple[str, Counter[str]]:
    """The verdict and the codes that were printed."""
    verdict, *lines = [line for line in map(str.strip, text.splitlines()) if line] or [""]
    if verdict not in (*VERDICTS, "unsupported"):
        raise Failed(f"`{verdict[:80]}` is no verdict")
    codes: Counter[str] = Counter()
    for line in lines:
        if line in VERDICTS:
            raise Failed("there are several verdicts")
        if has_codes:
            found = re.fullmatch(r"(\S+)(?: x([1-9][0-9]*))?", line)
            if not found:
                raise Failed(f"`{line[:80]}` is neither a code nor a code with a number")
            codes[found[1]] += int(found[2] or 1)
    return verdict, codes


def run(case: Case, suite: Path, command: list[str], seconds: float) -> tuple[str, str]:
    if case["type"] != "source":
        environment = {"RESOURCESYNC_EXPECT": case["expect"]} if case.get("expect") else {}
        return Program([*command, case["type"], str(suite / case["file"])], environment).answer(seconds)
    with Proxy(suite, case["responses"]) as proxy:
        try:
            return Program([*command, "source", *case["start"]], {"http_proxy": proxy.uri}).answer(seconds)
        finally:
            proxy.shutdown()


def compared(codes: Iterable[str]) -> list[str]:
    """The codes that decide: advice is everyone's own."""
    return [code for code in codes if not code.startswith("ADV-")]


def check(case: Case, suite: Path, command: list[str], seconds: float, has_codes: bool) -> Result:
    try:
        printed, errors = run(case, suite, command, seconds)
        verdict, codes = answer(printed, has_codes)
    except (Failed, OSError) as error:
        return Result(case["name"], "failed", problems=[str(error)])
    if verdict == "unsupported":
        return Result(case["name"], "unsupported")
    problems = [] if verdict == case["verdict"] else [f"the verdict is {verdict}, not {case['verdict']}{errors}"]
    if has_codes:
        for code in compared(case["must"]):
            if codes[code] != case["must"][code]:
                problems.append(f"{code} is reported {codes[code]} times, not {case['must'][code]}")
        problems += [f"{code} is not one of the findings" for code in compared(codes) if code not in case["must"] and code not in case.get("may", ())]
    return Result(case["name"], "failed" if problems else "passed", verdict, problems)


def count(cases: list[Case], results: list[Result]) -> dict[str, dict[str, int]]:
    """By type the number of cases of each outcome."""
    pairs = Counter((case["type"], result.outcome) for case, result in zip(cases, results))
    return {kind: {outcome: pairs[kind, outcome] for outcome in OUTCOMES} for kind in TYPES}


def listed(text: str) -> list[str]:
    return [own for own in map(str.strip, text.split(",")) if own]


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments_of(given: list[str]) -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    """The options; the implementation follows the first ``--``."""
    parser = argparse.ArgumentParser(
        usage="run.py [OPTIONS] SUITE -- COMMAND …", description="Runs a ResourceSync implementation, or its adapter, over the conformance suite."
    )
    parser.add_argument("suite", type=Path, help="the folder with cases.json")
    parser.add_argument("--codes", action="store_true", help="compare the codes, too, not only the verdict")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose name contains this text")
    parser.add_argument("--type", choices=TYPES, help="only cases of this type")
    parser.add_argument("--every", type=positive, default=1, metavar="N", help="only every Nth of them")
    parser.add_argument(
        "--limits", type=listed, default=[], metavar="CODES", help="limits that the implementation has (LIM-04,LIM-06 or all); cases that need others are left out"
    )
    parser.add_argument(
        "--without", type=listed, default=[], metavar="CODES", help="leave out cases that need findings of these codes or families (ZIP,INP-02), or derived requirements (derived)"
    )
    parser.add_argument("--seconds", type=float, default=60, help="the time for one case (60)")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="cases at a time (the number of processors)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the results as JSON")
    end = given.index("--") if "--" in given else len(given)
    arguments = parser.parse_args(given[:end])
    arguments.command = given[end + 1 :]
    if not arguments.command:
        parser.error("the implementation is missing: SUITE -- COMMAND …")
    if not shutil.which(arguments.command[0]):
        parser.error(f"{arguments.command[0]} is not a program")
    return parser, arguments


def selected(suite: dict[str, Any], arguments: argparse.Namespace) -> list[Case]:
    """The cases that run."""
    limits = set(suite["limits"]) if arguments.limits == ["all"] else set(arguments.limits)
    if unknown := limits.difference(suite["limits"]):
        raise Failed(f"no case needs {', '.join(sorted(unknown))}")

    def is_out(code: str) -> bool:
        is_derived = suite["requirements"].get(code, {}).get("derived", False)
        return code in arguments.without or code.rpartition("-")[0] in arguments.without or (is_derived and "derived" in arguments.without)

    def is_in(case: Case) -> bool:
        is_named = arguments.type in (None, case["type"]) and arguments.only in case["name"]
        return is_named and limits.issuperset(case.get("limits", ())) and not any(map(is_out, case["must"]))

    return [case for case in suite["cases"] if is_in(case)][:: arguments.every]


def results_of(cases: list[Case], arguments: argparse.Namespace, folder: Path) -> Iterator[Result]:
    """The results in the order of the cases, each as soon as it is there."""
    pool = ThreadPoolExecutor(arguments.jobs)
    try:
        yield from pool.map(lambda case: check(case, folder, arguments.command, arguments.seconds, arguments.codes), cases)
    finally:
        pool.shutdown(cancel_futures=True)


def main() -> int:
    parser, arguments = arguments_of(sys.argv[1:])
    try:
        folder = arguments.suite.resolve(strict=True)
        suite = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
        if (suite.get("format"), suite.get("formatVersion")) != ("resourcesync-conformance", 1):
            raise Failed(f"{arguments.suite} has no cases of version 1")
        cases = selected(suite, arguments)
        # Before all the work: there is a place for the results.
        if arguments.output:
            tempfile.TemporaryFile(dir=arguments.output.resolve().parent).close()
    except (OSError, ValueError, Failed) as error:
        parser.error(str(error))
    if not cases:
        parser.error("there are no such cases")
    results: list[Result] = []
    try:
        for result in results_of(cases, arguments, folder):
            if result.outcome == "failed":
                print(f"{result.name}: {cases[len(results)]['title']}", *(f"    {problem}" for problem in result.problems), sep="\n", flush=True)
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(cases)}", end="\r" if len(results) == len(cases) else "", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print(f"interrupted after {len(results)} of {len(cases)} cases")
    counts, left_out = count(cases, results), len(suite["cases"]) - len(results)
    print(f"{'':<10}{''.join(f'{outcome:>13}' for outcome in OUTCOMES)}")
    for kind, own in counts.items():
        print(f"{kind:<10}{''.join(f'{own[outcome]:>13}' for outcome in OUTCOMES)}")
    if left_out:
        print(f"left out: {left_out} of {len(suite['cases'])} cases")
    if arguments.output:
        selection = {name: getattr(arguments, name) for name in ("only", "type", "every", "limits", "without")}
        about = {"format": "resourcesync-conformance-results", "formatVersion": 1, "suite": suite["version"], "codes": arguments.codes, "selection": selection}
        document = {**about, "leftOut": left_out, "counts": counts, "results": list(map(asdict, results))}
        part = arguments.output.with_name(f"{arguments.output.name}.part")
        part.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(arguments.output)
    if len(results) < len(cases):
        return 130
    outcomes = {result.outcome for result in results}
    return int("failed" in outcomes or "passed" not in outcomes)


if __name__ == "__main__":
    sys.exit(main())
