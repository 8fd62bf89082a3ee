"""The data source ``resourcesync`` of Apache Spark: lists as tables, and the findings and reports of every list."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import LongType, StringType, StructField, StructType

from .._dataset import Dataset, Partition, What, dataset
from .._errors import ConfigError
from .._report import Report
from .validating import documents, hosts

#: Options of the data source: the option of :func:`resourcesync.dataset`, and how its text is read.
_OPTIONS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "columns": ("columns", lambda text: [each.strip() for each in text.split(",")]),
    "lanes": ("lanes", int),
    "requestspersecond": ("requests_per_second", int),
    "ownhosts": ("own_hosts", lambda text: [each.strip() for each in text.split(",")]),
    "allowhosts": ("allow_host", lambda text: [each.strip() for each in text.split(",")]),
    "partitionbytes": ("partition_bytes", int),
    "onunreadable": ("on_unreadable", str),
    "profile": ("profile", str),
    "maxperrule": ("max_per_rule", int),
    "contact": ("from_", str),
    "useragent": ("user_agent", str),
}
_FINDINGS = ("source", "document", "code", "rule", "severity", "message", "help", "line", "column", "entry", "uri", "fingerprint")
_REPORTS = ("source", "document", "verdict", "errors", "warnings", "infos", "entries", "bytes", "report")
_DOCUMENTS = ("source", "document", "kind", "via", "parent", "entries", "bytes", "at", "completed", "from", "until", "verdict", "problem")
_NUMBERS = frozenset({"line", "column", "entry", "errors", "warnings", "infos", "entries", "bytes"})
_TABLES: Mapping[str, tuple[str, ...]] = {"documents": _DOCUMENTS, "findings": _FINDINGS, "reports": _REPORTS}


class _Part(InputPartition):
    """A partition of the dataset."""

    def __init__(self, value: Partition) -> None:
        super().__init__(value)


class ResourceSyncDataSource(DataSource):
    """``spark.read.format("resourcesync").option("what", …).load(…)``; the options are in docs/scale.md."""

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "resourcesync"

    def schema(self) -> StructType:
        """The schema of ``what``."""
        data, what = opened(self.options)
        if what in _TABLES:
            return StructType([StructField(name, LongType() if name in _NUMBERS else StringType()) for name in _TABLES[what]])
        return from_arrow_schema(data.schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        """The reader; other schemas are rejected."""
        wanted = self.schema()
        if schema != wanted:
            raise ConfigError(f"schema: the columns are {wanted.simpleString()}, not {schema.simpleString()}; leave it out, or use `columns`")
        return _Reader(*opened(self.options))


class _Reader(DataSourceReader):
    def __init__(self, data: Dataset, what: str) -> None:
        self._data, self._what = data, what

    def partitions(self) -> list[InputPartition]:
        if self._what == "documents":
            return [_Part(each) for each in hosts(self._data)]
        return [_Part(each) for each in self._data.partitions()]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        if self._what not in _TABLES:
            yield from self._data.read(partition.value)
            return
        if self._what == "documents":
            for source, report in documents(self._data, partition.value):
                yield from _documents(source, report)
            return
        of = {"findings": _findings, "reports": _reports}[self._what]
        for source, document, report in self._data._outcomes(partition.value):
            yield from of(source, document, report)


def _documents(source: str, report: Report) -> Iterator[tuple[Any, ...]]:
    names = [each.uri or each.name for each in report.inputs]
    for name, each in zip(names, report.inputs):
        times = each.times or {}
        moments = (times.get("at"), times.get("completed"), times.get("from"), times.get("until"))
        parent = None if each.parent is None else names[each.parent]
        yield (source, name, each.kind, each.via, parent, each.entries, each.bytes, *moments, each.verdict, each.reason)


def _findings(source: str, document: str, report: Report) -> Iterator[tuple[Any, ...]]:
    for found in report.diagnostics:
        place, entry = found.span, found.entry
        line, column = (place.start.line, place.start.column) if place else (None, None)
        number, uri = (entry.index, entry.loc) if entry else (None, None)
        yield (source, document, found.code, found.rule, found.severity, found.message, found.help, line, column, number, uri, found.fingerprint)


def _reports(source: str, document: str, report: Report) -> Iterator[tuple[Any, ...]]:
    counts = report.summary
    numbers = (counts.errors, counts.warnings, counts.infos, counts.entries, counts.bytes)
    yield (source, document, report.verdict, *numbers, report.to_json().decode())


def opened(options: Mapping[str, str]) -> tuple[Dataset, str]:
    """The dataset of the options of a data source, and what is read of it."""
    given = {name.lower(): value for name, value in options.items()}
    what, path = given.pop("what", "resources"), given.pop("path", None)
    if path is None:
        raise ConfigError("path: load() needs the URI of a Source, a folder, or a file with one of either per line")
    if unknown := sorted(set(given) - set(_OPTIONS)):
        raise ConfigError(f"there is no option `{unknown[0]}`; there are what, {', '.join(_OPTIONS)}")
    try:
        read = {_OPTIONS[name][0]: _OPTIONS[name][1](value) for name, value in given.items()}
    except ValueError as error:
        raise ConfigError(str(error)) from None
    # Other words are rejected there.
    table = cast("What", "resources" if what in _TABLES else what)
    return dataset(_sources(path), what=table, **read), what


def _sources(path: str) -> list[str]:
    """A URI, a folder or a document; or what a list of those names."""
    if "://" in path or os.path.isdir(path) or path.lower().endswith((".xml", ".xml.gz", ".zip")):
        return [path]
    try:
        with open(path, encoding="utf-8") as lines:
            return [line.strip() for line in lines if line.strip()]
    except OSError as error:
        raise ConfigError(f"path: {path} cannot be read: {error.strerror}; paths are those of each node") from None
