"""The cases of whole Sources, crawled from Python: every report is byte for byte that of the Rust code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import CORPUS, SAMPLE, Case

CASES = sorted((CORPUS / "set").rglob("*.case"))
Web = dict[str, dict[str, Any]]


def body(place: dict[str, Any]) -> bytes:
    """The content of a URI."""
    plain = place["body"].encode() if "body" in place else b""
    if "file" in place:
        plain = (Path(place["folder"]) / place["file"]).read_bytes()
    if "repeat" not in place:
        return plain
    before, end = plain.decode().rsplit("</", 1)
    repeat = place["repeat"]
    return "".join([before, *(repeat["text"].replace("{n}", str(n + 1)) for n in range(repeat["count"])), "</", end]).encode()


def web(folder: Path, case: dict[str, Any]) -> Web:
    """The content of each URI of a case."""
    places: Web = {}
    if "from" in case:
        file = folder / case["from"]
        places = {uri: {**place, "folder": file.parent} for uri, place in json.loads(file.read_bytes()).items()}
    for uri, place in case.get("web", {}).items():
        if place is None:
            places.pop(uri, None)
        else:
            places[uri] = {**place, "folder": folder}
    for uri, edits in case.get("edit", {}).items():
        text = body(places[uri]).decode()
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        places[uri] = {**places[uri], "body": text}
        places[uri].pop("file", None)
        places[uri].pop("repeat", None)
    return places


def answer(crawler: rs.Crawler, request: rs.Request, places: Web) -> None:
    """Responds like the web of the case."""
    uri = request.uri
    while uri in places and "redirect" in places[uri]:
        uri = places[uri]["redirect"]
    place = places.get(uri)
    if place is None:
        crawler.response(request, rs.Response(status=404))
        return
    for kind, fail in (("notFound", crawler.not_found), ("skipped", crawler.skipped), ("failed", crawler.failed)):
        if kind in place.get("missed", {}):
            fail(request, place["missed"][kind]["reason"])
            return
    content = b"" if request.method == "HEAD" else body(place)
    headers = place.get("headers")
    pairs = None if headers is None else [(name, value) for name, value in headers]
    crawler.response(request, rs.Response(content, place.get("status", 200), pairs, uri, is_raw_body=True))


def report(path: Path) -> rs.Report:
    case = json.loads(Case.load(path).body)
    following = case.get("following", {"start": ["http://example.com/"]})
    resources = following.get("resources", "none")
    # A word, or a map with a number.
    wanted: Any = resources if isinstance(resources, str) else resources["sample"]
    crawler = rs.Crawler(
        following.get("start", []),
        files=following.get("files", []),
        documents=following.get("documents", 10_000),
        resources=wanted,
        packages=following.get("packages", "full"),
        earlier=report(path.parent / case["earlier"]) if "earlier" in case else None,
    )
    places = web(path.parent, case)
    while isinstance(request := crawler.poll(), rs.Request):
        answer(crawler, request, places)
    return crawler.report()


def test_the_cases_are_there() -> None:
    assert len(CASES) > 50


@pytest.mark.parametrize("path", CASES[::SAMPLE], ids=lambda path: path.relative_to(CORPUS).as_posix())
def test_a_crawl_gives_the_expected_bytes(path: Path) -> None:
    assert report(path).to_json() == Case.load(path).report()
