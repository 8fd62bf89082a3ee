"""The runner of the conformance suite, with implementations that misbehave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

RUNNER = Path(__file__).resolve().parents[2] / "conformance/run.py"
CASES: list[dict[str, Any]] = [
    {"name": "doc/A-01/one", "title": "one", "type": "document", "file": "one.xml", "verdict": "invalid", "must": {"A-01": 2}},
    {"name": "doc/B-01/two", "title": "two", "type": "document", "file": "one.xml", "expect": "sitemap", "verdict": "valid", "must": {}},
    {"name": "doc/LIM-01/three", "title": "three", "type": "document", "file": "one.xml", "verdict": "valid", "must": {}, "limits": ["LIM-01"]},
    {
        "name": "set/four",
        "title": "four",
        "type": "source",
        "start": ["http://example.com/"],
        "responses": {"http://example.com/%61": {"status": 200, "headers": [], "file": "one.xml"}},
        "verdict": "invalid",
        "must": {"C-01": 1},
    },
]
SUITE: dict[str, Any] = {
    "format": "resourcesync-conformance",
    "formatVersion": 1,
    "version": "0",
    "limits": {"LIM-01": []},
    "requirements": {"C-01": {"derived": True, "severity": "error", "what": "", "why": ""}},
    "cases": CASES,
}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the implementations are shell scripts")


def run(folder: Path, script: str, *options: str, **environment: str) -> tuple[int, str, dict[str, Any]]:
    """The status, what was printed, and the results."""
    (folder / "one.xml").write_text("<urlset/>")
    (folder / "cases.json").write_text(json.dumps(SUITE))
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    results = folder / "results.json"
    results.unlink(missing_ok=True)
    command = [sys.executable, str(RUNNER), "--output", str(results), *options, ".", "--", str(program)]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment})
    return answer.returncode, answer.stdout + answer.stderr, json.loads(results.read_text()) if results.exists() else {}


def test_what_passes_and_what_is_left_out(tmp_path: Path) -> None:
    right = 'if [ "$RESOURCESYNC_EXPECT" ]; then echo valid; else echo invalid; echo "A-01 x2"; fi'
    status, text, results = run(tmp_path, right, "--codes", "--type", "document", RESOURCESYNC_EXPECT="change-list")
    assert (status, results["leftOut"]) == (0, 2), text
    assert results["counts"]["document"] == {"passed": 2, "failed": 0, "unsupported": 0}
    assert results["selection"] == {"only": "", "type": "document", "every": 1, "limits": [], "without": []}
    assert "left out: 2 of 4 cases" in text
    status, text, _ = run(tmp_path, "echo valid", "--without", "A-01,derived", "--limits", "LIM-01")
    assert status == 0 and "left out: 2 of 4" in text
    assert run(tmp_path, "echo unsupported")[0] == 1, "nothing passed"


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("exec sleep 60", "it takes more than 1 seconds"),
        ("(sleep 61; echo invalid) & wait", "it takes more than 1 seconds"),
        ("echo why >&2; exit 3", "exit status 3\n    why"),
        ("echo why >&2; echo valid", "the verdict is valid, not invalid\n    why"),
        ("echo", "`` is no verdict"),
        ("echo invalid; echo valid", "there are several verdicts"),
        ("echo invalid; echo A-01 x0", "`A-01 x0` is neither a code nor a code with a number"),
        ("echo invalid; echo A-01 x3; echo A-01 x-1", "`A-01 x-1` is neither"),
        ("exec head -c 5000000 /dev/zero", "it prints more than 1048576 bytes"),
        ("kill -9 $$", "exit status -9"),
    ],
)
def test_a_program_that_misbehaves_fails_its_case(tmp_path: Path, script: str, problem: str) -> None:
    status, text, results = run(tmp_path, script, "--codes", "--only", "A-01", "--seconds", "1")
    assert status == 1 and problem in text, text
    assert results["counts"]["document"]["failed"] == 1


def test_what_a_program_leaves_running_is_ended(tmp_path: Path) -> None:
    started = time.monotonic()
    status, text, _ = run(tmp_path, "echo invalid; echo A-01 x2; sleep 50 & echo $! >child", "--codes", "--only", "A-01")
    assert status == 0 and time.monotonic() - started < 20, text
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or "State:\tZ" in Path(f"/proc/{child}/status").read_text():
            return
        time.sleep(0.05)
    pytest.fail("it still runs")


def test_a_source_is_served_at_its_own_uris_only(tmp_path: Path) -> None:
    script = f"""exec {sys.executable} - <<'END'
import os, urllib.request, urllib.error
assert not {{"no_proxy", "NO_PROXY", "HTTP_PROXY"}} & set(os.environ)
def status(uri):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({{"http": os.environ["http_proxy"]}}))
    try:
        return opener.open(uri).status
    except urllib.error.HTTPError as error:
        return error.code
found = [status("http://example.com" + path) for path in ("/a", ":80/a", ":81/a", "/%2Fa", "/b")]
print("invalid" if found == [200, 200, 404, 404, 404] else found)
print("C-01")
END"""
    status, text, _ = run(tmp_path, script, "--codes", "--type", "source", NO_PROXY="example.com", HTTP_PROXY="http://127.0.0.1:1")
    assert status == 0, text


def test_a_run_that_cannot_begin_says_why(tmp_path: Path) -> None:
    for options, why in [
        (["--limits", "LIM-99"], "no case needs LIM-99"),
        (["--jobs", "0"], "--jobs"),
        (["--only", "nothing"], "there are no such cases"),
        (["--output", str(tmp_path / "missing/results")], "missing"),
    ]:
        status, text, _ = run(tmp_path, "echo valid", *options)
        assert status == 2 and why in text and "Traceback" not in text, text
    answer = subprocess.run([sys.executable, str(RUNNER), str(tmp_path), "--", "no-such-program"], capture_output=True, text=True, check=False)
    assert answer.returncode == 2 and "no-such-program is not a program" in answer.stderr
