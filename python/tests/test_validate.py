"""Validating: every source, every option, every format, Ctrl-C."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
import resourcesync
from conftest import BROKEN, LIST
from resourcesync import ConfigError, InputError, Progress, Report, _core


def test_every_source_gives_the_same_report(here: Path) -> None:
    path = here / "list.xml"
    path.write_bytes(BROKEN)
    wanted = resourcesync.validate("list.xml").to_json()
    assert resourcesync.validate(Path("list.xml")).to_json() == wanted
    for source in (BROKEN, bytearray(BROKEN), memoryview(BROKEN), [BROKEN[:100], BROKEN[100:]], io.BytesIO(BROKEN)):
        assert resourcesync.validate(source, name="list.xml").to_json() == wanted
    with open("list.xml", "rb") as file:
        assert resourcesync.validate(file).to_json() == wanted


def test_the_command_writes_the_same_bytes(here: Path) -> None:
    (here / "list.xml").write_bytes(BROKEN)
    command = [sys.executable, "-m", "resourcesync", "validate", "--format", "json", "list.xml"]
    told = subprocess.run(command, capture_output=True, check=False)
    assert told.returncode == 1
    assert told.stdout == resourcesync.validate("list.xml").to_json()


def test_a_folder_is_validated_as_the_command_does(here: Path) -> None:
    (here / "broken.xml").write_bytes(BROKEN)
    (here / "other.xml").write_text("<html/>")
    report = resourcesync.validate(".")
    assert [(each.name, each.verdict) for each in report.inputs] == [
        ("./broken.xml", "invalid"),
        ("./resourcelist.xml", "valid"),
    ]
    assert [each.name for each in report.skipped] == ["./other.xml"]
    with pytest.raises(ConfigError, match="folder"):
        resourcesync.validate(".", name="list.xml")


def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "resourcesync", "validate", *arguments], capture_output=True, check=False)


def test_several_paths_make_one_report(here: Path) -> None:
    (here / "broken.xml").write_bytes(BROKEN)
    (here / "folder").mkdir()
    (here / "folder" / "list.xml").write_bytes(LIST)
    report = resourcesync.validate_all(["resourcelist.xml", Path("broken.xml"), "folder"])
    told = command("--format", "json", "resourcelist.xml", "broken.xml", "folder")
    assert report.to_json() == told.stdout and told.returncode == 1
    assert [(each.name, each.verdict) for each in report.inputs] == [
        ("resourcelist.xml", "valid"),
        ("broken.xml", "invalid"),
        ("folder/list.xml", "valid"),
    ]
    wrongs: tuple[object, ...] = ("resourcelist.xml", Path("resourcelist.xml"), [])
    for wrong in wrongs:
        with pytest.raises(ConfigError, match="paths"):
            resourcesync.validate_all(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="missing.xml"):
        resourcesync.validate_all(["resourcelist.xml", "missing.xml"])
    with pytest.raises(TypeError, match="validate_all"):
        resourcesync.validate(["resourcelist.xml"])  # type: ignore[list-item]


def test_only_what_a_baseline_does_not_have_counts(here: Path) -> None:
    (here / "list.xml").write_bytes(BROKEN)
    before = resourcesync.validate("list.xml", max_per_rule=0)
    (here / "before.json").write_bytes(before.to_json())
    assert resourcesync.validate("list.xml", baseline=before).is_valid
    worse = BROKEN.replace(b"<url>", b"<!-- moved -->\n<url>", 1).replace(b'length="14599"', b'length="much"')
    (here / "list.xml").write_bytes(worse)
    report = resourcesync.validate("list.xml", baseline=Report((here / "before.json").read_bytes()))
    assert [finding.path for finding in report] == ["/urlset/url[2]/rs:md/@length"] and report.summary.suppressed == 1
    assert report.to_json() == command("--format", "json", "--baseline", "before.json", "list.xml").stdout
    assert report == resourcesync.validate_all(["list.xml"], baseline=before)
    assert report == resourcesync.validate("list.xml", max_per_rule=0).without(before)
    many = resourcesync.validate(LIST.replace(b"length=", b"lengt="), max_per_rule=1)
    with pytest.raises(ConfigError, match="max-per-rule 0"):
        many.without(before)


def test_the_report_is_typed() -> None:
    report = resourcesync.validate(BROKEN, name="list.xml", uri="http://example.com/list.xml")
    assert (report.verdict, report.is_valid, report.run.status) == ("invalid", False, "completed")
    assert (report.summary.errors, report.summary.entries) == (1, 2)
    (finding,) = report
    assert (finding.code, finding.rule, finding.level, finding.derived) == ("RL-03", "missing-at", "MUST", False)
    assert finding.span is not None and finding.span.start.line == 4
    assert finding.excerpt is not None and finding.excerpt.highlight[0] < finding.excerpt.highlight[1]
    assert report.inputs[0].uri == "http://example.com/list.xml"
    with pytest.raises(AttributeError):
        finding.code = "RL-04"  # type: ignore[misc]


def test_a_report_has_a_method_for_each_format() -> None:
    methods = {name.removeprefix("to_") for name in dir(Report) if name.startswith("to_")}
    assert methods == {*_core.FORMATS, "dict"}
    report = resourcesync.validate(BROKEN, name="list.xml")
    written = {name: getattr(report, f"to_{name}")() for name in _core.FORMATS}
    assert all("RL-03" in (text.decode() if isinstance(text, bytes) else text) for text in written.values())


def test_every_format_is_written() -> None:
    report = resourcesync.validate(BROKEN, name="list.xml", lang="ja")
    assert "リソースリスト" in report.to_text() and "Resource List" in report.to_text(lang="en")
    assert "\x1b[" in report.to_text(color=True)
    assert "リソースリスト" in report.to_markdown() and "<html" in report.to_html(lang="en")
    assert json.loads(report.to_sarif())["version"] == "2.1.0"
    assert report.to_junit().startswith("<?xml") and "::error" in report.to_github()
    assert all(json.loads(line) for line in report.to_ndjson().splitlines())
    assert "RL-03" in report.to_csv()
    assert "ルート要素" in report.to_csv(lang="ja")
    assert report.to_dict() == json.loads(report.to_json())


def test_a_finding_has_its_words_in_each_language() -> None:
    report = resourcesync.validate(BROKEN, name="list.xml", lang="ja")
    (finding,) = report.diagnostics
    assert finding.message_in("en") == finding.message and finding.help_in("en") == finding.help
    assert "リソースリスト" in finding.message_in("ja") and finding.message_in("ja") in report.to_text()
    assert finding.help_in("ja") in report.to_text() and finding.help_in("ja") != finding.help
    assert finding.message_in("ja") in report._repr_html_()
    (row,) = report.to_dict(lang="ja")["diagnostics"]
    assert (row["message"], row["help"]) == (finding.message_in("ja"), finding.help_in("ja"))
    assert report.to_dict()["diagnostics"][0]["message"] == finding.message
    unread = resourcesync.crawl("https://example.com/list.xml", lambda request: resourcesync.Response(status=500))
    (found,) = (each for each in unread.diagnostics if each.cause is not None)
    assert found.cause is not None and found.cause.message_in("ja") in found.message_in("ja")
    assert found.cause.message_in("en") in found.message
    rows = unread.to_dict(lang="ja")
    reasons = [each["reason"] for each in (*rows["inputs"], *rows.get("skipped", ())) if "cause" in each]
    assert all(not reason.isascii() for reason in reasons)
    other: Any = "fr"
    with pytest.raises(ConfigError, match="lang"):
        finding.message_in(other)
    newer = dataclasses.replace(finding, code="RL-99")
    assert newer.message_in("ja") == finding.message


def test_a_code_is_explained_in_words() -> None:
    langs: tuple[Literal["en", "ja"], ...] = ("en", "ja")
    for lang in langs:
        command = [sys.executable, "-m", "resourcesync", "explain", "RL-03", "--lang", lang]
        told = subprocess.run(command, capture_output=True, check=True).stdout.decode()
        assert resourcesync.explanation("RL-03", lang=lang) == told
        assert resourcesync.explanation("RL-03", lang=lang, format="markdown").startswith("#")
    with pytest.raises(ConfigError, match="did you mean"):
        resourcesync.explanation("missing-att")


def once() -> list[Any]:
    """Sources that were read before."""
    file, generator = io.BytesIO(BROKEN), (piece for piece in [BROKEN])
    file.read()
    list(generator)
    pipe, end = os.pipe()
    os.close(end)
    return [file, generator, os.fdopen(pipe, "rb")]


def table(source: Any) -> Any:
    pytest.importorskip("pyarrow")
    return resourcesync.to_arrow(source).read_all()


def every(verb: Callable[[Any], Iterable[object]]) -> Callable[[Any], object]:
    return lambda source: list(verb(source))


READERS: dict[str, Callable[[Any], object]] = {
    "validate": resourcesync.validate,
    "is_valid": resourcesync.is_valid,
    "read": resourcesync.read,
    "iter_entries": every(resourcesync.iter_entries),
    "iter_diagnostics": every(resourcesync.iter_diagnostics),
    "to_arrow": table,
}


@pytest.mark.parametrize("name", READERS)
def test_a_source_that_was_read_before_is_not_an_empty_document(name: str) -> None:
    for source in once():
        with pytest.raises(InputError, match="the source was empty: was it read before"):
            READERS[name](source)


@pytest.mark.parametrize("verb", [resourcesync.verify_package, resourcesync.open_package])
def test_a_package_that_was_read_before_is_not_an_empty_one(verb: Callable[[Any], object]) -> None:
    with pytest.raises(InputError, match="was it read before"):
        verb(once()[0])


def test_what_is_known_to_be_empty_is_an_empty_document(here: Path) -> None:
    (here / "empty.xml").write_bytes(b"")
    empty: list[bytes] = []
    for source in (b"", bytearray(), io.BytesIO(), empty, [b""], "empty.xml"):
        assert resourcesync.validate(source).verdict == "invalid"
    with open("empty.xml", "rb") as file:
        assert resourcesync.validate(file).verdict == "invalid"


def test_a_path_as_bytes_and_a_document_as_text_are_named() -> None:
    for place in (b"resourcelist.xml", b"./public", b"https://example.com/list", b"C:\\list.xml.gz", b"/srv/part1.zip"):
        for verb in (resourcesync.validate, resourcesync.read):
            with pytest.raises(ConfigError, match="bytes are the document itself"):
                verb(place)
    for text in (LIST.decode(), "\ufeff<urlset/>", "<urlset/>\0"):
        with pytest.raises(ConfigError, match="a str is a path, and this is a document"):
            resourcesync.validate(text)
    for content in (b"{}", b"no tag in here", b"two lines\nx.xml", b"<a>x.xml"):
        assert resourcesync.validate(content).verdict == "invalid"


def test_a_report_can_be_kept_and_read_again() -> None:
    report = resourcesync.validate(BROKEN, name="list.xml")
    assert Report(report.to_json()) == report == pickle.loads(pickle.dumps(report))
    assert len({report, Report(report.to_json())}) == 1
    for other in (b"{}", b"[]", b"", b'{"format": "resourcesync-report", "formatVersion": 2}'):
        with pytest.raises(ConfigError):
            Report(other)


def test_raising_is_asked_for() -> None:
    resourcesync.validate(LIST).raise_for_errors()
    with pytest.raises(resourcesync.InvalidReportError, match="RL-03") as raised:
        resourcesync.validate(BROKEN).raise_for_errors()
    assert raised.value.report.summary.errors == 1


def test_findings_can_be_selected_and_weighed() -> None:
    assert resourcesync.validate(BROKEN, ignore=["RL"]).is_valid
    assert resourcesync.validate(BROKEN, select=["AT"]).summary.suppressed == 1
    assert resourcesync.validate(BROKEN, severity={"missing-at": "warning"}).summary.warnings == 1
    assert resourcesync.validate(LIST, expect="change-list").verdict == "invalid"
    assert resourcesync.validate(LIST, limits={"entries": 1}).verdict == "undetermined"
    assert resourcesync.is_valid(LIST) and not resourcesync.is_valid(BROKEN)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"select": "RL"}, "list of codes"),
        ({"select": ["RL-0"]}, "RL-0"),
        ({"expect": "list"}, "unknown kind `list`"),
        ({"profile": "lax"}, "not standard, strict or search-engines"),
        ({"lang": "fr"}, "not en or ja"),
        ({"severity": {"RL-03": "fatal"}}, "not error, warning or info"),
        ({"limits": {"dept": 1}}, "did you mean `depth`"),
        ({"limits": {"depth": -1}}, "negative"),
    ],
)
def test_a_wrong_option_is_named(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        resourcesync.validate(LIST, **given)  # type: ignore[arg-type]


def test_what_cannot_be_read_is_an_exception(here: Path) -> None:
    with pytest.raises(InputError) as raised:
        resourcesync.validate("missing.xml")
    assert isinstance(raised.value, OSError) and raised.value.filename == "missing.xml" and raised.value.errno == 2
    with pytest.raises(ConfigError, match="URL"):
        resourcesync.validate("https://example.com/resourcelist.xml")
    for wrong in (None, 3, ["text"], io.StringIO("text")):
        with pytest.raises(TypeError):
            resourcesync.validate(wrong)  # type: ignore[arg-type]


def test_an_exception_of_the_source_comes_out_of_the_call() -> None:
    def pieces() -> Iterator[bytes]:
        yield LIST[:50]
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        resourcesync.validate(pieces())


def test_findings_come_while_the_document_is_read() -> None:
    read: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number, piece in enumerate((BROKEN, b" " * 1000, b" ")):
            read.append(number)
            yield piece

    found = resourcesync.iter_diagnostics(pieces())
    assert next(found).code == "RL-03"
    assert read == [0]
    assert list(found) == []
    assert list(resourcesync.iter_diagnostics(BROKEN)) == list(resourcesync.validate(BROKEN))


def test_every_finding_comes_once() -> None:
    entries = b"".join(b"<url><rs:md length='x%d'/></url>" % number for number in range(3000))
    document = LIST.replace(b"</urlset>", entries + b"</urlset>")
    found = [str(finding) for finding in resourcesync.iter_diagnostics([document[:70000], document[70000:]])]
    assert sorted(found) == sorted(map(str, resourcesync.validate(document, max_per_rule=0)))
    assert len(found) >= 6000


def package(manifest: bytes = b"") -> bytes:
    manifest = manifest or LIST.replace(b"resourcelist", b"resourcedump-manifest").replace(b'pri="1"', b"")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("manifest.xml", manifest)
        archive.writestr("res1", "x" * 8876)
    return packed.getvalue()


def test_a_package_is_verified_wherever_it_is(here: Path) -> None:
    content = package()
    Path("part1.zip").write_bytes(content)
    wanted = resourcesync.validate("part1.zip").to_json()
    assert b"PKG" in wanted
    for check in (resourcesync.validate, resourcesync.verify_package):
        assert check("part1.zip").to_json() == wanted
        assert check(content, name="part1.zip").to_json() == wanted
        with open("part1.zip", "rb") as file:
            assert check(file).to_json() == wanted
    # A file is read from its current position.
    later = io.BytesIO(b"before" + content)
    later.seek(6)
    assert resourcesync.validate(later, name="part1.zip").to_json() == wanted


def test_a_package_that_cannot_seek_is_refused() -> None:
    with pytest.raises(ConfigError, match="seek"):
        resourcesync.verify_package(iter([package()]))
    assert resourcesync.verify_package(b"<urlset/>").inputs[0].kind == "package"


def test_progress_is_told_and_can_end_the_run() -> None:
    told: list[Progress] = []
    release = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield LIST
        # Long enough for progress to be reported for the next chunk.
        release.wait(0.2)
        yield b"<!-- more -->"

    resourcesync.validate(pieces(), progress=told.append)
    assert told and told[-1].bytes >= len(LIST) and told[-1].total == 0

    def stop(progress: Progress) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        resourcesync.validate(pieces(), progress=stop)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_ends_a_validation_that_waits(here: Path) -> None:
    os.mkfifo("silent.xml")
    # The parent process may ignore SIGINT, as shells do for background jobs; then Python has no handler.
    code = "import resourcesync, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code += "; print('ready', flush=True); resourcesync.validate('silent.xml')"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and process.returncode != 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_ends_the_command_with_a_report(here: Path) -> None:
    os.mkfifo("silent.xml")
    command = [sys.executable, "-m", "resourcesync", "validate", "silent.xml"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Once the pipe is opened for writing, the command is reading it.
    with open("silent.xml", "wb"):
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 2 and "INP-04" in output and "Traceback" not in errors


def test_threads_give_the_same_report(here: Path) -> None:
    wanted = resourcesync.validate("resourcelist.xml").to_json()
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.extend(resourcesync.validate("resourcelist.xml").to_json() for _ in range(50)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 200


def test_the_command_is_there() -> None:
    told = subprocess.run([sys.executable, "-m", "resourcesync", "explain", "RL-03"], capture_output=True, text=True, check=False)
    assert told.returncode == 0 and "missing-at" in told.stdout


def test_codes_are_explained() -> None:
    (rule,) = resourcesync.explain("RL-03")
    assert rule.rule == "missing-at" and rule.wrong and rule.right and rule.section
    assert len(resourcesync.explain("missing-at")) > 1
    assert resourcesync.explain("RL-03", lang="ja")[0].what != rule.what
    assert len(resourcesync.rules()) > 300 and {each.code[:3] for each in resourcesync.rules(["RL"])} == {"RL-"}
    with pytest.raises(ConfigError, match="did you mean"):
        resourcesync.explain("missing-att")
    with pytest.raises(ConfigError, match="many codes"):
        resourcesync.explain("RL")
    with pytest.raises(ConfigError, match="list of codes"):
        resourcesync.rules("RL")
    with pytest.raises(ConfigError, match="not en or ja"):
        resourcesync.rules(lang="fr")  # type: ignore[arg-type]


def test_merged_reports_are_the_report_of_one_run(here: Path) -> None:
    for name, content in (("a.xml", BROKEN), ("b.xml", LIST), ("c.xml", BROKEN)):
        (here / name).write_bytes(content)
    whole = resourcesync.validate_all(["a.xml", "b.xml", "c.xml"], profile="strict", ignore=["ADV"], limits={"depth": 9})
    first, *rest = (resourcesync.validate(name, profile="strict", ignore=["ADV"], limits={"depth": 9}) for name in ("a.xml", "b.xml", "c.xml"))
    assert resourcesync.merge([first, *rest]).to_json() == whole.to_json()
    assert resourcesync.merge(each for each in (first, resourcesync.merge(rest))).to_json() == whole.to_json()
    assert "エラー" in resourcesync.merge([first], lang="ja").to_text()
    options = whole.run.options
    assert options is not None and (options.ignore, options.limits, options.select, options.max_per_rule) == (["ADV"], ["depth=9"], (), None)
    assert resourcesync.validate("b.xml").run.options is None
    every = resourcesync.validate("a.xml", max_per_rule=0)
    assert every.without(every).run.baseline and not every.run.baseline


@pytest.mark.parametrize(("others", "words"), [({"max_per_rule": 1}, "its max-per-rule differs"), ({"profile": "strict"}, "its profile differs")])
def test_reports_that_no_run_could_have_together_are_not_merged(others: dict[str, Any], words: str) -> None:
    reports = [resourcesync.validate(LIST, name="a.xml"), resourcesync.validate(LIST, name="b.xml", **others)]
    with pytest.raises(ConfigError, match=f"report 2 cannot be merged: {words}"):
        resourcesync.merge(reports)
    with pytest.raises(ConfigError, match="there is no report to merge"):
        resourcesync.merge([])
    with pytest.raises(ConfigError, match="lang"):
        resourcesync.merge(reports[:1], lang="fr")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
