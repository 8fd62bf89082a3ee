"""Sets of resources: a queryset, and how its objects are published."""

from __future__ import annotations

import mimetypes
import os
import sys
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Generic, Union, cast

from django.core.exceptions import ImproperlyConfigured
from django.db import models, router
from django.db.models.fields.files import FieldFile
from django.db.models.functions import Length

from .. import _platform
from .._entries import Moment, Related, Resource
from . import _settings

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    M = TypeVar("M", bound=models.Model, default=Any)
else:
    from typing import TypeVar

    M = TypeVar("M")

R = TypeVar("R", bound="ResourceSet[Any]")

#: The content of an object: a file of a model, a path, or bytes.
ContentOf = Union[FieldFile, str, "os.PathLike[str]", bytes, None]


class ResourceSet(Generic[M]):
    """A set of resources: the objects of a queryset, each published under a URI.

    Subclasses are found in ``resourcesync.py`` of the installed applications::

        @register("theses")
        class Theses(ResourceSet[Thesis]):
            queryset = Thesis.objects.filter(public=True)
            lastmod = "updated"

    An object that is saved, changed or deleted is published after its transaction was committed; one that leaves the queryset is published as deleted.
    """

    #: The objects that are published.
    queryset: ClassVar[models.QuerySet[Any]]
    #: The field with the time of the last change.
    lastmod: ClassVar[str | None] = None
    #: The name under which the set is registered.
    name: ClassVar[str] = ""

    def uri(self, obj: M, /) -> str:
        """The URI of an object, or its path, which is joined to ``BASE_URI``."""
        found = cast(Any, obj).get_absolute_url()
        return "" if found is None else str(found)

    def links(self, obj: M, /) -> Iterable[Related]:
        """Links to related resources, such as metadata."""
        return ()

    def content(self, obj: M, /) -> ContentOf:
        """The bytes under the URI: a file of the object, a path, or bytes. The length and the digest are published."""
        return None

    def media_type(self, obj: M, /) -> str | None:
        """The media type; by default that of the name of the content."""
        content = self.content(obj)
        name = content.name if isinstance(content, FieldFile) else content
        return mimetypes.guess_type(name)[0] if isinstance(name, (str, os.PathLike)) else None

    def modified(self, obj: M, /) -> Moment | None:
        """The time of the last change; by default the field ``lastmod``."""
        return None if self.lastmod is None else cast("Moment | None", aware(getattr(obj, self.lastmod)))

    def resource(self, obj: M, /) -> Resource:
        """What is published of an object, except the length and the digest of its content."""
        base = _settings.read_to_publish().BASE_URI
        links = [_absolute(base, link) for link in self.links(obj)]
        return Resource(_platform.joined(base, self.uri(obj)), lastmod=self.modified(obj), type=self.media_type(obj), links=links)


