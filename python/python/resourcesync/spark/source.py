"""The data source ``resourcesync`` of Apache Spark: lists as tables, and the findings and reports of every list."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
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
from .stream import ChangeReader
from .validating import documents, hosts


def _switch(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"`{text}` is not true or false")
    return text.lower() == "true"


#: Options of the data source: the option of :func:`resourcesync.dataset`, and how its text is read.
_OPTIONS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "columns": ("columns", lambda text: [each.strip() for each in text.split(",")]),
    "lanes": ("lanes", int),
    "requestspersecond": ("requests_per_second", int),
    "ownhosts": ("own_hosts", lambda text: [each.strip() for each in text.split(",")]),
    "allowhosts": ("allow_host", lambda text: [each.strip() for each in text.split(",")]),
    "partitionbytes": ("partition_bytes", int),
    "content": ("content", _switch),
    "onunreadable": ("on_unreadable", str),
    "profile": ("profile", str),
    "maxperrule": ("max_per_rule", int),
    "contact": ("from_", str),
    "useragent": ("user_agent", str),
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
    "prefix": ("prefix", lambda text: [each.strip() for each in text.split(",")]),
    "set": ("set", lambda text: [each.strip() for each in text.split(",")]),
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
        table, what, _ = opened(self.options)
        if what in COLUMNS:
            return StructType([StructField(name, LongType() if name in _NUMBERS else StringType()) for name in COLUMNS[what]])
        return from_arrow_schema(table.schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        """The reader; other schemas are rejected."""
        self._check(schema)
        table, what, _ = opened(self.options)
        return _ReportReader(table, what) if what in COLUMNS and isinstance(table, Dataset) else _TableReader(table)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """The reader of a stream of ``changes``; other schemas are rejected."""
        self._check(schema)
        data, what, given = opened(self.options)
        if not isinstance(data, Dataset):
            raise ConfigError(f"what: streams are of `changes`, not `{what}`")
        return ChangeReader(Stream(data, **given))

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


def opened(options: Mapping[str, str]) -> tuple[Dataset | RecordDataset, str, dict[str, Any]]:
    """The table of the options of a data source, what is read of it, and the options of streams."""
    given = {name.lower(): value for name, value in options.items()}
    what, path = given.pop("what", "resources"), given.pop("path", None)
    if path is None:
        raise ConfigError("path: load() needs the URI of a Source, a folder, or a file with one of either per line")
    known = _RECORDS if what == "records" else _OPTIONS
    if unknown := sorted(set(given) - set(known)):
        raise ConfigError(f"there is no option `{unknown[0]}`; there are what, {', '.join(known)}")
    try:
        read = {known[name][0]: known[name][1](value) for name, value in given.items()}
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if what == "records":
        return records(_sources(path), **read), what, {}
    stream = {name: read.pop(name) for name in _STREAM if name in read}
    # Other words are rejected there.
    table = cast("What", "resources" if what in COLUMNS else what)
    return dataset(_sources(path), what=table, **read), what, stream


def _sources(path: str) -> list[str]:
    """A URI, a folder or a document; or what a list of those names."""
    if "://" in path or os.path.isdir(path) or path.lower().endswith((".xml", ".xml.gz", ".zip")):
        return [path]
    try:
        with open(path, encoding="utf-8") as lines:
            return [line.strip() for line in lines if line.strip()]
    except OSError as error:
        raise ConfigError(f"path: {path} cannot be read: {error.strerror}; paths are those of each node") from None
