"""The filters of a query: which Sources and lists cannot have a row for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any

from .._dataset import Dataset


def narrowed(data: Dataset, filters: Iterable[Any]) -> Dataset:
    """The part of a table in which all rows are that pass the filters; Spark applies these to its rows."""
    sources = set(data._sources)
    named: dict[str, set[str]] = {name: {*data._given["selection"].get(name, ())} for name in ("sets", "documents")}
    since: str | None = data._given["selection"].get("since")
    for column, values, is_least in _read(filters):
        if column == "source":
            sources &= values
        elif column in ("set", "document"):
            before = named[column + "s"]
            named[column + "s"] = values & before if before else values
            # Without a name all would be wanted.
            sources = sources if named[column + "s"] else set()
        elif column == "datetime" and is_least and since is None:
            since = max(values)
    return data._only(sources, {**{name: sorted(each) for name, each in named.items()}, **({} if since is None else {"since": since})})


def _read(filters: Iterable[Any]) -> Iterator[tuple[str, set[str], bool]]:
    """The column of each filter on texts and moments, what it is compared with, and whether that is the least."""
    for each in filters:
        kind = type(each).__name__
        path: tuple[str, ...] = getattr(each, "attribute", ())
        value: Any = getattr(each, "value", None)
        if len(path) != 1:
            continue
        if kind in ("EqualTo", "EqualNullSafe", "In"):
            values: Iterable[Any] = value if kind == "In" else (value,)
            if all(isinstance(one, str) for one in values):
                yield path[0], set(values), False
        elif kind in ("GreaterThan", "GreaterThanOrEqual") and isinstance(value, datetime) and value.tzinfo:
            yield path[0], {value.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")}, True
