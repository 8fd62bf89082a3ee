"""The tables."""

from __future__ import annotations

import django.utils.timezone
import resourcesync.django.models
from django.db import migrations, models


class Migration(migrations.Migration):
    """The first version."""

    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Followed",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("token", models.CharField(blank=True, default="", max_length=64)),
                ("sequence", models.BigIntegerField(default=0)),
                ("is_due", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="Outbox",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("set", models.CharField(max_length=100)),
                ("key", models.CharField(max_length=512)),
                ("at", models.BigIntegerField(default=resourcesync.django.models.milliseconds)),
            ],
            options={
                "verbose_name": "pending change",
                "verbose_name_plural": "pending changes",
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[("id", models.IntegerField(primary_key=True, serialize=False))],
        ),
        migrations.CreateModel(
            name="Publication",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name="time")),
                ("kind", models.CharField(max_length=20, verbose_name="kind")),
                ("created", models.IntegerField(default=0, verbose_name="created")),
                ("updated", models.IntegerField(default=0, verbose_name="updated")),
                ("deleted", models.IntegerField(default=0, verbose_name="deleted")),
                ("unchanged", models.IntegerField(default=0, verbose_name="unchanged")),
                ("waiting", models.IntegerField(default=0, verbose_name="unsent notifications")),
                ("sets", models.JSONField(default=dict, verbose_name="sets")),
                ("problems", models.JSONField(default=list, verbose_name="findings")),
            ],
            options={
                "verbose_name": "publication",
                "verbose_name_plural": "publications",
                "ordering": ["-id"],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Held",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("key", models.CharField(max_length=64)),
                ("uri", models.TextField()),
                ("lastmod", models.CharField(blank=True, default="", max_length=64)),
                ("length", models.BigIntegerField(default=0)),
                ("sha256", models.CharField(max_length=64)),
                ("sequence", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("name", "key"), name="resourcesync_held_key")],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("set", models.CharField(max_length=100)),
                ("key", models.CharField(max_length=512)),
                ("uri", models.TextField()),
                ("stamp", models.TextField(blank=True, default="")),
                ("length", models.BigIntegerField(blank=True, null=True)),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
            ],
            options={
                "indexes": [models.Index(fields=["set", "key"], name="resourcesync_item_key")],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("key", models.CharField(max_length=255)),
                ("value", models.JSONField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("name", "key"), name="resourcesync_subscription_key")],
            },
        ),
    ]

