"""Change Lists as a streaming source of Apache Spark, whose checkpoint has the offsets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyspark.sql.streaming
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from .._stream import Offset, Stream

#: Spark 4.0 and 4.1 have no such class, and read once what is there.
_Ending: Any = getattr(getattr(pyspark.sql.streaming, "datasource", None), "SupportsTriggerAvailableNow", object)


class StreamPart(InputPartition):
    """A partition of a batch."""


class ChangeReader(DataSourceStreamReader, _Ending):
    """The stream reader; what it does is in :class:`Stream`."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._start: Offset = stream.initial()

    def initialOffset(self) -> Any:
        """Where a new query begins."""
        return self._stream.initial()

    def latestOffset(self, start: Mapping[str, Any] | None = None, limit: Any = None) -> Any:
        """Where a batch ends. Spark 4.0 and 4.1 do not pass where it begins: that is where the last one ended."""
        return self._stream.latest(self._start if start is None else start)

    def prepareForTriggerAvailableNow(self) -> None:
        """The query ends with what is there."""
        self._stream.end()

    def partitions(self, start: Any, end: Any) -> list[InputPartition]:
        """The partitions of a batch. Spark also calls it when a query continues, with equal offsets or with an unfinished batch."""
        self._start = end
        return [StreamPart(each) for each in self._stream.partitions(start, end)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of a partition."""
        return self._stream.read(partition.value)
