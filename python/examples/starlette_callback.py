"""A callback for notifications in Starlette, FastAPI and other ASGI frameworks."""

from __future__ import annotations

import callback_store
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def callback(request: Request) -> Response:
    """Replies to the hub; the transaction runs in a thread."""
    query, body = request.scope["query_string"], await request.body()
    reply = await run_in_threadpool(callback_store.answer, request.method, request.url.path, query, request.headers.items(), body)
    response = Response(reply.body, reply.status)
    for name, value in reply.headers:
        response.headers[name] = value
    return response


app = Starlette(routes=[Route("/rs/{path:path}", callback, methods=["GET", "POST", "PUT", "DELETE", "PATCH"])])
