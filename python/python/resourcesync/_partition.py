"""A part of a table that one process reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Partition:
    """Documents that one process reads one after the other. It can be pickled."""

    #: The host whose requests all its partitions share; none for folders and own hosts.
    host: str | None
    _inputs: tuple[Mapping[str, Any], ...]
    #: Its share of the requests per second that the host may get.
    requests_per_second: int | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        """The URIs or paths of its documents."""
        return tuple(each["uri"] for each in self._inputs)
