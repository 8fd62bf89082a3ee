"""Tables whose planning is a job of the cluster, too."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql.pandas.types import from_arrow_schema

from .. import _core
from .._dataset import Dataset
from .._oai_dataset import RecordDataset


def table(spark: Any, data: Dataset | RecordDataset) -> Any:
    """A dataset as a DataFrame: the tasks of one job plan its Sources, and those of another read them. For many Sources, whose plan would keep one
    process busy for long.

    >>> resourcesync.spark.table(spark, resourcesync.dataset(sources, what="resources"))
    """
    context = spark.sparkContext
    if isinstance(data, Dataset) and data._planned is None:
        groups = _by_host(data._sources)
        planned: list[str] = context.parallelize(groups, len(groups) or 1).flatMap(lambda group: [each for number in group for each in data._plan(number)]).collect()
        data._divide(sorted(planned, key=_turn))
    partitions = [(pickle.dumps(each),) for each in data.partitions()]

    def read(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for partition in batch.column(0).to_pylist():
                yield from data.read(pickle.loads(partition))

    rows = context.parallelize(partitions, len(partitions) or 1)
    return spark.createDataFrame(rows, "partition binary").mapInArrow(read, from_arrow_schema(data.schema))


def _by_host(sources: list[str]) -> list[list[int]]:
    """The numbers of Sources; one process plans those of a host."""
    inputs = [json.dumps({"source": number, "turn": 0, "uri": source, "kind": "unknown"}) for number, source in enumerate(sources)]
    made: Iterable[dict[str, Any]] = map(json.loads, _core.divide(inputs, json.dumps({"lanes": 1, "bytes": 1})))
    return [[int(one["source"]) for one in each["inputs"]] for each in made]


def _turn(planned: str) -> tuple[int, int]:
    own = json.loads(planned)
    return own["source"], own["turn"]
