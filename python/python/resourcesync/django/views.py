"""Views that serve the published folder, and the callback of a Source that is followed."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from .. import _serving
from . import _settings


class _Body:
    """The bytes of a response, which closes the file."""

    def __init__(self, served: _serving.Served) -> None:
        self._served = served

    def __iter__(self) -> Iterator[bytes]:
        return self._served.pieces()

    def close(self) -> None:
        self._served.close()


def document(request: HttpRequest, path: str) -> HttpResponseBase:
    """A published document: with media type, conditional requests, ranges and gzip."""
    own = _settings.read_to_publish()
    served = _serving.serve(own.folder, path, request.method or "", request.headers.get, sendfile=own.SENDFILE)
    response: HttpResponseBase
    response = HttpResponse(status=served.status) if served.file is None else StreamingHttpResponse(_Body(served), status=served.status)
    del response["Content-Type"]
    for name, value in served.fields:
        response[name] = value
    return response
