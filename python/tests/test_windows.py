"""Content is read in windows, whatever holds it: memory and latency are those of a file."""

from __future__ import annotations

import io
import itertools
import json
import os
import subprocess
import sys
import tracemalloc
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import LIST

#: The peak of the memory that is used, from a moment on.
PEAK = """
import re, sys

def begin():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return peak()

def peak():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmHWM:\\s*(\\d+) kB", file.read())[1]) << 10
"""

PROGRAM = PEAK + """
import resourcesync as rs

head = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">'
entry = b'<url><loc>http://example.com/a/resource/with/a/name/000001</loc><rs:md length="8876" type="text/html"/></url>\\n'
content = b"".join([head, entry * (137_000_000 // len(entry)), b"</urlset>"])
rs.read(head + entry + b"</urlset>")
source = eval(sys.argv[1])
before = begin()
entries = rs.iter_entries(source)
assert next(entries).length == 8876
print((peak() - before) >> 20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("source", ["content", "memoryview(content)", "iter([content])", "__import__('io').BytesIO(content)"])
def test_the_first_entry_of_137_mb_needs_less_than_32_mib(source: str) -> None:
    told = subprocess.run([sys.executable, "-c", PROGRAM, source], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 32


def big(count: int) -> bytes:
    start, _, rest = LIST.partition(b"  <url>")
    entry = b"<url><loc>http://example.com/1</loc></url>\n"
    return start + entry * count + b"</urlset>" if rest else b""


def allocated(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_findings_are_created_when_they_are_accessed() -> None:
    start, _, _ = LIST.partition(b"  <url>")
    entry = b'<url><loc>http://example.com/%d</loc><rs:md length="x"/></url>\n'
    content = start + b"".join(entry % number for number in range(5_000)) + b"</urlset>"
    report = rs.validate(content, max_per_rule=0)
    found: list[rs.Diagnostic] = []

    def access() -> None:
        found.append(report.diagnostics[-1])
        found.extend(report.diagnostics[10:20])
        assert len(report.diagnostics) == 5_000 and sum(1 for each in report.diagnostics if each.code == found[0].code) == 5_000

    # 50,000 objects were 405 MiB.
    assert allocated(access) < 200_000 < len(report.to_json())
    assert report.summary.errors == 5_000
    assert found[0].entry == rs.Place(5_000, "http://example.com/4999") and found[1] in report.diagnostics
    assert report.diagnostics == tuple(report.diagnostics) and rs.Report(report.to_json()).diagnostics == report.diagnostics


def test_only_a_report_is_one() -> None:
    report = rs.validate(b"<urlset>", name="[\"}]\\.xml")
    spaced = json.dumps(json.loads(report.to_json()), indent=2).encode()
    assert rs.Report(spaced).diagnostics == report.diagnostics
    whole = json.loads(report.to_json())
    whole["diagnostics"][1].pop("code")
    for wrong in (b"", b"[]", b"{}", b'{"diagnostics": []}', b'{"diagnostics": [', b'{"diagnostics": {}}', spaced[:-1], spaced[:-40], json.dumps(whole).encode()):
        with pytest.raises(rs.ConfigError, match="report"):
            rs.Report(wrong)


def endless() -> Iterator[bytes]:
    """A document that is not one from the start on."""
    yield b"<urlset"
    for _ in range(1000):
        yield b"<" * 1000
    raise AssertionError("it was read although nothing more could change")


def test_a_source_is_read_until_the_rest_would_change_nothing() -> None:
    report = rs.validate(endless())
    assert report.verdict == "invalid"
    assert [each.code for each in rs.iter_diagnostics(endless())] == [each.code for each in report.diagnostics]
    assert rs.validate(b"".join(itertools.islice(endless(), 100))).groups == report.groups
    limited = rs.validate(itertools.chain([LIST.partition(b"</urlset>")[0]], itertools.repeat(b"<!-- more -->" * 100)), limits={"document_bytes": 100_000})
    assert [each.code for each in limited] == ["LIM-01"]


def as_pieces(content: bytes) -> Iterator[bytes]:
    return iter([content])


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, as_pieces])
def test_no_verb_copies_what_it_is_given(wrap: Callable[[bytes], Any]) -> None:
    content = big(200_000)
    limits = {"entries": 1_000_000}
    assert len(content) > 8_000_000
    source = wrap(content)
    assert allocated(lambda: sum(1 for _ in rs.iter_entries(source, limits=limits))) < 3_000_000
    source = wrap(content)
    assert allocated(lambda: rs.validate(source, limits=limits, ignore=["derived"])) < 3_000_000


def test_views_of_other_items_and_with_gaps_are_their_bytes() -> None:
    spaced = bytes(byte for each in LIST for byte in (each, 0))
    for source in (memoryview(spaced)[::2], memoryview(array("B", LIST)), memoryview(LIST)):
        assert rs.read(source) == rs.read(LIST) and rs.validate(source).to_json() == rs.validate(LIST).to_json()
    wide = memoryview(array("H", LIST + b"\n" * (len(LIST) % 2)))
    assert rs.validate(wide).is_valid


class Slow(io.RawIOBase):
    """A file whose read() returns a bytearray, as some libraries do."""

    def __init__(self, content: bytes) -> None:
        self._inner = io.BytesIO(content)

    def read(self, size: int = -1, /) -> Any:
        return bytearray(self._inner.read(size))

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()


@pytest.fixture
def package(tmp_path: Path) -> bytes:
    members = [(rs.Bitstream("http://example.com/1", "/1.txt", "text/plain"), b"one")]
    rs.create_package(tmp_path / "p.zip", members, up="http://example.com/c.xml", at="2024-05-01T00:00:00Z")
    return (tmp_path / "p.zip").read_bytes()


def test_every_verb_reads_files_that_return_bytearrays(package: bytes) -> None:
    assert rs.validate(Slow(LIST)).is_valid and rs.read(Slow(LIST)) == rs.read(LIST)
    assert len(list(rs.iter_entries(Slow(LIST)))) == 2 and list(rs.iter_diagnostics(Slow(LIST))) == []
    assert rs.verify_package(Slow(package)).is_valid
    with rs.open_package(Slow(package)) as opened:
        assert [member.read() for member in opened] == [b"one"]
    text: Any = io.StringIO("x")
    with pytest.raises(TypeError, match="opened for text"):
        rs.validate(text)
    with pytest.raises(TypeError, match="opened for text"):
        rs.read(text)
    with pytest.raises(TypeError, match="opened for text"):
        next(rs.iter_entries(text))


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_every_verb_reads_names_that_are_not_utf_8(tmp_path: Path, package: bytes) -> None:
    folder = os.fsencode(tmp_path)
    document, archive = os.fsdecode(folder + b"/\xff.xml"), os.fsdecode(folder + b"/\xfe.zip")
    Path(document).write_bytes(LIST.replace(b"</urlset>", b""))
    Path(archive).write_bytes(package)
    shown = f"{tmp_path}/\N{REPLACEMENT CHARACTER}.xml"
    assert rs.validate(document).inputs[0].name == shown
    assert [found.code for found in rs.iter_diagnostics(document)] == ["GEN-01"]
    with pytest.raises(rs.DocumentError):
        rs.read(document)
    assert rs.verify_package(archive).inputs[0].name.endswith("\N{REPLACEMENT CHARACTER}.zip")
    with rs.open_package(archive) as opened:
        assert opened.report.is_valid
    with open(document, "rb") as file:
        assert rs.validate(file).inputs[0].name == shown
    copy = os.fsdecode(folder + b"/\xfd.xml")
    rs.read(LIST).write(copy)
    assert rs.read(copy) == rs.read(LIST)


def test_a_file_is_written_without_touching_the_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0o027)
    try:

        def umask(mask: int) -> int:
            raise AssertionError("the umask belongs to the whole process")

        monkeypatch.setattr(os, "umask", umask)
        rs.read(LIST).write(tmp_path / "new.xml")
        (tmp_path / "old.xml").touch(0o600)
        rs.read(LIST).write(tmp_path / "old.xml")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert (tmp_path / "new.xml").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "old.xml").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.xml", "old.xml"]


def listed(count: int, length: int = 1) -> bytes:
    start, _, _ = LIST.partition(b"  <url>")
    digest = "854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784"
    entries = (
        f'<url><loc>http://example.com/resource/{n:07}</loc><lastmod>2024-04-30T00:00:00Z</lastmod>'
        f'<rs:md hash="sha-256:{digest}" length="{length}" type="text/html"/></url>\n'
        for n in range(count)
    )
    return start + "".join(entries).encode() + b"</urlset>"


MEMORY = PEAK + """
sys.path.insert(0, sys.argv[1])
from test_windows import listed
import resourcesync as rs

