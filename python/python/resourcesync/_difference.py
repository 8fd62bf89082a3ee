"""The differences between two lists of resources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from . import _core
from ._core import Entry
from ._entries import ChangeWord, Moment, Related, Resource, ResourceChange


class Difference:
    """A resource that differs between two lists."""

    __slots__ = ("_inner",)

    def __init__(self, inner: _core.Difference) -> None:
        self._inner = inner

    @property
    def uri(self) -> str:
        """The URI of the resource."""
        return self._inner.uri

    @property
    def change(self) -> ChangeWord:
        """The kind of change."""
        return self._inner.change

    @property
    def old(self) -> Resource | None:
        """The old entry, unless it was created."""
        old, _ = self._inner.sides()
        return None if old is None else Resource(**_plain(old, Resource))

    @property
    def new(self) -> Resource | None:
        """The new entry, unless it was deleted."""
        _, new = self._inner.sides()
        return None if new is None else Resource(**_plain(new, Resource))

    def at(self, moment: Moment) -> ResourceChange:
        """The entry of a Change List for a change at this time."""
        return ResourceChange(**_plain(self._inner.at(moment), ResourceChange))

    def __repr__(self) -> str:
        return f"<resourcesync.Difference {self.change} {self.uri}>"


def diff(old: Iterable[Resource | Entry], new: Iterable[Resource | Entry]) -> Iterator[Difference]:
    """Compares two lists of resources, in the order of their URIs, in constant memory.

    Both must be sorted by URI (``key=lambda resource: resource.uri``) without duplicates. A resource is unchanged if its digests are the same or, if
    there are none in common, its length and lastmod. A changed type or encoding is an update.

    :raises ConfigError: if a list is out of order.

    >>> old = [resourcesync.Resource("http://example.com/1", length=1), resourcesync.Resource("http://example.com/2", length=2)]
    >>> new = [resourcesync.Resource("http://example.com/2", length=3), resourcesync.Resource("http://example.com/3", length=3)]
    >>> [(found.change, found.uri) for found in resourcesync.diff(old, new)]
    [('deleted', 'http://example.com/1'), ('updated', 'http://example.com/2'), ('created', 'http://example.com/3')]
    """
    return map(Difference, _core.Differences(old, new))


_NAMES: Mapping[str, Literal["extensions"]] = {"elements": "extensions"}


def _plain(text: str, of: type[Resource] | type[ResourceChange]) -> dict[str, Any]:
    """The fields of an entry from its JSON. What has no meaning in such an entry, such as a path, is left out."""
    values: dict[str, Any] = json.loads(text)
    values.pop("attributes", None)
    links = values.get("links", ())
    for link in links:
        link.pop("attributes", None)
    if links:
        values["links"] = tuple(Related(**link) for link in links)
    named = {_NAMES.get(name, name): tuple(value) if name == "elements" else value for name, value in values.items()}
    return {name: value for name, value in named.items() if name in of._says}
