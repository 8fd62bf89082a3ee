"""System checks: ``manage.py check`` finds mistakes in the settings and the sets before anything is published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.urls import NoReverseMatch, reverse

from .._errors import ConfigError
from . import _settings
from ._sets import Records, ResourceSet, registry

#: What the database does with rows by itself, from Django 6.1 on.
_BY_DATABASE = [getattr(models, name) for name in ("DB_CASCADE", "DB_SET_NULL", "DB_SET_DEFAULT") if hasattr(models, name)]


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
    return [*_settings_of(own), *_sets(), *_urls(own)]


def _settings_of(own: _settings.Settings) -> Iterator[checks.CheckMessage]:
    for mistake in own.mistakes(registry):
        kind = checks.Error if mistake.is_error else checks.Warning
        yield kind(mistake.message, hint=mistake.hint, id=f"resourcesync.{mistake.code}")


def _sets() -> Iterator[checks.CheckMessage]:
    databases: set[str] = set()
    for own in registry.values():
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
    for relation in model._meta.fields:
        rule: Any = getattr(relation.remote_field, "on_delete", None)
        if rule in _BY_DATABASE:
            hint = "The database changes objects without a signal, so only reconcile finds that: run it often, or let Django do it."
            yield checks.Warning(f"{model.__name__}.{relation.name} has on_delete={rule}", hint=hint, obj=type(own), id="resourcesync.W013")
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
    if not isinstance(field, models.DateTimeField) and type(own).content is ResourceSet.content:
        hint = "A second change on the same day is not published: use a DateTimeField, or define content() in the set."
        yield checks.Warning(f"{model.__name__}.{own.lastmod} is a date", hint=hint, obj=type(own), id="resourcesync.W014")
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
