"""A table in partitions, which any engine reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any, cast

from ._arrow import ArrowStream, needed, pyarrow
from ._parallel import in_order
from ._partition import Partition
from ._values import whole


class Table(ABC):
    """A table that is planned once, and read in partitions. It can be pickled."""

    _columns: tuple[str, ...]

    @property
    @abstractmethod
    def schema(self) -> Any:
        """The ``pyarrow.Schema`` of the table."""

    @abstractmethod
    def partitions(self) -> list[Partition]:
        """The parts of the table."""

    @abstractmethod
    def read(self, partition: Partition) -> Iterator[Any]:
        """The rows of a partition as ``pyarrow.RecordBatch``."""

    @abstractmethod
    def _with(self, columns: tuple[str, ...]) -> Table:
        """The same table with some of its columns."""

    def to_arrow(self, *, threads: int = 1) -> ArrowStream:
        """All partitions, in order, as one stream for pyarrow, Polars, DuckDB and pandas.

        :param threads: partitions that are read at the same time; each of them waits with a few batches.
        """
        batches = in_order([partial(self.read, each) for each in self.partitions()], whole("threads", threads, 1))
        return cast(ArrowStream, pyarrow().RecordBatchReader.from_batches(self.schema, batches))

    def scan(self) -> Any:
        """The table as a ``polars.LazyFrame``. Only the columns that a query needs are built, and a limit on rows ends reading."""
        pl = needed("polars", "scan needs polars: pip install polars")

        def frames(columns: list[str] | None, predicate: Any, limit: int | None, _size: int | None) -> Iterator[Any]:
            wanted = self._columns if columns is None else tuple(name for name in self._columns if name in columns)
            for batch in self._with(wanted).to_arrow():
                frame: Any = pl.from_arrow(batch)
                frame = frame if limit is None else frame.head(limit)
                limit = None if limit is None else limit - len(frame)
                # The columns around them are always there.
                frame = frame.select(columns) if columns else frame
                yield frame if predicate is None else frame.filter(predicate)
                if limit == 0:
                    return

        schema = pl.from_arrow(self.schema.empty_table()).schema
        return import_module("polars.io.plugins").register_io_source(frames, schema=schema)
