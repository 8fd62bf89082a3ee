"""What happens in a project of Django, run in its folder with its database; ends with an error if it is something else."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import threading
from types import ModuleType
from unittest import mock
from datetime import datetime, timezone
from importlib import import_module
from pathlib import Path
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "library.settings"
django.setup()

import resourcesync as rs
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import AsyncClient, Client
from django.test.utils import override_settings
from django.utils import translation
from resourcesync.django import changed, publish, reconcile
from resourcesync.django._publishing import Tables
from resourcesync.django import ResourceSet
from resourcesync.django._sets import registry
from resourcesync.django.models import Held, Item, Outbox, Publication

# A project of which the type checker knows nothing.
Thesis: Any = __import__("theses.models", fromlist=["Thesis"]).Thesis
Theses: Any = __import__("theses.resourcesync", fromlist=["Theses"]).Theses
PUBLIC = Path(settings.RESOURCESYNC["FOLDER"])
BASE = settings.RESOURCESYNC["BASE_URI"]


def manage(*words: str, fails: str | None = None) -> str:
    out = io.StringIO()
    try:
        call_command("resourcesync", *words, stdout=out, stderr=out)
    except CommandError as error:
        assert fails is not None and fails in str(error), error
    else:
        assert fails is None, out.getvalue()
    return out.getvalue()


def listed() -> set[str]:
    manage("snapshot")
    return {str(entry.uri).removeprefix(f"{BASE}theses/") for entry in rs.iter_entries(PUBLIC / "theses" / "resourcelist.xml")}


def last_changes(number: int) -> list[tuple[str | None, str]]:
    entries = list(rs.iter_entries(PUBLIC / "theses" / "changelist.xml"))[-number:]
    return [(entry.change, str(entry.uri).removeprefix(f"{BASE}theses/")) for entry in entries]


def titled(title: str) -> Any:
    return Thesis.objects.create(title=title, text=title)


call_command("check", fail_level="WARNING")

# Nothing is published before there is something, and what was gone by then leaves nothing; the first publication has everything.
titled("gone").delete()
assert Outbox.objects.exists()
assert "0 created" in manage("publish") and not PUBLIC.exists() and not Outbox.objects.exists()
# Where something may have been published, its deletion waits for the folder.
item = Item.objects.create(set="theses", key="0", uri="http://127.0.0.1/0")
titled("gone").delete()
assert "0 created" in manage("publish") and Outbox.objects.exists()
item.delete()
assert "0 created" in manage("publish") and not Outbox.objects.exists()
Thesis.objects.bulk_create(Thesis(title=str(n), text=str(n)) for n in range(30))
assert "theses: 30 created, 0 updated, 0 deleted, 0 unchanged" in manage("publish")
assert listed() == {str(pk) for pk in Thesis.objects.values_list("pk", flat=True)}

# Saved, changed, hidden and deleted.
one, two, three = Thesis.objects.order_by("pk")[:3]
one.text = "changed"
one.save()
two.public = False
two.save()
gone = str(three.pk)
three.delete()
new = titled("new")
assert "theses: 1 created, 1 updated, 2 deleted, 0 unchanged" in manage("publish")
assert last_changes(4) == [("updated", str(one.pk)), ("deleted", str(two.pk)), ("deleted", gone), ("created", str(new.pk))]
assert not publish().changed

# The time is that of the save, whatever the time zone of the project.
before = datetime.now(timezone.utc)
one.text = "again"
one.save()
after = datetime.now(timezone.utc)
publish()
(*_, entry) = rs.iter_entries(PUBLIC / "theses" / "changelist.xml")
assert entry.lastmod is not None and before <= entry.lastmod <= after, (before, entry.lastmod, after)
assert entry.datetime is not None and entry.datetime <= after

# What is rolled back leaves nothing, also in a savepoint.
try:
    with transaction.atomic():
        titled("rolled back")
        raise RuntimeError
except RuntimeError:
    pass
with transaction.atomic():
    kept = titled("kept")
    try:
        with transaction.atomic():
            titled("rolled back")
            raise RuntimeError
    except RuntimeError:
        pass
assert [row.key for row in Outbox.objects.all()] == [str(kept.pk)]
assert manage("publish").startswith("theses: 1 created, 0 updated, 0 deleted, 0 unchanged")

# A process that ends between the save and its signal has saved and recorded the object.
class Killed(BaseException):
    pass


def killed(**_: Any) -> None:
    raise Killed


from django.db.models.signals import post_save

post_save.connect(killed, sender=Thesis)
try:
    titled("killed")
except Killed:
    pass
post_save.disconnect(killed, sender=Thesis)
assert publish().sets["theses"].created == 1
number = Thesis.objects.count()

# Receivers run after the commit, as without the extension: what they handle themselves does not cancel the save.
from django.contrib.auth.models import Group
from django.db import IntegrityError

Group.objects.create(name="readers")


def handling(**_: Any) -> None:
    assert not connection.in_atomic_block
    try:
        Group.objects.create(name="readers")
    except IntegrityError:
        pass


post_save.connect(handling, sender=Thesis)
handled = titled("handled")
handled.text = "changed"
handled.save()
post_save.disconnect(handling, sender=Thesis)
assert Thesis.objects.get(pk=handled.pk).text == "changed" and Outbox.objects.count() == 2
handled.delete()
publish()

# An object without its row would not be published, so neither of them is saved.
with mock.patch.object(Outbox, "save_base", side_effect=OSError):
    try:
        titled("unwritten")
    except OSError:
        pass
assert Thesis.objects.count() == number

# What a receiver raises within a transaction of the caller is the caller's to handle.
def refused(**_: Any) -> None:
    raise ValueError


from django.db.models.signals import pre_save

pre_save.connect(refused, sender=Thesis)
try:
    with transaction.atomic():
        try:
            titled("refused")
        except ValueError:
            pre_save.disconnect(refused, sender=Thesis)
        titled("not refused")
        raise RuntimeError
except RuntimeError:
    pass
assert Thesis.objects.count() == number

# Nothing is published inside a transaction, since it may be rolled back.
with transaction.atomic():
    try:
        publish()
    except RuntimeError as error:
        assert "durable" in str(error)
    else:
        raise AssertionError

# Bulk operations are found by a comparison, or stated.
Thesis.objects.filter(pk__in=[new.pk, kept.pk]).update(text="bulk")
assert not publish().changed
total = Thesis.objects.filter(public=True).count()
assert manage("reconcile") == f"theses: 0 created, 2 updated, 0 deleted, {total - 2} unchanged\n"
Thesis.objects.filter(pk=new.pk).update(text="bulk again")
assert changed(Thesis.objects.filter(pk=new.pk)) == 1
assert publish().sets["theses"].updated == 1

# Objects without a key cannot be found again. What is no key of the set, such as after a change of its type, is reported and blocks no other.
try:
    changed([one, Thesis(title="no key")])
except ValueError as error:
    assert "an object of Thesis has no primary key; pass objects" in str(error)
else:
    raise AssertionError
Outbox.objects.create(set="theses", key="no number")
Thesis.objects.create(pk=" 0777", title="0777")
text = manage("publish", fails="records that were not published: 1")
assert "1 created" in text and "record no number: ValidationError: " in text and Outbox.objects.count() == 1, text
Thesis.objects.filter(pk=777).delete()
assert reconcile().is_complete and not Outbox.objects.exists()

# A mass deletion needs permission, and a queryset that is deleted reports each object.
Thesis.objects.filter(title__in=[str(n) for n in range(25)]).update(public=False)
manage("reconcile", fails="--max-delete")
assert reconcile(max_delete="90%").sets["theses"].deleted > 20
Thesis.objects.filter(title__in=["26", "27"]).delete()
assert publish().sets["theses"].deleted == 2

# No bytes are content, too.
empty = titled("")
publish()
(*_, entry) = rs.iter_entries(PUBLIC / "theses" / "changelist.xml")
assert entry.length == 0 and "sha-256" in entry.hashes

# An object whose methods fail stays as it is published, is reported, and is tried again; the others are published.
original = Theses.content
bad = titled("bad")
fine = titled("fine")


def failing(self: Any, thesis: Any) -> bytes:
    if thesis.pk == bad.pk:
        raise ValueError("no file")
    content: bytes = original(self, thesis)
    return content


Theses.content = failing
text = manage("publish", fails="records that were not published: 1")
assert "1 created" in text and f"record {bad.pk}: ValueError: no file" in text and "1 failed" in text, text
assert str(fine.pk) in listed_after if (listed_after := {uri for _, uri in last_changes(1)}) else False
manage("reconcile", fails="records that were not published: 1")
assert "no file" in manage("status")
Theses.content = original
assert publish().sets["theses"].created == 1

# So is one whose values no list can have: a time without a zone, the URI of a document.
naive = titled("naive")
clashing = titled("clashing")
original_resource = Theses.resource


def impossible(self: Any, thesis: Any) -> rs.Resource:
    if thesis.pk == naive.pk:
        return rs.Resource(f"{BASE}theses/{thesis.pk}", lastmod=datetime(2024, 5, 1))
    if thesis.pk == clashing.pk:
        return rs.Resource(f"{BASE}theses/resourcelist-x.xml")
    resource: rs.Resource = original_resource(self, thesis)
    return resource


Theses.resource = impossible
beside = titled("beside")
text = manage("publish", fails="records that were not published: 2")
assert "1 created" in text and "2 refused" in text and f"record {naive.pk}: " in text and f"record {clashing.pk}: " in text, text
assert last_changes(1) == [("created", str(beside.pk))] and {row.key for row in Outbox.objects.all()} == {str(naive.pk), str(clashing.pk)}
assert manage("status").count("not published: ") == 2
del Theses.resource
assert publish().sets["theses"].created == 2

# So is one without a URI, or with one that would be of another host.
for number, wrong in enumerate((None, "", "//other.example/x")):
    with mock.patch.object(Thesis, "get_absolute_url", lambda self: wrong):
        unplaced = titled(f"unplaced {number}")
        assert "1 refused" in manage("publish", fails="records that were not published: 1")
    unplaced.delete()
    assert not publish().changed

# A problem that ends without a change is not shown any longer.
bad = beside
Theses.content = failing
changed([bad])
manage("publish", fails="records that were not published: 1")
assert "not published: " in manage("status")
Theses.content = original
changed([bad])
assert not publish().changed and "not published: " not in manage("status")

# Another URI: the old one is deleted; two objects may exchange theirs.
Theses.uri = lambda self, thesis: f"/theses/{thesis.title}"
assert reconcile(max_delete="100%").sets["theses"].created > 0
first, second = titled("first"), titled("second")
publish()
first.title = "moved"
first.save()
assert publish().sets["theses"].deleted == 1 and last_changes(2) == [("deleted", "first"), ("created", "moved")]
first.title, second.title = "second", "moved"
first.save()
second.save()
publish()
assert {"second", "moved"} <= listed()
second.title = "third"
second.save()
first.title = "moved"
first.save()
publish()
assert {"third", "moved"} <= listed() and not {"second", "first"} & listed()

# Two versions of a work have its URI, until the old one is no longer public: what is published under it stays.
version = titled("work")
publish()
newer = titled("work")
publish()
version.public = False
version.save()
assert publish().sets["theses"].deleted == 0 and "work" in listed()
newer.delete()
assert publish().sets["theses"].deleted == 1 and "work" not in listed()
del Theses.uri

# What is hidden, and shown again while the publication of that runs, is still published as deleted when it is hidden once more.
reconcile(max_delete="100%")
back = titled("back")
publish()
back.public = False
back.save()
original_pending = Tables.pending
shown = False


def pending(self: Tables, after: int, limit: int) -> Any:
    global shown
    if after and not shown:
        shown = True
        back.public = True
        back.save()
    return original_pending(self, after, limit)


Tables.pending = pending  # type: ignore[method-assign]
publish()
Tables.pending = original_pending  # type: ignore[method-assign]
assert shown and str(back.pk) in listed()
back.public = False
back.save()
assert publish().sets["theses"].deleted == 1 and last_changes(1) == [("deleted", str(back.pk))]

# One of several processes publishes at a time; the others wait.
reconcile(max_delete="100%")


def save_and_publish(title: str) -> None:
    titled(title)
    publish()
    connection.close()


threads = [threading.Thread(target=save_and_publish, args=(f"thread {n}",)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert listed() >= {str(pk) for pk in Thesis.objects.filter(title__startswith="thread").values_list("pk", flat=True)}

# A transaction of the publisher locks before it reads: with SQLite another one waits, instead of letting it fail.
tables = Tables("default")
tables.begin()
meanwhile = threading.Thread(target=save_and_publish, args=("meanwhile",))
with tables._turn():
    meanwhile.start()
    meanwhile.join(0.5)
    Outbox.objects.create(set="theses", key=str(one.pk))
meanwhile.join()
assert not publish().problems and Outbox.objects.count() == 0

# In the request.
with override_settings(RESOURCESYNC={**settings.RESOURCESYNC, "PUBLISH": "inline"}):
    inline = titled("inline")
    assert last_changes(1) == [("created", str(inline.pk))]

# Celery and the tasks of Django, which run at once here.
if "celery" in sys.argv:
    celery: Any = import_module("celery")
    celery.Celery("library", set_as_current=True).conf.update(task_always_eager=True)
    with override_settings(RESOURCESYNC={**settings.RESOURCESYNC, "PUBLISH": "celery"}):
        task = titled("celery")
        assert last_changes(1) == [("created", str(task.pk))]
if django.VERSION >= (6, 0):
    backend = {"default": {"BACKEND": "django.tasks.backends.immediate.ImmediateBackend"}}
    with override_settings(RESOURCESYNC={**settings.RESOURCESYNC, "PUBLISH": "tasks"}, TASKS=backend):
        task = titled("task")
        assert last_changes(1) == [("created", str(task.pk))]

# Valid, and shown.
assert "VALID" in manage("validate")
assert "nothing waits" in manage("status")

# A change in a set of another project with this database waits for that.
Outbox.objects.create(set="of another project", key="1")
assert publish().is_complete and "nothing waits" in manage("status")
assert Outbox.objects.filter(set="of another project").delete()[0] == 1

# Pages.
client: Any = Client()
response = client.get("/theses/capabilitylist.xml")
assert response.status_code == 200 and response["Content-Type"] == "application/xml"
body = b"".join(response.streaming_content)
assert body == (PUBLIC / "theses" / "capabilitylist.xml").read_bytes()
assert client.get("/theses/capabilitylist.xml", headers={"If-None-Match": response["ETag"]}).status_code == 304
part = client.get("/theses/resourcelist.xml", headers={"Range": "bytes=0-4"})
assert (part.status_code, b"".join(part.streaming_content)) == (206, b"<?xml")


async def asynchronous() -> tuple[str, bytes]:
    found: Any = await AsyncClient().get("/theses/capabilitylist.xml")
    return found["Content-Type"], b"".join([piece async for piece in found.streaming_content])


assert asyncio.run(asynchronous()) == ("application/xml", body)
described = client.get("/.well-known/resourcesync")
assert described.status_code == 200 and described["Content-Type"] == "application/xml"
described.close()
assert client.get(f"/theses/{fine.pk}").content == b"fine"
assert client.get("/../library/settings.py").status_code == 404 and client.post("/theses/resourcelist.xml").status_code == 405
with override_settings(RESOURCESYNC={**settings.RESOURCESYNC, "SENDFILE": ("X-Accel-Redirect", "/internal")}):
    sent = client.get("/theses/capabilitylist.xml")
    assert (sent.status_code, sent.content, sent["X-Accel-Redirect"]) == (200, b"", "/internal/theses/capabilitylist.xml")
from django.template import Context, Template

link = '<link rel="resourcesync" href="http://127.0.0.1:8000/theses/capabilitylist.xml">'
assert Template("{% load resourcesync %}{% resourcesync_links %}").render(Context()) == link
with override_settings(MIDDLEWARE=[*settings.MIDDLEWARE, "resourcesync.django.middleware.LinkMiddleware"]):
    page = Client().get("/admin/login/")
    assert page["Link"] == '<http://127.0.0.1:8000/theses/capabilitylist.xml>; rel="resourcesync"'
    assert "Link" not in Client().get(f"/theses/{fine.pk}").headers

# The admin page: read only, for staff with the permission, in two languages.
User: Any = get_user_model()
from django.contrib.auth.models import Permission

staff = User.objects.create_user("staff", password="x", is_staff=True)
admin: Any = Client()
admin.force_login(staff)
place = "/admin/resourcesync/publication/"
assert admin.get(place).status_code == 403
staff.user_permissions.add(Permission.objects.get(codename="view_publication"))
admin.force_login(User.objects.get(pk=staff.pk))
titled("waits")
page = admin.get(place).content.decode()
assert "Changes that wait" in page and "theses" in page and "no findings" in page and "last publication" in page
with translation.override("ja"), override_settings(LANGUAGE_CODE="ja"):
    admin.force_login(User.objects.get(pk=staff.pk))
    text = admin.get(place).content.decode()
    assert "公開を待つ変更" in text and "最後の公開" in text and "指摘はありません" in text, text
assert admin.get(f"{place}add/").status_code == 403
own = Publication.objects.order_by("-id")[0]
assert admin.post(f"{place}{own.pk}/delete/", {"post": "yes"}).status_code == 403 and Publication.objects.filter(pk=own.pk).exists()

# An object that a join returns twice.
class Members(ResourceSet[Any]):
    queryset = User.objects.filter(groups__isnull=False)

    def uri(self, user: Any) -> str:
        return f"/members/{user.pk}"


staff.groups.add(Group.objects.create(name="one"), Group.objects.create(name="two"))
registry["members"] = Members()
done = publish()
assert done.is_complete and done.sets["members"].created == 1
done = reconcile()
assert done.is_complete and done.sets["members"].unchanged == 1
del registry["members"]

# Mistakes in the settings.
from resourcesync.django import checks


def found(**more: Any) -> list[str | None]:
    with override_settings(RESOURCESYNC={**settings.RESOURCESYNC, **more}):
        return [message.id for message in checks.check(None)]


assert found() == []
assert found(FOLDR="x") == ["resourcesync.E001"] and found(PUBLISH="never") == ["resourcesync.E001"] and found(HUBS="https://h.example/") == ["resourcesync.E001"]
assert found(BASE_URI="repository.example") == ["resourcesync.E002"] and found(HUBS=["ftp://h.example/"]) == ["resourcesync.E002"]
assert found(HUBS=["http://h.example/"]) == ["resourcesync.W003"] and found(BASE_URI="https://r.example/repo/") == ["resourcesync.W004"]
assert found(FOLDER="public") == ["resourcesync.E005"] and found(FOLLOW={"x": {"SOURCE": "https://x.example/"}}) == ["resourcesync.E001"]
Theses.lastmod = "title"
assert found() == ["resourcesync.E010"]
Theses.lastmod = "missing"
assert found() == ["resourcesync.E010"]
Theses.lastmod = "updated"
assert Held.objects.count() == 0


class Users(ResourceSet[Any]):
    queryset = User.objects.all()
    lastmod = "date_joined"


registry["users"] = Users()
assert found() == ["resourcesync.E008", "resourcesync.I011"]
Users.uri = lambda self, user: f"/users/{user.pk}"  # type: ignore[method-assign]
Users.queryset = User.objects.using("other")
assert found() == ["resourcesync.I011", "resourcesync.E007"]
Users.queryset = User.objects.all()
registry["a b"] = registry.pop("users")
assert found() == ["resourcesync.E006", "resourcesync.I011"]
del registry["a b"]
models: Any = import_module("django.db.models")


class Daily(models.Model):  # type: ignore[misc]
    day = models.DateField(db_index=True)

    class Meta:
        app_label = "theses"


class Days(ResourceSet[Any]):
    queryset = Daily.objects.all()
    lastmod = "day"

    def uri(self, daily: Any) -> str:
        return f"/days/{daily.pk}"


registry["days"] = Days()
assert found() == ["resourcesync.W014"]
Days.content = lambda self, daily: b""  # type: ignore[method-assign]
assert found() == []
del registry["days"]
if django.VERSION >= (5, 2):

    class Page(models.Model):  # type: ignore[misc]
        pk = models.CompositePrimaryKey("thesis", "number")
        thesis = models.IntegerField()
        number = models.IntegerField()

        class Meta:
            app_label = "theses"

    class Pages(ResourceSet[Any]):
        queryset = Page.objects.all()

        def uri(self, page: Any) -> str:
            return f"/pages/{page.thesis}/{page.number}"

    registry["pages"] = Pages()
    assert found() == ["resourcesync.E009"]
    del registry["pages"]
if django.VERSION >= (6, 1):

    class Copy(models.Model):  # type: ignore[misc]
        thesis = models.ForeignKey(Thesis, models.DB_CASCADE)

        class Meta:
            app_label = "theses"

    class Copies(ResourceSet[Any]):
        queryset = Copy.objects.all()

        def uri(self, copy: Any) -> str:
            return f"/copies/{copy.pk}"

    registry["copies"] = Copies()
    assert found() == ["resourcesync.W013"]
    del registry["copies"]
sys.modules["no_urls"] = ModuleType("no_urls")
setattr(sys.modules["no_urls"], "urlpatterns", [])
with override_settings(ROOT_URLCONF="no_urls"):
    assert found() == ["resourcesync.I012"]
