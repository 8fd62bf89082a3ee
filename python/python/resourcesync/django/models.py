"""The tables: the outbox, what has been published, and what is followed."""

from __future__ import annotations

import time
from datetime import datetime, timezone as zone
from typing import Any, ClassVar

from django.db import models
from django.utils import timezone

from ._texts import both


def milliseconds() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Outbox(models.Model):
    """An object that changed, written in the transaction that changed it. ``at`` is the time in milliseconds since 1970."""

    objects: ClassVar[models.Manager[Outbox]]
    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    set: models.CharField[str, str] = models.CharField(max_length=100)
    key: models.CharField[str, str] = models.CharField(max_length=512)
    at: models.BigIntegerField[int, int] = models.BigIntegerField(default=milliseconds)

    class Meta:
        """Options."""

        verbose_name = both("pending change", "未公開の変更")
        verbose_name_plural = both("pending changes", "未公開の変更")

    @property
    def moment(self) -> datetime:
        """The time."""
        return datetime.fromtimestamp(self.at / 1000, zone.utc)


class UriIndex(models.Index):
    """An index of URIs, which may be longer than the values of the default index of PostgreSQL."""

    def create_sql(self, model: type[models.Model], schema_editor: Any, using: str = "", **options: Any) -> Any:
        """Only PostgreSQL has kinds of indexes; MySQL wants to know how much of a text it keeps."""
        statement: Any = super().create_sql(model, schema_editor, using=" USING hash", **options)
        if schema_editor.connection.vendor == "mysql":
            statement.parts["columns"] = f"{schema_editor.quote_name('uri')}(255)"
        return statement


class Item(models.Model):
    """A URI under which an object has been published, and the digest of its content."""

    objects: ClassVar[models.Manager[Item]]
    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    set: models.CharField[str, str] = models.CharField(max_length=100)
    key: models.CharField[str, str] = models.CharField(max_length=512)
    uri: models.TextField[str, str] = models.TextField()
    stamp: models.TextField[str, str] = models.TextField(default="", blank=True)
    length: models.BigIntegerField[int | None, int | None] = models.BigIntegerField(null=True, blank=True)
    sha256: models.CharField[str, str] = models.CharField(max_length=64, default="", blank=True)

    class Meta:
        """Options."""

        indexes = [models.Index(fields=["set", "key"], name="resourcesync_item_key"), UriIndex(fields=["uri"], name="resourcesync_item_uri")]


class Turn(models.Model):
    """The only row is locked by transactions that change items."""

    objects: ClassVar[models.Manager[Turn]]
    id: models.IntegerField[int, int] = models.IntegerField(primary_key=True)


class Publication(models.Model):
    """A publication, reconciliation or validation. ``sets`` has the counts of each set, ``problems`` what was not published or is wrong."""

    objects: ClassVar[models.Manager[Publication]]
    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(both("time", "日時"), default=timezone.now, db_index=True)
    kind: models.CharField[str, str] = models.CharField(both("kind", "種類"), max_length=20)
    created: models.IntegerField[int, int] = models.IntegerField(both("created", "作成"), default=0)
    updated: models.IntegerField[int, int] = models.IntegerField(both("updated", "更新"), default=0)
    deleted: models.IntegerField[int, int] = models.IntegerField(both("deleted", "削除"), default=0)
    unchanged: models.IntegerField[int, int] = models.IntegerField(both("unchanged", "変更なし"), default=0)
    waiting: models.IntegerField[int, int] = models.IntegerField(both("unsent notifications", "未送信の通知"), default=0)
    sets: models.JSONField[Any, Any] = models.JSONField(both("sets", "リソースセット"), default=dict)
    problems: models.JSONField[Any, Any] = models.JSONField(both("findings", "指摘"), default=list)

    class Meta:
        """Options."""

        verbose_name = both("publication", "公開")
        verbose_name_plural = both("publications", "公開")
        ordering = ["-id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M:%S}"


class Followed(models.Model):
    """A Source that is followed. ``sequence`` is that of the last change that was applied, of the state folder with this ``token``."""

    objects: ClassVar[models.Manager[Followed]]
    name: models.CharField[str, str] = models.CharField(max_length=100, primary_key=True)
    token: models.CharField[str, str] = models.CharField(max_length=64, default="", blank=True)
    sequence: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    is_due: models.BooleanField[bool, bool] = models.BooleanField(default=False)


class Held(models.Model):
    """A resource of a Source that is followed, as it was applied last. ``key`` is the SHA-256 of the URI."""

    objects: ClassVar[models.Manager[Held]]
    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    name: models.CharField[str, str] = models.CharField(max_length=100)
    key: models.CharField[str, str] = models.CharField(max_length=64)
    uri: models.TextField[str, str] = models.TextField()
    lastmod: models.CharField[str, str] = models.CharField(max_length=64, default="", blank=True)
    length: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    sha256: models.CharField[str, str] = models.CharField(max_length=64)
    sequence: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)

    class Meta:
        """Options."""

        constraints = [models.UniqueConstraint(fields=["name", "key"], name="resourcesync_held_key")]


class Subscription(models.Model):
    """A value of the subscriber of a Source that is followed."""

    objects: ClassVar[models.Manager[Subscription]]
    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    name: models.CharField[str, str] = models.CharField(max_length=100)
    key: models.CharField[str, str] = models.CharField(max_length=255)
    value: models.JSONField[Any, Any] = models.JSONField()

    class Meta:
        """Options."""

        constraints = [models.UniqueConstraint(fields=["name", "key"], name="resourcesync_subscription_key")]
