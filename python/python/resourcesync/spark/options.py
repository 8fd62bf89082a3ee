"""The options of the data source."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from .._dataset import Dataset, What, dataset
from .._errors import ConfigError
from .._oai_dataset import RecordDataset
from .._oai_dataset import dataset as records
from .._report_rows import COLUMNS


def _switch(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"`{text}` is not true or false")
    return text.lower() == "true"


def _names(text: str) -> list[str]:
    return [each.strip() for each in text.split(",")]


#: Options of the data source: the option of :func:`resourcesync.dataset`, and how its text is read.
_OPTIONS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "columns": ("columns", _names),
    "lanes": ("lanes", int),
    "requestspersecond": ("requests_per_second", int),
    "ownhosts": ("own_hosts", _names),
    "allowhosts": ("allow_host", _names),
    "sets": ("sets", _names),
    "since": ("since", str),
    "headers.file": ("headers_file", str),
    "partitionbytes": ("partition_bytes", int),
    "content": ("content", _switch),
    "onunreadable": ("on_unreadable", str),
    "profile": ("profile", str),
    "maxperrule": ("max_per_rule", int),
    "contact": ("from_", str),
    "useragent": ("user_agent", str),
    "pushfilters": ("push_filters", _switch),
    "ongap": ("on_gap", str),
    "onrewrite": ("on_rewrite", str),
    "mininterval": ("min_interval", int),
    "listsperbatch": ("lists", int),
    "maxentriespertrigger": ("entries", int),
}
#: Those of ``records``, of OAI-PMH repositories.
_RECORDS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    **{name: _OPTIONS[name] for name in ("columns", "allowhosts", "onunreadable")},
    "contact": ("contact", str),
    "prefix": ("prefix", _names),
    "set": ("set", _names),
    "since": ("since", str),
    "until": ("until", str),
    "delay": ("delay", float),
    "maxrecords": ("max_records", int),
}
#: Those of streams.
_STREAM = frozenset({"on_gap", "on_rewrite", "min_interval", "lists", "entries"})


@dataclass(frozen=True)
class Opened:
    """What the options of a data source say."""

    table: Dataset | RecordDataset
    what: str
    #: The options of streams.
    stream: Mapping[str, Any]
    pushes_filters: bool


def opened(options: Mapping[str, str]) -> Opened:
    """Reads the options of a data source."""
    given = {name.lower(): value for name, value in options.items()}
    what, path = given.pop("what", "resources"), given.pop("path", None)
    if path is None:
        raise ConfigError("path: load() needs the URI of a Source, a folder, or a file with one of either per line")
    known = _RECORDS if what == "records" else _OPTIONS
    limits = {name.removeprefix("limits."): given.pop(name) for name in list(given) if name.startswith("limits.")}
    if unknown := sorted(set(given) - set(known)) or (what == "records" and [f"limits.{name}" for name in limits]):
        raise ConfigError(f"there is no option `{unknown[0]}`; there are what, {', '.join(known)}, and limits.NAME")
    try:
        read = {known[name][0]: known[name][1](value) for name, value in given.items()}
        read |= {"limits": {name: int(value) for name, value in limits.items()}} if limits else {}
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if what == "records":
        return Opened(records(_sources(path), **read), what, {}, False)
    stream, pushes_filters = {name: read.pop(name) for name in _STREAM if name in read}, read.pop("push_filters", False)
    if pushes_filters and what in COLUMNS:
        raise ConfigError(f"pushFilters: not for `{what}`")
    # Other words are rejected there.
    table = cast("What", "resources" if what in COLUMNS else what)
    return Opened(dataset(_sources(path), what=table, **read), what, stream, pushes_filters)


def _sources(path: str) -> list[str]:
    """A URI, a folder or a document; or what a list of those names."""
    if "://" in path or os.path.isdir(path) or path.lower().endswith((".xml", ".xml.gz", ".zip")):
        return [path]
    try:
        with open(path, encoding="utf-8") as lines:
            return [line.strip() for line in lines if line.strip()]
    except OSError as error:
        raise ConfigError(f"path: {path} cannot be read: {error.strerror}; paths are those of each node") from None
