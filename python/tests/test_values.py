"""Values behave as values, and invalid ones are rejected with the name of their field."""

from __future__ import annotations

import copy
import datetime
import math
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import BROKEN, LIST

ODD = LIST.replace(b'length="8876"', b'length="many" x="1"').replace(b"2024-04-30", b"yesterday").replace(b"<url>", b'<url y="2">', 1)


@pytest.mark.parametrize("content", [LIST, ODD])
def test_entries_and_links_are_values(content: bytes) -> None:
    document, again = rs.read(content), rs.read(content)
    first, second = document
    assert first == again[0] == document[0] and hash(first) == hash(again[0]) and first != second
    assert document[0] in document and document.index(again[1]) == 1 and document.count(again[0]) == 1
    assert {first: 1}[again[0]] == 1 and len({*document, *again}) == 2
    (link,) = first.links
    assert link == again[0].links[0] and hash(link) == hash(again[0].links[0]) and link != document.links[0]
    assert document == again and hash(document) == hash(again) and document != rs.read(LIST.replace(b"8876", b"7").replace(b"many", b"few"))
    for other in (object(), None, link):
        assert first != other and other not in document
    with pytest.raises(ValueError, match="not in"):
        document.index(first, 1)
    assert document.index(second, -1) == 1


@pytest.mark.parametrize("content", [LIST, ODD])
def test_entries_are_equal_wherever_they_are(content: bytes) -> None:
    shuffled = content.replace(b"http://example.com/res1<", b"http://example.com/res3<").replace(b"<url>\n", b"\n<url>\n")
    assert rs.read(content)[1] == rs.read(shuffled)[1] and rs.read(content)[1] in rs.read(shuffled)


@pytest.mark.parametrize("content", [LIST, ODD])
def test_what_is_pickled_is_the_same_again(content: bytes) -> None:
    document = rs.read(content)
    for value in (document, document[0], document[1], document[0].links[0]):
        for same in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert same == value and repr(same) == repr(value)
    same = pickle.loads(pickle.dumps(document))
    assert [(entry.index, entry.line) for entry in same] == [(entry.index, entry.line) for entry in document]
    assert (same.kind, same.at, same.to_bytes()) == (document.kind, document.at, document.to_bytes())
    for entry in rs.iter_entries(content):
        same = pickle.loads(pickle.dumps(entry))
        assert (same, same.line, same.index) == (entry, entry.line, entry.index)


def test_findings_can_be_in_a_set() -> None:
    report, again = rs.validate(BROKEN, name="a.xml"), rs.validate(BROKEN, name="a.xml")
    assert report.diagnostics and set(report.diagnostics) == set(again.diagnostics)
    assert len({*report.inputs, *again.inputs}) == len(report.inputs) and len({*report.groups}) == len(report.groups)


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"length": -1}, rs.ConfigError, "Resource.length: -1 is negative"),
    ({"length": 1 << 70}, rs.ConfigError, "Resource.length: 1180591620717411303424 is too large"),
    ({"length": "8"}, TypeError, "Resource.length: expected a whole number, not str"),
    ({"priority": math.nan}, rs.ConfigError, "Resource.priority: nan is not from 0.0 to 1.0"),
    ({"priority": math.inf}, rs.ConfigError, "Resource.priority: inf is not from 0.0 to 1.0"),
    ({"priority": 7}, rs.ConfigError, "Resource.priority: 7 is not from 0.0 to 1.0"),
    ({"priority": "high"}, rs.ConfigError, "Resource.priority: high is not from 0.0 to 1.0"),
    ({"priority": []}, TypeError, "Resource.priority: expected a number, not list"),
    ({"lastmod": 5}, TypeError, "Resource.lastmod: expected a datetime, a date or text, not int"),
    ({"lastmod": datetime.datetime(2024, 5, 1)}, rs.ConfigError, "Resource.lastmod: .* has no time zone"),
    ({"hashes": ["md5"]}, TypeError, "Resource.hashes: "),
    ({"links": [rs.Related("duplicate", "http://example.com/2", pri=-1)]}, rs.ConfigError, "Resource.links: Related.pri: -1 is negative"),
]


@pytest.mark.parametrize(("fields", "error", "words"), WRONG, ids=lambda value: str(value)[:30])
def test_an_invalid_value_is_rejected_with_its_field(fields: dict[str, Any], error: type[Exception], words: str) -> None:
    resources = rs.ResourceList("http://example.com/c.xml", "2024-05-01T00:00:00Z")
    with pytest.raises(error, match=words):
        resources.push(rs.Resource("http://example.com/1", **fields))
    assert len(resources) == 0
    resources.push(rs.Resource("http://example.com/1", priority=0.00001, length=0))
    assert rs.read(resources.to_bytes())[0].priority == 0.00001


