"""A callback for notifications in Django: a view, and a project around it in one file."""

from __future__ import annotations

import callback_store
import django
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import re_path
from django.views.decorators.csrf import csrf_exempt

if not settings.configured:
    # By default Django rejects a body of more than 2.5 MiB, which is less than a subscriber accepts.
    longest = 9 * 1024 * 1024
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="only for this example", DATA_UPLOAD_MAX_MEMORY_SIZE=longest)
    django.setup()


@csrf_exempt
def callback(request: HttpRequest) -> HttpResponse:
    """Replies to the hub. Its signature replaces Django's CSRF token."""
    query = request.META["QUERY_STRING"]
    reply = callback_store.answer(request.method or "", request.path, query, request.headers.items(), request.body)
    response = HttpResponse(reply.body, status=reply.status)
    # Django adds the Content-Type of HTML to an empty body too.
    del response["Content-Type"]
    for name, value in reply.headers:
        response[name] = value
    return response


urlpatterns = [re_path(r"^rs/.+$", callback)]
