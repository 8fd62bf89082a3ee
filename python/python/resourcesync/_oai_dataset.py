"""OAI-PMH repositories as one table: planned once, and harvested in partitions by any engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from . import _core
from ._arrow import pyarrow
from ._core import OaiRecord as Record
from ._errors import ConfigError
from ._oai_harvest import IncompleteError, Names, Proof, harvest, stopped
from ._oai_pages import record_schema
from ._partition import Partition
from ._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: How the columns of records are made; those that are not named are not.
_MADE: Mapping[str, Callable[[Record], Any]] = {
    "identifier": lambda record: record.identifier,
    "datestamp": lambda record: record.datestamp,
    "deleted": lambda record: record.is_deleted,
    "sets": lambda record: record.sets,
    "prefix": lambda record: record.prefix,
    "metadata": lambda record: record.standalone(),
    "digest": lambda record: record.sha256,
}
#: The columns after those of a record.
_AROUND = ("source", "proof", "problem")
#: Rows of a batch, and bytes of metadata.
_ROWS = 1 << 13
_BYTES = 64 << 20


class RecordDataset(Table):
    """The records of OAI-PMH repositories as one table; see :func:`dataset`. It can be pickled."""

    def __init__(self, repositories: list[str], columns: tuple[str, ...], on_unreadable: str, given: Mapping[str, Any]) -> None:
        self._repositories = repositories
        self._columns: tuple[str, ...] = columns
        self._on_unreadable = on_unreadable
        self._given = given

    @property
    def schema(self) -> Any:
        """The ``pyarrow.Schema`` of the table."""
        pa = pyarrow()
        of_records = record_schema(pa, "element")
        return pa.schema([*(of_records.field(name) for name in self._columns), *((name, pa.string()) for name in _AROUND)])

    def partitions(self) -> list[Partition]:
        """One for each host: its repositories are harvested one after the other."""
        planned = [json.dumps({"source": number, "turn": number, "uri": url, "kind": "unknown"}) for number, url in enumerate(self._repositories)]
        made: Iterable[dict[str, Any]] = map(json.loads, _core.divide(planned, json.dumps({"lanes": 1})))
        return [Partition(each["host"], tuple(each["inputs"])) for each in made]

    def read(self, partition: Partition) -> Iterator[Any]:
        """The records of a partition as ``pyarrow.RecordBatch``, and for each repository a row with the proof of its harvest.

        :raises oai.IncompleteError: if a harvest is not complete, with ``on_unreadable="fail"``.
        """
        for each in partition._inputs:
            yield from self._harvested(each["uri"])

    def _harvested(self, url: str) -> Iterator[Any]:
        rows: list[dict[str, Any]] = []
        size = 0
        with harvest(url, check=False, **self._given) as records:
            for record in records:
                row = {name: _MADE[name](record) for name in self._columns}
                rows.append({**row, "source": url})
                size += len(row.get("metadata") or b"")
                if len(rows) >= _ROWS or size >= _BYTES:
                    yield pyarrow().RecordBatch.from_pylist(rows, schema=self.schema)
                    rows, size = [], 0
        proof = records.proof
        if proof is not None and proof.status != "complete" and self._on_unreadable == "fail":
            raise IncompleteError(proof)
        if proof is not None and (proof.status == "complete" or self._on_unreadable == "row"):
            rows.append({"source": url, "proof": proof.to_json(), "problem": _problem(proof)})
        if rows:
            yield pyarrow().RecordBatch.from_pylist(rows, schema=self.schema)

    def _with(self, columns: tuple[str, ...]) -> RecordDataset:
        return RecordDataset(self._repositories, columns, self._on_unreadable, self._given)


def _problem(proof: Proof) -> str | None:
    """Why a harvest is not complete, in one line."""
    if proof.status == "complete":
        return None
    codes = ", ".join(f"[{note.code}]" for note in proof.reasons)
    return f"{codes} the harvest is {proof.status}" if codes else f"the harvest is {proof.status}: {stopped(proof)}"


class HarvestOptions(TypedDict, total=False):
    """The options of :func:`harvest` that a table has, too."""

    prefix: Names
    set: Names
    since: str | None
    until: str | None
    contact: str | None
    window: str | None
    tolerance: str | int | None
    repair: str | None
    allow_quarantine: int
    delay: float | None
    max_wait: int | None
    max_records: int | None
    post: bool
    on_loop: str | None
    limits: Mapping[str, int] | None
    allow_host: Iterable[str]


def dataset(
    repositories: str | Iterable[str],
    *,
    columns: Iterable[str] | None = None,
    on_unreadable: Literal["row", "fail", "skip"] = "row",
    **given: Unpack[HarvestOptions],
) -> RecordDataset:
    """OAI-PMH repositories as one table, divided into partitions that any engine harvests: threads, Spark, Ray, Dask.

    The columns are those of :func:`to_arrow`, and ``source`` (the base URL), ``proof`` and ``problem``. After the records of each repository comes a row
    without a record: its ``proof`` is that of the harvest as JSON, and its ``problem`` says why the harvest is not complete.

    :param repositories: base URLs. Those of one host are in one partition.
    :param columns: the columns of records that are made; all by default.
    :param on_unreadable: what a harvest that is not complete is: a row with its ``problem`` after the records that came, an exception, or nothing more
        than these records.

    The other options are those of :func:`harvest`.
    """
    urls = [repositories] if isinstance(repositories, str) else list(repositories)
    wanted = tuple(_MADE) if columns is None else tuple(columns)
    if wrong := [url for url in urls if not url.lower().startswith(("http://", "https://"))]:
        raise ConfigError(f"repositories: `{wrong[0]}` is no URL")
    if on_unreadable not in ("row", "fail", "skip"):
        raise ConfigError(f"on_unreadable: `{on_unreadable}` is not row, fail or skip")
    if unknown := [name for name in wanted if name not in _MADE]:
        raise ConfigError(f"columns: there is no column `{unknown[0]}`; there are {', '.join(_MADE)}")
    # Every repository gets them, so an iterator would be used up by the first one.
    options = cast("dict[str, Any]", given)
    kept: dict[str, Any] = {name: list(cast("Iterable[object]", value)) if isinstance(value, Iterator) else value for name, value in options.items()}
    return RecordDataset(urls, tuple(name for name in _MADE if name in wanted), on_unreadable, kept)
