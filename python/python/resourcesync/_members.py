"""The members of a package as batches of rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _core
from ._arrow import ROWS, pyarrow
from ._errors import InputError

#: What the manifest lists of a member, as written.
_LISTED = ("uri", "role", "change", "datetime", "lastmod", "type", "encoding", "length", "hash")
#: The columns of members, in their order.
COLUMNS = ("path", "kind", "state", "why", "size", "packed_size", *_LISTED)
_NUMBERS = frozenset({"size", "packed_size", "length"})
#: Members above this size have no content.
MOST = 64 << 20
#: Content of one batch.
_BYTES = 64 << 20


def schema(columns: Iterable[str], around: Iterable[str]) -> Any:
    """The schema of some columns of members, and of texts around them."""
    pa = pyarrow()
    kinds = {**dict.fromkeys(_NUMBERS, pa.int64()), "content": pa.binary()}
    return pa.schema([(name, kinds.get(name, pa.string())) for name in (*columns, *around)])


def batches(members: _core.Members, schema: Any, around: Mapping[str, str | None], has_content: bool) -> Iterator[Any]:
    """The members, and the resources whose member is missing: a row for each resource that the manifest lists, and for each member that it
    does not."""
    rows: list[dict[str, Any]] = []
    size = 0
    for row in _rows(members, has_content):
        rows.append({**around, **row})
        size += len(row.get("content") or b"")
        if len(rows) >= ROWS or size >= _BYTES:
            yield pyarrow().RecordBatch.from_pylist(rows, schema=schema)
            rows, size = [], 0
    if rows:
        yield pyarrow().RecordBatch.from_pylist(rows, schema=schema)


def _rows(members: _core.Members, has_content: bool) -> Iterator[dict[str, Any]]:
    for each in map(json.loads, members.rows()):
        own = {"path": f"/{each['name']}", "packed_size": each["packedSize"], **{name: each.get(name) for name in ("kind", "state", "why", "size")}}
        if has_content and each["state"] == "verified":
            own |= _content(members, each)
        for listed in each.get("resources", ({},)):
            yield _fitting({**own, **{name: listed.get(name) for name in _LISTED}})
    for listed in map(json.loads, members.absent()):
        yield _fitting({**{name: listed.get(name) for name in _LISTED}, "path": listed.get("path"), "state": "absent"})


def _fitting(row: dict[str, Any]) -> dict[str, Any]:
    """A row without numbers that are too large for int64."""
    return {name: None if name in _NUMBERS and value is not None and value >> 63 else value for name, value in row.items()}


def _content(members: _core.Members, member: Mapping[str, Any]) -> Mapping[str, Any]:
    if member["size"] > MOST:
        return {"problem": f"its {member['size']:,} bytes are more than {MOST:,}: read it with open_package"}
    content = members.content(member["index"])
    return {"content": content} if content is not None else {"state": "differs", "problem": "it changed while it was read"}


def opened(documents: _core.Documents, start: str, each: Mapping[str, Any]) -> _core.Members | None:
    """A package of a plan, or a piece of it; ``None`` for a document, and for an archive in a folder that was read and is none of a dump.

    :raises InputError: if it cannot be read, or is no package although it should be.
    """
    members = documents.members(start, json.dumps(each))
    is_listed = each["kind"] not in ("unknown", "package")
    is_claimed = is_listed or "parent" not in each
    if members is None or members.problem is None:
        if members is None and is_listed:
            raise InputError(f"[PKG-08] {each['uri']}: it is no ZIP archive")
        return members
    code, _, words = members.problem.partition(" ")
    # Of an archive that cannot be read it is not known whose it is.
    if is_claimed or code.startswith(("[PKG-08", "[ZIP-")):
        raise InputError(f"{code} {each['uri']}: {words}")
    return None
