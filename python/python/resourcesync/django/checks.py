"""System checks: ``manage.py check`` finds mistakes in the settings and the sets before anything is published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.urls import NoReverseMatch, reverse

from .._errors import ConfigError
from . import _settings
from ._sets import Records, ResourceSet, registry


@checks.register("resourcesync")
def check(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    """All checks."""
    try:
        own = _settings.read()
        for name in own.FOLLOW:
            own.followed(name)
        if not registry:
            return []
        own = _settings.read_to_publish()
    except ConfigError as error:
        return [checks.Error(str(error), id="resourcesync.E001")]
    return [*_uris(own), *_folder(own), *_sets(), *_urls(own)]


def _uris(own: _settings.Settings) -> Iterator[checks.CheckMessage]:
    hubs = [("HUBS", uri) for uri in own.HUBS or ()]
    for name, uri in [("BASE_URI", own.BASE_URI), *hubs]:
        parts = urlsplit(uri)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            yield checks.Error(f"RESOURCESYNC[{name!r}] is not an absolute HTTP URI: {uri!r}", id="resourcesync.E002")
        elif parts.query or parts.fragment and name == "BASE_URI":
            yield checks.Error(f"RESOURCESYNC[{name!r}] has a query or a fragment: {uri!r}", id="resourcesync.E002")
        elif name == "HUBS" and parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
            yield checks.Warning(f"the hub {uri!r} is not requested over HTTPS", id="resourcesync.W003")
    if urlsplit(own.BASE_URI).hostname and urlsplit(own.BASE_URI).path not in ("", "/"):
        hint = "Serve FOLDER/.well-known/resourcesync at the root of the host, or link to the Capability Lists with {% resourcesync_links %}."
        message = "BASE_URI has a path, so clients do not find the Source at /.well-known/resourcesync"
        yield checks.Warning(message, hint=hint, id="resourcesync.W004")


def _folder(own: _settings.Settings) -> Iterator[checks.CheckMessage]:
    if not own.folder.is_absolute():
        hint = "Use BASE_DIR / 'public'."
        yield checks.Error(f"RESOURCESYNC['FOLDER'] is relative: {own.FOLDER}", hint=hint, id="resourcesync.E005")


def _sets() -> Iterator[checks.CheckMessage]:
    databases: set[str] = set()
    for name, own in registry.items():
        if not name or name != name.strip(".") or not all(each.isalnum() and each.isascii() or each in "-_." for each in name):
            message = f"{name!r} is not a name of a folder"
            yield checks.Error(message, hint="Use letters, digits, hyphens and underscores.", obj=type(own), id="resourcesync.E006")
        records = Records(own)
        databases.add(records.database)
        yield from _set(own, records.model)
    if len(databases) > 1:
        yield checks.Error(f"the sets are in several databases: {', '.join(sorted(databases))}", id="resourcesync.E007")


def _set(own: ResourceSet[Any], model: type[models.Model]) -> Iterator[checks.CheckMessage]:
    if type(own).uri is ResourceSet.uri and type(own).resource is ResourceSet.resource and not hasattr(model, "get_absolute_url"):
        hint = "Define uri() in the set, or get_absolute_url() in the model."
        yield checks.Error(f"{model.__name__} has no URI", hint=hint, obj=type(own), id="resourcesync.E008")
    if type(model._meta.pk).__name__ == "CompositePrimaryKey":
        yield checks.Error(f"{model.__name__} has a composite primary key, which is not supported", obj=type(own), id="resourcesync.E009")
    if own.lastmod is None:
        return
    try:
        field = model._meta.get_field(own.lastmod)
    except FieldDoesNotExist:
        yield checks.Error(f"{model.__name__} has no field {own.lastmod!r}", obj=type(own), id="resourcesync.E010")
        return
    if not isinstance(field, models.DateField):
        yield checks.Error(f"{model.__name__}.{own.lastmod} is not a date or a datetime", obj=type(own), id="resourcesync.E010")
        return
    indexed = {index.fields[0].removeprefix("-") for index in model._meta.indexes if index.fields}
    if not (getattr(field, "db_index", False) or field.unique or field.name in indexed):
        hint = "Add db_index=True, if the site lists recent objects by it."
        yield checks.Info(f"{model.__name__}.{own.lastmod} has no index", hint=hint, obj=type(own), id="resourcesync.I011")


def _urls(own: _settings.Settings) -> Iterator[checks.CheckMessage]:
    try:
        reverse("resourcesync:document", kwargs={"path": "x"})
    except NoReverseMatch:
        hint = "Add path('', include('resourcesync.django.urls')), or let the web server serve the folder."
        yield checks.Info("the published documents have no URL in this project", hint=hint, id="resourcesync.I012")