content = listed(200_000)
rs.read(listed(1))
before = begin()
document = rs.read(content, limits={"entries": 1_000_000})
print((peak() - before) // len(document))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_document_takes_at_most_500_bytes_an_entry() -> None:
    told = subprocess.run([sys.executable, "-c", MEMORY, str(Path(__file__).parent)], capture_output=True, text=True, check=True)
    assert int(told.stdout) <= 500


def calls(work: Callable[[], object]) -> int:
    """The number of Python functions that are called."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_lists_are_compared_without_work_in_python_for_each_entry() -> None:
    content, other = listed(5_000), listed(5_001, 2)
    old, new = rs.read(content), rs.read(content)
    assert list(rs.diff([], [])) == []
    assert calls(lambda: list(rs.diff(old, new))) < 10
    # A generator is called for each entry; nothing else is.
    assert calls(lambda: list(rs.diff(rs.iter_entries(content), rs.iter_entries(content)))) < 11_000
    found = list(rs.diff(old, rs.iter_entries(other)))
    assert len(found) == 5_001 and {each.change for each in found[:-1]} == {"updated"} and found[-1].change == "created"
    assert found[0].old is not None and found[0].old.length == 1 and found[0].new is not None and found[0].new.length == 2


def test_entries_of_a_manifest_are_compared() -> None:
    manifest = rs.ResourceDumpManifest("http://example.com/c.xml", "2024-05-01T00:00:00Z")
    manifest.push(rs.Bitstream("http://example.com/1", "/res/1", "text/html", length=5))
    (found,) = rs.diff([], rs.read(manifest.to_bytes()))
    assert found.new == rs.Resource("http://example.com/1", type="text/html", length=5)


def chunks(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


def test_any_window_gives_the_same(package: bytes) -> None:
    for size in (1, 7, 1 << 20):
        assert rs.validate(chunks(LIST, size)).to_json() == rs.validate(LIST).to_json()
