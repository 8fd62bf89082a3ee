"""An ASGI application that serves a published folder: ``uvicorn`` runs it, and Starlette and FastAPI mount it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from . import _serving

__all__ = ["Folder"]

_Message = MutableMapping[str, Any]


class Folder:
    """Serves the documents of a folder with media types, conditional requests, ranges, gzip, and the links of topics.

    :param folder: the published folder. Only its files are served, and links do not lead out of it.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[_Message]], send: Callable[[_Message], Awaitable[None]]
    ) -> None:
        """Answers a request."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError(f"only HTTP is served, not {scope['type']}")
        # An application that is mounted below a path gets the whole path.
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", ""))).removeprefix("/")
        fields = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        served = await asyncio.to_thread(_serving.serve, self._folder, path, scope["method"], fields.get)
        try:
            headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in served.fields]
            await send({"type": "http.response.start", "status": served.status, "headers": headers})
            pieces = served.pieces()
            while piece := await asyncio.to_thread(next, pieces, b""):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            served.close()


async def _lifespan(receive: Callable[[], Awaitable[_Message]], send: Callable[[_Message], Awaitable[None]]) -> None:
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return
