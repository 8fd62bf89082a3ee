"""A folder is kept in step with a Source on a local server."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
import resourcesync as rs
from conftest import FAST, ROOT, Site
from resourcesync import _core


def held(copy: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in copy.rglob("*") if path.is_file() and ".resourcesync" not in path.parts}


def test_a_copy_follows_its_source(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    files = {f"{number}.txt": b"one" * number for number in range(1, 6)}
    site.publish(files)
    seen: list[rs.SyncItem] = []
    report = rs.sync(site.uri, copy, limits=FAST, on_item=seen.append)
    assert report.outcome == "in-step" and report.in_step and held(copy) == files
    assert (report.counts.created, report.verified.digest, report.held.resources, report.number) == (5, 5, 5, 1)
    assert report.bytes == report.held.bytes == sum(map(len, files.values()))
    assert {(item.action, item.result) for item in seen} == {("create", "done")} and set(seen) == set(report.items)
    assert report.plan is not None and report.plan.why == "first-run"
    assert {document.kind for document in report.documents} >= {"capability-list", "resource-list"}

    files["1.txt"], files["6.txt"] = b"changed", b"six"
    del files["2.txt"]
    site.publish(files)
    plan = rs.sync(None, copy, limits=FAST, dry_run=True)
    assert plan.dry_run and held(copy) != files
    report = rs.sync(None, copy, limits=FAST)
    assert report.in_step and held(copy) == files
    assert (report.counts.created, report.counts.updated, report.counts.deleted) == (1, 1, 1)
    assert report.plan is not None and (report.plan.kind, report.plan.why) == ("changes", "open-list-continues")
    again = rs.sync(site.uri, copy, limits=FAST)
    assert again.in_step and again.counts.unchanged == 5 and again.bytes == 0
    assert again.to_dict()["format"] == "resourcesync-sync-report" and json.loads(again.to_json()) == again.to_dict()


def test_an_audit_finds_what_was_changed_here(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    site.publish({"1.txt": b"one", "2.txt": b"two", "3.txt": b"three"})
    assert rs.sync(site.uri, copy, limits=FAST).in_step
    whole = rs.audit(copy, limits=FAST)
    assert whole.is_equal and whole.online and (whole.outcome, whole.equal) == ("equal", 3)
    assert rs.audit(copy, offline=True).is_equal and rs.audit(copy, offline=True, quick=True).equal == 3
    paths = {path.name: path for path in copy.rglob("*.txt")}
    paths["1.txt"].write_bytes(b"eno")
    paths["2.txt"].unlink()
    (copy / "of-others.txt").write_bytes(b"")
    found = rs.audit(copy, offline=True, foreign=True, progress=lambda progress: None)
    assert not found.is_equal and found.equal == 1 and found.source == site.uri and not found.online
    assert (found.counts.damaged, found.counts.missing, found.foreign) == (1, 1, ("of-others.txt",))
    assert json.loads(found.to_json())["format"] == "resourcesync-audit-report"
    assert {(Path(each.path or "").name, each.sign) for each in found.differences} == {("1.txt", "damaged"), ("2.txt", "missing")}
    assert rs.sync(None, copy, limits=FAST, full=True).in_step and rs.audit(copy, limits=FAST).is_equal
    # What changed at the Source is another thing than what was changed here.
    site.publish({"1.txt": b"two", "2.txt": b"two", "4.txt": b"four"})
    found = rs.audit(copy, site.uri, limits=FAST)
    assert {(each.uri[-5:], each.sign) for each in found.differences} == {("1.txt", "behind"), ("3.txt", "extra"), ("4.txt", "missing")}
    (behind,) = [each for each in found.differences if each.sign == "behind"]
    assert behind.expected is not None and behind.expected.hash is not None
    with pytest.raises(rs.SyncError) as raised:
        rs.audit(copy, f"{site.base}other.xml")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), again.code, str(again)) == (rs.SyncError, raised.value.code, str(raised.value))
    assert raised.value.code == "other-source"


def test_what_fails_is_in_the_report_and_tried_again(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    site.publish({"1.txt": b"one", "2.txt": b"two"})
    wrong = site.folder / "files" / "2.txt"
    listed = wrong.stat().st_mtime_ns
    wrong.write_bytes(b"owt")
    # A later time would mean that it changed while it was fetched.
    os.utime(wrong, ns=(listed, listed))
    report = rs.sync(site.uri, copy, limits=FAST)
    assert report.outcome == "incomplete" and not report.in_step
    (failed,) = [item for item in report.items if item.result != "done"]
    assert (failed.uri, failed.code, failed.kept) == (f"{site.base}files/2.txt", "AT-09", False)
    assert failed.expected is not None and failed.actual is not None and failed.expected.hash != failed.actual.hash
    (site.folder / "files" / "2.txt").write_bytes(b"two")
    assert rs.sync(None, copy, limits=FAST).in_step


def test_guards_selection_and_options(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    files = {f"{number}.txt": b"x" for number in range(40)}
    site.publish(files)
    assert rs.sync(site.uri, copy, limits=FAST, exclude=["**/39.txt"], layout="portable").counts.skipped == 1
    site.publish({"1.txt": b"x"})
    report = rs.sync(None, copy, limits=FAST)
    assert report.outcome == "refused" and report.withheld == "too-many" and len(held(copy)) == 39
    assert [finding.code for finding in report.diagnostics] == ["SYN-01"] and "SYN-01" in str(report.diagnostics[0])
    (finding,) = report.diagnostics
    assert (finding.message_in("en"), finding.help_in("en")) == (finding.message, finding.help)
    assert finding.message_in("ja") != finding.message and finding.help_in("ja") != finding.help and "{" not in finding.message_in("ja")
    assert rs.sync(None, copy, limits=FAST, no_delete=True).counts.deleted == 0
    assert rs.sync(None, copy, limits=FAST, max_delete="100%").in_step and set(held(copy)) == {"1.txt"}
    with pytest.raises(rs.SyncError) as raised:
        rs.sync(None, copy, limits=FAST, layout="hash")
    assert raised.value.code == "other-layout" and "relayout=True" in str(raised.value)
    with pytest.raises(rs.SyncError) as raised:
        rs.sync(f"{site.base}other.xml", copy, limits=FAST)
    assert raised.value.code == "other-source"
    mapped = tmp_path / "mapped"
    assert rs.sync(site.uri, mapped, limits=FAST, place={f"{site.base}files/": "here"}, max_time=timedelta(minutes=1)).in_step
    assert (mapped / "here" / "1.txt").read_bytes() == b"x"


def test_misuse_is_an_error_at_once(tmp_path: Path) -> None:
    for call in (lambda: rs.sync(None, tmp_path), lambda: rs.audit(tmp_path)):
        with pytest.raises(rs.SyncError) as raised:
            call()
        assert raised.value.code == "not-a-copy" and isinstance(raised.value, OSError)
    with pytest.raises(rs.SyncError) as raised:
        rs.sync("file:///etc", tmp_path)
    assert raised.value.code == "http"
    start = "https://example.com/"
    for wrong, message in (
        ({"plan": "dumps"}, "plan: `dumps`"),
        ({"layout": "flat"}, "layout: `flat`"),
        ({"max_delete": "many"}, "max_delete: `many`"),
        ({"place": {"x": "y"}}, "place: `x`"),
        ({"limits": {"depht": 1}}, "depht"),
        ({"wait": -1}, "wait: -1"),
        ({"newer": "keep"}, "newer: `keep`"),
        ({"include": "*.txt"}, "include is a list"),
        ({"user_agent": "a\nb"}, "user_agent"),
        ({"header": {"https://example.com/path": {"X-Key": "1"}}}, "header"),
        ({"no_delete": True, "max_delete": 1}, "exclude each other"),
        ({"dry_run": True, "rebuild": True}, "exclude each other"),
    ):
        with pytest.raises(rs.ConfigError, match=message):
            rs.sync(start, tmp_path / "copy", **cast("dict[str, Any]", wrong))
    assert not (tmp_path / "copy").exists()


def test_every_option_of_a_run_is_a_keyword() -> None:
    declared = {name for name, _ in _core.sync_options()}
    keywords = rs.SyncOptions.__required_keys__ | rs.SyncOptions.__optional_keys__
    servers = {"limits", "allow_host", "header", "from_", "user_agent", "robots", "proxy", "ca_file"}
    assert declared == keywords - servers | {"dry_run"}


def test_an_exception_of_a_callback_ends_the_run_and_the_next_one_continues(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    files = {f"{number}.txt": b"x" * number for number in range(1, 30)}
    site.publish(files)

    def stop(item: rs.SyncItem) -> None:
        raise KeyError(item.uri)

    with pytest.raises(KeyError):
        rs.sync(site.uri, copy, limits=FAST, on_item=stop)
    told: list[rs.SyncProgress] = []
    assert rs.sync(site.uri, copy, limits=FAST, progress=told.append).in_step and held(copy) == files
    assert told and {each.phase for each in told} <= {"documents", "resources", "deleting"}


def test_the_rate_adapts_to_the_host_unless_it_is_set(site: Site, tmp_path: Path) -> None:
    files = {f"{number}.txt": b"%d" % number for number in range(300)}
    site.publish(files)
    # A local host has no limit; ten requests per second would take half a minute.
    within = timedelta(seconds=20)
    report = rs.sync(site.uri, tmp_path / "adapted", max_time=within)
    assert report.in_step and report.counts.created == 300
    report = rs.sync(site.uri, tmp_path / "set", max_time=timedelta(seconds=1), limits={"http_requests_per_second": 10})
    assert not report.in_step and report.counts.left > 0


INTERRUPTED = """
import signal, sys, resourcesync as rs
# Of a shell in the background, a process inherits that the signal is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    rs.sync(sys.argv[1], sys.argv[2], limits={"http_requests_per_second": 2}, progress=lambda progress: print(progress.phase, flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_ends_a_run(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    files = {f"{number}.txt": b"x" for number in range(200)}
    site.publish(files)
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, site.uri, str(copy)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    for line in child.stdout:
        if line == "resources\n":
            break
    os.kill(child.pid, signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert rest.endswith("interrupted\n") and child.returncode == 0
    assert 0 <= len(held(copy)) < 200
    assert rs.sync(site.uri, copy, limits=FAST).in_step and held(copy) == files


def test_other_threads_run_while_it_waits(site: Site, tmp_path: Path) -> None:
    # The server is a thread of this process: a run that held the interpreter would wait for itself.
    site.publish({"1.txt": b"one"})
    reports: list[rs.SyncReport] = []

    def run(name: str) -> None:
        reports.append(rs.sync(site.uri, tmp_path / name, limits=FAST))

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.outcome for report in reports] == ["in-step", "in-step"]


def test_the_schema_knows_all_of_the_report(site: Site, tmp_path: Path) -> None:
    schema = json.loads((ROOT / "docs" / "sync-report.schema.json").read_text("utf-8"))
    site.publish({"1.txt": b"one"})
    assert set(rs.sync(site.uri, tmp_path / "copy", limits=FAST).to_dict()) <= set(schema["properties"])
    assert {name for name in rs.SyncCounts.__dataclass_fields__} == set(schema["properties"]["counts"]["required"])
