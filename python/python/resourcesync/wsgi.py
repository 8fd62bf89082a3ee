"""A WSGI application that serves a published folder: ``gunicorn "resourcesync.wsgi:Folder('public')"``, or mounted in another application."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from typing import Any

from . import _serving

__all__ = ["Folder"]


class _Body:
    """The bytes of a response, which closes the file."""

    def __init__(self, served: _serving.Served) -> None:
        self._served = served

    def __iter__(self) -> Iterator[bytes]:
        return self._served.pieces()

    def close(self) -> None:
        self._served.close()


class Folder:
    """Serves the documents of a folder with media types, conditional requests, ranges, gzip, and the links of topics.

    :param folder: the published folder. Only its files are served, and links do not lead out of it.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers a request."""
        path = str(environ.get("PATH_INFO", "")).encode("latin-1").decode("utf-8", "replace").removeprefix("/")
        served = _serving.serve(self._folder, path, environ["REQUEST_METHOD"], lambda name: environ.get(f"HTTP_{name.upper().replace('-', '_')}"))
        start_response(f"{served.status} {HTTPStatus(served.status).phrase}", served.fields)
        return _Body(served)
