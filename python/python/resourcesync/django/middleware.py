"""Adds ``Link: <…/capabilitylist.xml>; rel="resourcesync"`` to HTML pages. It is off unless it is added to ``MIDDLEWARE``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Union, cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from . import _links

_Get = Callable[[HttpRequest], Union[HttpResponseBase, Awaitable[HttpResponseBase]]]


class LinkMiddleware:
    """Adds the links."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: _Get) -> None:
        self._get = get_response
        self._is_asynchronous = iscoroutinefunction(get_response)
        if self._is_asynchronous:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answers a request."""
        if self._is_asynchronous:
            return self._later(request)
        return _linked(cast(HttpResponseBase, self._get(request)))

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        return _linked(await cast("Awaitable[HttpResponseBase]", self._get(request)))


def _linked(response: HttpResponseBase) -> HttpResponseBase:
    if response.get("Content-Type", "").startswith("text/html"):
        before = response.get("Link")
        response["Link"] = f"{before}, {_links.header()}" if before else _links.header()
    return response
