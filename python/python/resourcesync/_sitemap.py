"""Reads the resources of a sitemap."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping

from . import _core
from ._entries import Resource
from ._errors import ConfigError


def read_sitemap(
    source: str | os.PathLike[str],
    *,
    folders: Mapping[str, str | os.PathLike[str]] | None = None,
    zone: str | None = None,
    allow_host: Iterable[str] = (),
    header: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[Resource]:
    """Iterates over the resources of a sitemap, of all sitemaps of an index, or of a list with one URI per line, compressed or not.

    ``lastmod`` is as in the sitemap, which has no lengths and digests. :func:`publish` takes the result. Nothing is read before the first
    resource is asked for.

    :param source: the path of a file, or a URL.
    :param folders: folders by the URI at which they are published: sitemaps of an index are read from there. Otherwise those of a file cannot be read.
    :param zone: the time zone of times without one, such as ``"+09:00"``.
    :param allow_host: hosts that may be requested besides that of the URL, also private addresses.
    :param header: headers by origin and name; sent to this origin only.
    :raises InputError: if something cannot be read, or is not a sitemap; the resources before it were passed on.

    >>> from pathlib import Path
    >>> _ = Path("uris.txt").write_text("https://example.com/1\\nhttps://example.com/2\\n")
    >>> [resource.uri for resource in resourcesync.read_sitemap("uris.txt")]
    ['https://example.com/1', 'https://example.com/2']
    """
    if isinstance(allow_host, str):
        raise ConfigError(f"allow_host is a list, such as allow_host=[{allow_host!r}]")
    given = {
        "start": os.fspath(source),
        "folders": {base: os.fspath(folder) for base, folder in (folders or {}).items()},
        "zone": zone,
        "servers": {"allow_host": list(allow_host), "header": header or {}},
    }
    return _resources(json.dumps(given))


def _resources(given: str) -> Iterator[Resource]:
    for entry in _core.SitemapEntries(given):
        yield Resource.of(entry)
