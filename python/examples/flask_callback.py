"""A callback for notifications in a Flask application."""

from __future__ import annotations

import callback_store
from flask import Flask, Response, request

app = Flask(__name__)


@app.route("/rs/<path:_>", methods=["GET", "POST", "PUT", "DELETE", "PATCH"])
def callback(_: str) -> Response:
    """Replies to the hub."""
    body = request.get_data(cache=False)
    reply = callback_store.answer(request.method, request.path, request.query_string, request.headers.items(), body)
    response = Response(reply.body, reply.status)
    # Without the Content-Type of HTML, which Flask adds to an empty body too.
    response.headers.clear()
    response.headers.extend(list(reply.headers))
    return response
