"""The data source ``resourcesync`` of Apache Spark: lists as tables, and the findings and reports of every list."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import LongType, StringType, StructField, StructType

from .._dataset import Dataset, What, dataset
from .._errors import ConfigError
from .._oai_dataset import RecordDataset
from .._oai_dataset import dataset as records
from .._partition import Partition
from .._report_rows import COLUMNS, document_rows, finding_rows, report_rows
from .._stream import Stream
from .._table import Table
from .filters import narrowed
from .stream import ChangeReader
from .validating import documents, hosts


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
_NUMBERS = frozenset({"line", "column", "entry", "errors", "warnings", "infos", "entries", "bytes"})


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
        own = opened(self.options)
        if own.what in COLUMNS:
            return StructType([StructField(name, LongType() if name in _NUMBERS else StringType()) for name in COLUMNS[own.what]])
        return from_arrow_schema(own.table.schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        """The reader; other schemas are rejected."""
        self._check(schema)
        own = opened(self.options)
        if own.what in COLUMNS and isinstance(own.table, Dataset):
            return _ReportReader(own.table, own.what)
        return _FilteringReader(own.table) if own.pushes_filters else _TableReader(own.table)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """The reader of a stream of ``changes``; other schemas are rejected."""
        self._check(schema)
        own = opened(self.options)
        if not isinstance(own.table, Dataset):
            raise ConfigError(f"what: streams are of `changes`, not `{own.what}`")
        return ChangeReader(Stream(own.table, **own.stream))

    def _check(self, schema: StructType) -> None:
        wanted = self.schema()
        if schema != wanted:
            raise ConfigError(f"schema: the columns are {wanted.simpleString()}, not {schema.simpleString()}; leave it out, or use `columns`")


def has_value(partition: InputPartition | None) -> TypeGuard[InputPartition]:
    """Without partitions Spark reads one without a value; Spark 4.0 none."""
    return partition is not None and partition.value is not None


class _TableReader(DataSourceReader):
    def __init__(self, table: Table) -> None:
        self._table = table

    def partitions(self) -> list[InputPartition]:
        return [_Part(each) for each in self._table.partitions()]

    def read(self, partition: InputPartition | None) -> Iterator[Any]:
        return self._table.read(partition.value) if has_value(partition) else iter(())


class _FilteringReader(_TableReader):
    """A reader of which Spark demands that its filters are switched on."""

    def pushFilters(self, filters: list[Any]) -> list[Any]:
        """Leaves out what cannot have a row, and all filters to Spark."""
        if isinstance(self._table, Dataset):
            self._table = narrowed(self._table, filters)
        return filters


class _ReportReader(DataSourceReader):
    def __init__(self, data: Dataset, what: str) -> None:
        self._data, self._what = data, what

    def partitions(self) -> list[InputPartition]:
        return [_Part(each) for each in (hosts(self._data) if self._what == "documents" else self._data.partitions())]

    def read(self, partition: InputPartition | None) -> Iterator[Any]:
        if not has_value(partition):
            return
        if self._what == "documents":
            for source, report in documents(self._data, partition.value):
                yield from document_rows(source, report)
            return
        of = {"findings": finding_rows, "reports": report_rows}[self._what]
        for source, document, report in self._data._outcomes(partition.value):
            yield from of(source, document, report)


@dataclass(frozen=True)
class _Opened:
    """What the options of a data source say."""

    table: Dataset | RecordDataset
    what: str
    #: The options of streams.
    stream: Mapping[str, Any]
    pushes_filters: bool


def opened(options: Mapping[str, str]) -> _Opened:
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
        return _Opened(records(_sources(path), **read), what, {}, False)
    stream, pushes_filters = {name: read.pop(name) for name in _STREAM if name in read}, read.pop("push_filters", False)
    if pushes_filters and what in COLUMNS:
        raise ConfigError(f"pushFilters: not for `{what}`")
    # Other words are rejected there.
    table = cast("What", "resources" if what in COLUMNS else what)
    return _Opened(dataset(_sources(path), what=table, **read), what, stream, pushes_filters)


def _sources(path: str) -> list[str]:
    """A URI, a folder or a document; or what a list of those names."""
    if "://" in path or os.path.isdir(path) or path.lower().endswith((".xml", ".xml.gz", ".zip")):
        return [path]
    try:
        with open(path, encoding="utf-8") as lines:
            return [line.strip() for line in lines if line.strip()]
    except OSError as error:
        raise ConfigError(f"path: {path} cannot be read: {error.strerror}; paths are those of each node") from None
