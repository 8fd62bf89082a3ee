"""A project of Django whose sets are in another database than the default, with models that inherit; ends with an error if something else happens."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "library.settings"
django.setup()

import resourcesync as rs
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.test.utils import override_settings
from resourcesync.django import changed, publish, reconcile
from resourcesync.django import _follow
from resourcesync.django.models import Followed, Outbox, Publication

# A project of which the type checker knows nothing.
models: Any = __import__("theses.models", fromlist=["Thesis"])
Book, Digest, Recent, Shelf, Thesis, Work = models.Book, models.Digest, models.Recent, models.Shelf, models.Thesis, models.Work
Article, Code, Issue = models.Article, models.Code, models.Issue
PUBLIC = Path(settings.RESOURCESYNC["FOLDER"])


def counts(name: str) -> tuple[int, int, int]:
    found = publish().sets[name]
    return found.created, found.updated, found.deleted


def waiting() -> list[str]:
    """What waits; it is published then."""
    found = sorted(f"{row.set} {row.key}" for row in Outbox.objects.all())
    publish()
    return found


call_command("check", fail_level="WARNING", databases=["default", "other"])
indexes = connections["other"].introspection.get_constraints(connections["other"].cursor(), "resourcesync_item")
assert indexes["resourcesync_item_uri"]["columns"] == ["uri"] and indexes["resourcesync_item_uri"]["index"]
assert connections["other"].vendor != "postgresql" or indexes["resourcesync_item_uri"]["type"] == "hash"

# An object is one of the set also as an object of the model of its proxy, of a child, or of a parent.
thesis = Thesis.objects.create(title="one", text="one")
work = Work.objects.create(title="work")
book = Book.objects.create(title="book", number="1")
assert waiting() == sorted([f"books {book.pk}", f"recent {book.pk}", f"recent {work.pk}", f"theses {thesis.pk}"])
Work.objects.get(pk=book.pk).save()
assert waiting() == [f"books {book.pk}", f"recent {book.pk}"]
Work.objects.get(pk=work.pk).save()
Recent.objects.get(pk=work.pk).save()
assert waiting() == [f"recent {work.pk}"] * 2
assert changed(Work.objects.all()) == 3 and changed(Recent.objects.all()) == 3 and changed(Book.objects.all()) == 2
publish()

# Primary keys of bytes.
for key in (b"\0\1", b"\xff"):
    Digest.objects.create(key=key)
    assert counts("digests") == (1, 0, 0)
Digest.objects.get(key=b"\xff").delete()
assert counts("digests") == (0, 0, 1)
# Keys in another spelling than that of the database, and longer ones than the outbox has place for.
number = uuid4()
keyed: list[tuple[str, Any, Any]] = [("articles", Article, number.hex), ("issues", Issue, "1.5"), ("codes", Code, "a" * 600), ("codes", Code, "b" * 600)]
for name, model, value in keyed:
    model.objects.create(key=value)
    assert counts(name) == (1, 0, 0), name
done = reconcile()
assert done.is_complete and not any(each.created or each.updated or each.deleted for each in done.sets.values()) and not waiting()
for name, model, value in (("articles", Article, str(number).upper()), ("issues", Issue, 1.5), ("codes", Code, "a" * 600)):
    model(key=value).delete()
    assert counts(name) == (0, 0, 1), name
# A title beyond the queryset of the proxy.
work.title = ""
work.save()
assert counts("recent") == (0, 0, 1)
Work.objects.get(pk=book.pk).delete()
done = publish()
assert (done.sets["books"].deleted, done.sets["recent"].deleted) == (1, 1), done
shelf = Shelf.objects.create()
Work.objects.create(title="on the shelf", shelf=shelf)
assert counts("recent") == (1, 0, 0)
shelf.delete()
assert counts("recent") == (0, 0, 1)
assert [str(found) for found in rs.validate(PUBLIC)] == []

# What a request of one transaction saves is published after it, or not at all.
inline = {**settings.RESOURCESYNC, "PUBLISH": "inline"}
with override_settings(RESOURCESYNC=inline, ROOT_URLCONF="library.acts"):
    client = Client(raise_request_exception=False)
    assert client.get("/save/saved").status_code == 200 and client.get("/save/fails").status_code == 500
    assert [thesis.title for thesis in Thesis.objects.order_by("pk")] == ["one", "saved"] and not Outbox.objects.exists()
    (*_, entry) = rs.iter_entries(PUBLIC / "theses" / "changelist.xml")
    assert (entry.change, str(entry.uri).rpartition("/")[2]) == ("created", str(Thesis.objects.get(title="saved").pk))

# The admin page and the command read where it was written.
User: Any = get_user_model()
User.objects.create_superuser("admin", password="x")
admin: Any = Client()
admin.force_login(User.objects.get())
page = admin.get("/admin/resourcesync/publication/").content.decode()
assert page.count('class="field-kind"') == Publication.objects.using("other").count() > 0
own = Publication.objects.using("other").first()
assert own is not None and admin.get(f"/admin/resourcesync/publication/{own.pk}/change/").status_code == 200
out = io.StringIO()
call_command("resourcesync", "status", stdout=out)
assert "theses: 2 published, 0 waiting" in out.getvalue() and "nothing waits" in out.getvalue(), out.getvalue()

# What is followed is applied in a transaction of that database.
with _follow._locked("partner"):
    assert connections["other"].in_atomic_block and not connections["default"].in_atomic_block
assert Followed.objects.using("other").filter(name="partner").exists()
