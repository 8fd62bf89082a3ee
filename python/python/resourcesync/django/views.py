"""Views that serve the published folder, and the callback of a Source that is followed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt

from .. import _serving
from . import _follow, _settings


class _Body:
    """The bytes of a response, which closes the file."""

    def __init__(self, served: _serving.Served) -> None:
        self._served = served

    def close(self) -> None:
        self._served.close()


class _SyncBody(_Body):
    def __iter__(self) -> Iterator[bytes]:
        return self._served.pieces()


class _AsyncBody(_Body):
    """Django would read the whole of another one before it sends the first byte."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = self._served.pieces()
        while piece := await asyncio.to_thread(next, pieces, b""):
            yield piece


def document(request: HttpRequest, path: str) -> HttpResponseBase:
    """A published document: with media type, conditional requests, ranges and gzip."""
    own = _settings.read_to_publish()
    served = _serving.serve(own.folder, path, request.method or "", request.headers.get, sendfile=own.SENDFILE)
    response: HttpResponseBase
    if served.file is None:
        response = HttpResponse(status=served.status)
    else:
        body = _AsyncBody(served) if isinstance(request, ASGIRequest) else _SyncBody(served)
        response = StreamingHttpResponse(body, status=served.status)
    del response["Content-Type"]
    for name, value in served.fields:
        response[name] = value
    return response


@csrf_exempt
def callback(request: HttpRequest, name: str, **_: str) -> HttpResponse:
    """Answers the hubs of a Source that is followed. The signature of a notification replaces the CSRF token."""
    if name not in _settings.read().FOLLOW:
        raise Http404
    reply = _follow.answer(name, request.method or "", request.path, request.META["QUERY_STRING"], request.headers.items(), request.body)
    response = HttpResponse(reply.body, status=reply.status)
    del response["Content-Type"]
    for field, value in reply.headers:
        response[field] = value
    return response
