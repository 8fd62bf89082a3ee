"""Packages: creating, opening, and verifying."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path, PurePosixPath

import pytest
import resourcesync as rs

UP = "http://example.com/capabilitylist.xml"
AT = "2024-05-01T00:00:00Z"
ONE = "http://example.com/1"
MD5_OF_ONE = {"md5": "f97c5d29941bfb1b2fdab0874906ab82"}


def make(target: Path) -> rs.PackageFacts:
    members: list[tuple[rs.Bitstream, rs.ByteSource]] = [
        (rs.Bitstream(ONE, PurePosixPath("/res/1.txt"), "text/plain", hashes=MD5_OF_ONE), b"one"),
        (rs.Bitstream("http://example.com/2", "/res/2.txt", "text/plain"), io.BytesIO(b"two" * 1_000_000)),
    ]
    return rs.create_package(target, members, up=UP, at=AT)


def test_a_package_is_made_and_opened(tmp_path: Path) -> None:
    path = tmp_path / "part1.zip"
    made = make(path)
    assert made.length == path.stat().st_size and rs.read(made.manifest).kind == "resource-dump-manifest"
    assert list(rs.validate(path)) == []
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None and archive.read("res/1.txt") == b"one"
    # The manifest lists the length, so the 3 MB of three letters are read although they are 3 KB in the package.
    with rs.open_package(path) as package:
        assert package.report.is_valid and package.kind == "resource-dump-manifest"
        first, second = package
        assert (first.uri, first.path, first.state, first.size) == (ONE, PurePosixPath("/res/1.txt"), "verified", 3)
        assert "md5" in first.checked and first.resources[0].type == "text/plain"
        assert first.read() == b"one" == package["/res/1.txt"].read()
        with second.open() as file:
            assert file.read() == b"two" * 1_000_000
        second.save(tmp_path / "2.txt")
        assert (tmp_path / "2.txt").stat().st_size == 3_000_000
        assert b"resourcesync-package" in package.to_json()
        with pytest.raises(KeyError):
            package["missing"]
    with pytest.raises(rs.ConfigError, match="closed"):
        first.read()


def test_a_member_without_a_length_is_limited(tmp_path: Path) -> None:
    packed = io.BytesIO()
    make(tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as good, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in good.namelist():
            archive.writestr(name, good.read(name).replace(b' length="3000000"', b""))
    # 3 MB of three letters, which are 3 KB.
    with rs.open_package(packed.getvalue()) as package, pytest.raises(rs.MemberError, match="inflate_ratio"):
        package["/res/2.txt"].read()
    with rs.open_package(packed.getvalue(), limits={"inflate_ratio": 2_000}) as package:
        assert package["/res/2.txt"].read() == b"two" * 1_000_000


def test_bytes_that_are_not_true_are_not_given_out(tmp_path: Path) -> None:
    packed = io.BytesIO()
    make(tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as good, zipfile.ZipFile(packed, "w") as archive:
        for name in good.namelist():
            archive.writestr(name, b"eno" if name == "res/1.txt" else good.read(name))
    packed.seek(0)
    with rs.open_package(packed) as package:
        assert not package.report.is_valid and [member.name for member in package] == ["res/2.txt"]
        wrong = package["res/1.txt"]
        assert (wrong.state, wrong.why) == ("differs", "md5")
        with pytest.raises(rs.MemberError, match="PKG-05"):
            wrong.read()
        with pytest.raises(rs.MemberError):
            wrong.save(tmp_path / "1.txt")
    assert not (tmp_path / "1.txt").exists()
    with rs.open_package(packed.getvalue(), fixity=False) as package:
        assert package["res/1.txt"].state == "unchecked"
        with pytest.raises(rs.MemberError):
            package["res/1.txt"].open()


def test_what_entries_list_is_compared_with_the_content(tmp_path: Path) -> None:
    path = tmp_path / "part1.zip"
    path.write_text("old")
    with pytest.raises(rs.RefusedError):
        rs.create_package(path, [(rs.Bitstream(ONE, "/1", "text/plain", hashes=MD5_OF_ONE), b"two")], up=UP, at=AT)
    assert path.read_text() == "old"
    with pytest.raises(rs.ConfigError):
        rs.create_package(path, [], up=UP)


def test_content_that_is_not_there_is_not_packed_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "part1.zip"
    at_end = io.BytesIO(b"one")
    at_end.read()
    absent: list[rs.ByteSource | None] = [None, at_end, iter(())]
    for content in absent:
        entry = rs.Bitstream(ONE, "/1", "text/plain")
        with pytest.raises(rs.InputError, match="has no content" if content is None else "was it read before"):
            rs.create_package(path, [(entry, content)], up=UP, at=AT)
        with pytest.raises(rs.InputError):
            rs.create_package(path, [(rs.ChangedBitstream(ONE, "updated", "/1", "text/plain", AT), content)], up=UP, from_=AT)
        with pytest.raises(rs.InputError), rs.Publication("http://example.com/", tmp_path / "public", at=AT) as publication:
            publication.set()
            publication.change_dump(rs.DumpHistory.since(AT), [(rs.ResourceChange(ONE, "updated", AT), content)])
    assert not path.exists()
    # What is really empty.
    (tmp_path / "empty").touch()
    empty: list[rs.ByteSource] = [b"", list[bytes](), io.BytesIO(), tmp_path / "empty"]
    for content in empty:
        rs.create_package(path, [(rs.Bitstream(ONE, "/1", "text/plain"), content)], up=UP, at=AT)
    rs.create_package(path, [(rs.Bitstream(ONE, "/1", "text/plain", length=0), iter(()))], up=UP, at=AT)
    assert list(rs.validate(path)) == []


def test_changes_are_packaged(tmp_path: Path) -> None:
    path = tmp_path / "part1.zip"
    changes: list[tuple[rs.ChangedBitstream, bytes | None]] = [
        (rs.ChangedBitstream(ONE, "created", "/1", "text/plain", AT), b"one"),
        (rs.ChangedBitstream(ONE, "deleted", datetime="2024-05-02T00:00:00Z"), None),
    ]
    rs.create_package(path, changes, up=UP, from_=AT)
    with rs.open_package(path) as package:
        assert package.report.is_valid and [member.uri for member in package] == [ONE]
        assert [(each.uri, each.change) for each in package.absent] == [(ONE, "deleted")]