def test_options_are_rejected_at_once() -> None:
    anything: Any = "de"
    with pytest.raises(rs.ConfigError, match="`de` is not en or ja"):
        rs.Crawler("http://example.com/", lang=anything)
    with pytest.raises(rs.ConfigError, match="`de` is not en or ja"):
        rs.Report(rs.validate(LIST).to_json(), lang=anything)
    for text in ("junk", "{}", "[]"):
        with pytest.raises(rs.ConfigError, match="history"):
            rs.ChangeHistory.from_json(text)
        with pytest.raises(rs.ConfigError, match="history"):
            rs.DumpHistory.from_json(text)
    for wrong in (b"{}", b"[]", b"junk", b'{"format": "resourcesync-report", "formatVersion": 1}'):
        with pytest.raises(rs.ConfigError, match="not a"):
            rs.Report(wrong)


def test_options_out_of_range_are_rejected_with_their_names(tmp_path: Path) -> None:
    wrong: list[tuple[Callable[..., object], dict[str, Any], str]] = [
        (partial(rs.validate, LIST), {"max_per_rule": -1}, "max_per_rule: -1 is negative"),
        (partial(rs.validate, LIST), {"max_per_rule": 1 << 70}, "max_per_rule: 1180591620717411303424 is too large"),
        (partial(rs.Crawler, "http://example.com/"), {"documents": -1}, "documents: -1 is negative"),
        (partial(rs.Crawler, "http://example.com/"), {"resources": -1}, "resources: -1 is negative"),
        (partial(rs.Crawler, "http://example.com/"), {"resources": "some"}, "resources: `some` is not none, all or a number"),
        (partial(rs.Crawler, "http://example.com/"), {"packages": "some"}, "packages: `some` is not none, structure or full"),
        (partial(rs.publish, tmp_path / "new", "http://example.com/", []), {"keep": 0}, "keep: 0 is less than 1"),
        (partial(rs.publish, tmp_path / "new", "http://example.com/", []), {"keep_generations": -1}, "keep_generations: -1 is negative"),
        (partial(rs.Publication, "http://example.com/", tmp_path / "new"), {"keep_generations": -1}, "keep_generations: -1 is negative"),
        (rs.rules, {"lang": "de"}, "lang: `de` is not en or ja"),
    ]
    for function, options, words in wrong:
        with pytest.raises(rs.ConfigError, match=words):
            function(**options)
    anything: Any = 1.5
    with pytest.raises(TypeError, match="max_per_rule: expected a whole number, not float"):
        rs.validate(LIST, max_per_rule=anything)
    assert not list(tmp_path.iterdir())


def test_capabilities_name_kinds_and_near_misses_are_suggested() -> None:
    for word in ("resource-list", "resourcelist"):
        assert rs.validate(LIST, expect=word).is_valid  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    anything: Any = "resource-lists"
    with pytest.raises(rs.ConfigError, match="did you mean `resource-list`"):
        rs.validate(LIST, expect=anything)
    anything = "journal"
    with pytest.raises(rs.ConfigError, match="expected one of source-description, .*sitemap"):
        rs.validate(LIST, expect=anything)


def test_a_file_describes_itself(tmp_path: Path) -> None:
    path = tmp_path / "a b.pdf"
    path.write_bytes(b"one")
    one = rs.Resource.from_file(path, "http://example.com/a%20b.pdf", algorithms=["md5", "sha-256"])
    assert (one.length, one.type, one.hashes["md5"]) == (3, "application/pdf", "f97c5d29941bfb1b2fdab0874906ab82")
    assert isinstance(one.lastmod, datetime.datetime) and one.lastmod.timestamp() == int(path.stat().st_mtime)
    resources = rs.ResourceList("http://example.com/c.xml", "2124-05-01T00:00:00Z")
    resources.push(one)
    assert rs.validate(resources.to_bytes()).is_valid
    anything: Any = "crc32"
    with pytest.raises(rs.ConfigError, match="crc32"):
        rs.Resource.from_file(path, "http://example.com/1", algorithms=[anything])
    with pytest.raises(FileNotFoundError):
        rs.Resource.from_file(tmp_path / "missing", "http://example.com/1")


def test_a_notebook_shows_a_report_as_a_table() -> None:
    html = rs.validate(BROKEN, name="<b>.xml")._repr_html_()
    assert "<strong>invalid</strong>" in html and "RL-03" in html and "&lt;b&gt;.xml:" in html and "<b>" not in html
    assert "<table>" not in rs.validate(LIST)._repr_html_()
