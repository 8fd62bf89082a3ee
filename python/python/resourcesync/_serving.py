"""Serves a published folder: the response to a request, for any web framework."""

from __future__ import annotations

import os
import re
import stat
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO

from . import _core
from ._read import iter_entries

#: Bytes of a piece.
_PIECE = 1 << 16
#: The only document whose name has no extension.
_WELL_KNOWN = ".well-known/resourcesync"
#: The folder of the topics of a set.
_TOPICS = "notifications"
#: Files that compress well.
_TEXTS = ("text/", "application/xml", "application/json")
#: One range of bytes.
_RANGE = re.compile(r"bytes=[ \t]*([0-9]{0,18})-([0-9]{0,18})[ \t]*", re.IGNORECASE)


@dataclass(slots=True)
class Served:
    """A response: status, header fields, and a file of which ``length`` bytes from ``start`` are sent, compressed if ``packed``.

    Iterate over :meth:`pieces`, and call :meth:`close` in any case.
    """

    status: int
    fields: list[tuple[str, str]]
    file: BinaryIO | None = None
    start: int = 0
    length: int = 0
    packed: bool = False

    def pieces(self) -> Iterator[bytes]:
        """The body."""
        if self.file is None:
            return
        try:
            self.file.seek(self.start)
            pieces = _limited(self.file, self.length)
            yield from _gzip(pieces) if self.packed else pieces
        finally:
            self.close()

    def close(self) -> None:
        """Closes the file."""
        if self.file is not None:
            self.file.close()


def found(folder: str | os.PathLike[str], path: str) -> Path | None:
    """The file below a folder that a path of a URL, percent-decoded, leads to. Links do not lead out of the folder."""
    parts = path.split("/")
    if "\0" in path or "\\" in path or any(part in ("", ".", "..") for part in parts):
        return None
    # A publication may replace the folder, so it is resolved for each request.
    root = os.path.realpath(folder)
    place = os.path.realpath(os.path.join(root, *parts))
    is_inside = os.path.commonpath([root, place]) == root
    return Path(place) if is_inside and os.path.isfile(place) else None


def media_type(path: str) -> str:
    """The media type of a published file."""
    if path.endswith(_WELL_KNOWN):
        return "application/xml"
    kind = _core.media_type(path) or "application/octet-stream"
    kind = "application/xml" if kind == "text/xml" else kind
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def serve(
    folder: str | os.PathLike[str], path: str, method: str, header: Callable[[str], str | None], *, sendfile: tuple[str, str] | None = None
) -> Served:
    """The response to a request for a file.

    :param path: the path below the folder, percent-decoded.
    :param header: returns a header field of the request by its lower-case name.
    :param sendfile: lets the web server send the file: the name of a header field, such as ``X-Accel-Redirect`` or ``X-Sendfile``, and the prefix
        that replaces the folder in its value.
    """
    if method not in ("GET", "HEAD"):
        return Served(405, [("Allow", "GET, HEAD"), ("Content-Length", "0")])
    place = found(folder, path)
    try:
        file = None if place is None else place.open("rb")
    except OSError:
        file = None
    if file is None:
        return Served(404, [("Content-Length", "0")])
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        file.close()
        return Served(404, [("Content-Length", "0")])
    kind = media_type(path)
    if sendfile is not None:
        file.close()
        return Served(200, [("Content-Type", kind), *_links(folder, path), (sendfile[0], f"{sendfile[1].rstrip('/')}/{path}")])
    length, tag = about.st_size, f'"{about.st_mtime_ns:x}-{about.st_size:x}"'
    is_packed = kind.startswith(_TEXTS) and header("range") is None and _accepts_gzip(header("accept-encoding") or "")
    fields = [
        ("Content-Type", kind),
        # Another coding is another representation.
        ("ETag", f"W/{tag}" if is_packed else tag),
        # Within its second it may be replaced by one of the same time (RFC 9110 §8.8.2.2).
        *([("Last-Modified", formatdate(about.st_mtime, usegmt=True))] if int(time.time()) > about.st_mtime else []),
        ("Accept-Ranges", "bytes"),
        ("Vary", "Accept-Encoding"),
        *_links(folder, path),
    ]
    if _is_known(header, tag, about.st_mtime):
        file.close()
        return Served(304, fields)
    response = Served(200, fields, file, 0, length)
    # Only GET has ranges (RFC 9110 §14.2).
    wanted, condition = header("range") if method == "GET" else None, header("if-range")
    part = _part(wanted, length) if wanted is not None and condition in (None, tag) else None
    if part is not None:
        start, end = part
        if start > end:
            file.close()
            return Served(416, [*fields, ("Content-Range", f"bytes */{length}"), ("Content-Length", "0")])
        response.status, response.start, response.length = 206, start, end - start + 1
        fields.append(("Content-Range", f"bytes {start}-{end}/{length}"))
    if is_packed:
        response.packed = True
        fields.append(("Content-Encoding", "gzip"))
    else:
        fields.append(("Content-Length", str(response.length)))
    if method == "HEAD":
        response.close()
        response.file = None
    return response


def _links(folder: str | os.PathLike[str], path: str) -> list[tuple[str, str]]:
    """The links by which subscribers find the hub of a topic, as the Capability List of its set has them."""
    parent, _, name = path.rpartition("/")
    if parent.rpartition("/")[2] != _TOPICS:
        return []
    start = f"{parent[: -len(_TOPICS)]}capabilitylist.xml"
    place = found(folder, start) or found(folder, f"{start}.gz")
    for entry in iter_entries(place) if place is not None else ():
        if entry.uri is not None and str(entry.uri).endswith(f"/{_TOPICS}/{name}"):
            links = [(entry.uri, "self"), *((link.href, "hub") for link in entry.links if link.rel == "hub")]
            return [("Link", ", ".join(f'<{uri}>; rel="{rel}"' for uri, rel in links))]
    return []


def _is_known(header: Callable[[str], str | None], tag: str, modified: float) -> bool:
    known = header("if-none-match")
    if known is not None:
        return known.strip() == "*" or any(each.strip().removeprefix("W/") == tag for each in known.split(","))
    since = header("if-modified-since")
    try:
        return since is not None and int(modified) <= parsedate_to_datetime(since).timestamp()
    except (TypeError, ValueError, OverflowError):
        return False


def _accepts_gzip(accepted: str) -> bool:
    parts = (each.replace(" ", "").lower().partition(";") for each in accepted.split(","))
    weights = {coding: weight for coding, _, weight in parts}
    return weights.get("gzip", weights.get("*", "q=0")) not in ("q=0", "q=0.0", "q=0.00", "q=0.000")


def _part(wanted: str, length: int) -> tuple[int, int] | None:
    """The first and the last byte of a range, of which the first is the greater one if the file has none of them. Several ranges, other units and malformed
    ones are ignored (RFC 9110 §14.2)."""
    found = _RANGE.fullmatch(wanted)
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        return max(length - int(last), 0), length - 1
    start, end = int(first), int(last) if last else length
    return None if end < start and last else (start, min(end, length - 1))


def _limited(file: BinaryIO, length: int) -> Iterator[bytes]:
    while length > 0 and (piece := file.read(min(_PIECE, length))):
        length -= len(piece)
        yield piece


def _gzip(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(level=1, wbits=31)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()