class Records:
    """The objects of a set, as they are published."""

    def __init__(self, own: ResourceSet[Any]) -> None:
        self._own = own
        self.model: type[models.Model] = own.queryset.model
        #: The model whose table has the objects: that of a proxy.
        self.concrete: type[models.Model] = cast("type[models.Model]", self.model._meta.concrete_model)
        self._key: Any = self.concrete._meta.pk
        #: The field of its values: that of a parent, or of another related object.
        self._field: Any = self._key
        while self._field.remote_field is not None:
            self._field = self._field.target_field

    @property
    def database(self) -> str:
        """The database in which the objects are written."""
        given: str | None = getattr(self._own.queryset, "_db", None)
        return given or router.db_for_write(self.model)

    def keys(self, obj: models.Model) -> Iterable[str]:
        """The keys of the objects of this set that an object of any model is, or is a part of: as an object of a parent model, or of a proxy."""
        if isinstance(obj, self.concrete):
            return [self._text(getattr(obj, self._key.attname))]
        parent = cast(Any, type(obj)._meta.concrete_model)
        children = self.concrete._base_manager.using(self.database).filter(**{parent._meta.pk.name: obj.pk})
        return [self._text(key) for key in children.values_list("pk", flat=True)]

    def key(self, text: str, /) -> str:
        """A key in the spelling of the database."""
        return self._text(text)

    def current(self, keys: Sequence[str]) -> Mapping[str, _platform.Describe]:
        """The objects with these keys that are in the queryset."""
        values, found = _platform.read_keys(keys, self._field.to_python)
        objects = self._objects()
        own = list(objects.filter(pk__in=values))
        if (self._field.max_length or sys.maxsize) > _platform.LONG and any(map(_platform.may_be_digest, keys)):
            own += objects.alias(resourcesync_length=Length("pk")).filter(resourcesync_length__gt=_platform.LONG)
        found.update((self._text(each.pk), self._describe(each)) for each in own)
        return found

    def everything(self) -> Iterator[tuple[str, _platform.Describe]]:
        """All objects, in pages: no cursor or transaction is open meanwhile."""
        objects = self._objects().order_by("pk")
        page = list(objects[: _platform.CHUNK])
        while page:
            # A join repeats its object.
            for _, repeated in groupby(page, key=lambda each: each.pk):
                each = next(repeated)
                yield self._text(each.pk), self._describe(each)
            page = list(objects.filter(pk__gt=page[-1].pk)[: _platform.CHUNK])

    def _objects(self) -> models.QuerySet[Any]:
        return cast("models.QuerySet[Any]", self._own.queryset.using(self.database).all())

    def _text(self, key: Any) -> str:
        """A primary key as text, as ``to_python`` of its field reads it, in the spelling of the database: an object that was not read since it was saved
        may have another one. No exception: the application saves it."""
        with suppress(Exception):
            key = self._field.to_python(key)
            if isinstance(key, Decimal):
                key = key.quantize(Decimal(1).scaleb(-self._field.decimal_places))
        return _platform.short(b64encode(key).decode() if isinstance(key, (bytes, memoryview)) else str(key))

    def _describe(self, obj: models.Model) -> _platform.Describe:
        def describe() -> list[_platform.Described]:
            content = self._own.content(obj)
            return [_platform.Described(self._own.resource(obj), _Content(content) if content or isinstance(content, bytes) else None)]

        return describe


class _Content:
    """The content of an object."""

    def __init__(self, content: FieldFile | str | os.PathLike[str] | bytes) -> None:
        self._content = content

    @property
    def stamp(self) -> str:
        content = self._content
        if isinstance(content, bytes):
            return ""
        if isinstance(content, FieldFile):
            try:
                modified = content.storage.get_modified_time(cast(str, content.name))
            except NotImplementedError:
                return ""
            return f"{content.name} {content.size} {modified.isoformat()}"
        found = os.stat(content)
        return f"{os.fspath(content)} {found.st_size} {found.st_mtime_ns}"

    def open(self) -> BinaryIO:
        content = self._content
        if isinstance(content, bytes):
            return BytesIO(content)
        if isinstance(content, FieldFile):
            return cast(BinaryIO, content.storage.open(cast(str, content.name), "rb"))
        return open(content, "rb")


#: All registered sets, by name.
registry: dict[str, ResourceSet[Any]] = {}


def register(name: str) -> Callable[[type[R]], type[R]]:
    """Registers a set under a name, which is that of its folder below ``FOLDER``."""

    def decorate(own: type[R]) -> type[R]:
        if not isinstance(getattr(own, "queryset", None), models.QuerySet):
            raise ImproperlyConfigured(f"{own.__name__}.queryset is not a queryset")
        if name in registry and type(registry[name]) is not own:
            raise ImproperlyConfigured(f"two sets are registered as {name!r}: {type(registry[name]).__name__} and {own.__name__}")
        own.name = name
        registry[name] = own()
        return own

    return decorate


def records() -> dict[str, Records]:
    """The objects of all sets."""
    return {name: Records(own) for name, own in registry.items()}


def aware(value: Any) -> Any:
    """A datetime with a time zone: without one it is in that of the project."""
    from datetime import datetime

    from django.utils import timezone

    is_naive = isinstance(value, datetime) and timezone.is_naive(value)
    return timezone.make_aware(value, timezone.get_default_timezone()) if is_naive else value


def _absolute(base: str, link: Related) -> Related:
    from dataclasses import replace

    return replace(link, href=_platform.joined(base, link.href))
