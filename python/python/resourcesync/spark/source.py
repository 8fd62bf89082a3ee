"""The data source ``resourcesync`` of Apache Spark: lists as tables, and the findings and reports of every list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import LongType, StringType, StructField, StructType

from .._dataset import Dataset
from .._errors import ConfigError
from .._partition import Partition
from .._report_rows import COLUMNS, document_rows, finding_rows, report_rows
from .._stream import Stream
from .._table import Table
from .filters import narrowed
from .options import opened
from .stream import ChangeReader
from .validating import documents, hosts

#: The columns of reports that are numbers; the others are texts.
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
