"""The published documents, at their URLs. Include it at the path of ``BASE_URI``; URLs that are no published document are left to other patterns."""

from __future__ import annotations

from django.urls import path, register_converter

from . import views
from ._converter import DocumentConverter

register_converter(DocumentConverter, "resourcesync_document")

app_name = "resourcesync"
urlpatterns = [path("<resourcesync_document:path>", views.document, name="document")]
