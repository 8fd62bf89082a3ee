"""Django: the tutorial; a project that saves, rolls back, is killed and is followed; its pages and checks."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Generator
from pathlib import Path

import pytest
import resourcesync as rs
import tutorial
from conftest import ROOT, Site
from platforms import Cluster, copied, environment, eventually, free_port, postgres, published_meanwhile, running, sync
from test_notify import callback_transcript

pytest.importorskip("django")

PAGE = ROOT / "docs" / "python" / "django.md"
CASES = Path(__file__).with_name("django_cases.py")
#: Random histories; more in a long run.
HISTORIES = int(os.environ.get("HISTORIES", "3"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cluster]:
    with postgres(tmp_path_factory.mktemp("postgres")) as found:
        yield found


def project(folder: Path, settings: str, *, base: str = "http://127.0.0.1:8000/", acts: str = "", models: str = "", sets: str = "") -> Path:
    """The project of the tutorial, with other settings, and more URLs, models and sets."""
    own = environment()
    folder.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-m", "django", "startproject", "library", str(folder)], env=own, check=True)
    subprocess.run([sys.executable, "manage.py", "startapp", "theses"], cwd=folder, env=own, check=True)
    for step in tutorial.steps(PAGE, until="Sets"):
        if step.path is not None:
            step.text = step.text.replace("http://127.0.0.1:8000/", base)
            tutorial.write(step, folder)
    tutorial.write(tutorial.Step(settings, "library/settings.py", True), folder)
    tutorial.write(tutorial.Step(acts, "library/acts.py"), folder)
    tutorial.write(tutorial.Step(models, "theses/models.py", True), folder)
    tutorial.write(tutorial.Step(sets, "theses/resourcesync.py", True), folder)
    for command in (["makemigrations", "-v0", "theses"], ["migrate", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=folder, env=own, check=True)
    return folder


def postgresql(cluster: Cluster) -> str:
    return (
        f'DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": "{cluster.database()}", '
        f'"USER": "postgres", "HOST": "{cluster.folder}"}}}}\n'
    )


def test_the_tutorial_leads_to_a_follower_in_step(tmp_path: Path) -> None:
    port = str(free_port())
    folder = tmp_path / "project"
    folder.mkdir()
    own = environment()
    output = tutorial.run(PAGE, folder, own, {"8000": port}, until="Sets")
    assert "theses: 2 created, 0 updated, 0 deleted, 0 unchanged" in output
    assert "theses: 1 created, 0 updated, 1 deleted, 0 unchanged" in output
    assert output.lower().count("in step") >= 2, output
    assert "VALID: no findings" in output and "nothing waits" in output
    assert set(copied(folder / "copy").values()) == {"Dumps are large.", "Changes are frequent."}
    assert [entry.change for entry in rs.iter_entries(folder / "public" / "theses" / "changelist.xml")] == ["created", "deleted"]
    subprocess.run([sys.executable, "manage.py", "makemigrations", "--check", "--dry-run", "resourcesync"], cwd=folder, env=own, check=True)
    # The types of fields are known to a plug-in. Most of the settings are written by Django.
    plugin = "plugins = mypy_django_plugin.main\n[mypy.plugins.django-stubs]\ndjango_settings_module = library.settings\n"
    tutorial.check_types(folder, ["theses", "library/urls.py"], f"{plugin}[mypy-library.settings]\nignore_errors = True\n")


@pytest.mark.parametrize("zone", [True, False], ids=["USE_TZ", "naive"])
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_what_happens_in_a_project(database: str, zone: bool, tmp_path: Path, cluster: Cluster) -> None:
    if database == "postgresql":
        pytest.importorskip("psycopg")
    settings = postgresql(cluster) if database == "postgresql" else ""
    happens(tmp_path, f"{settings}USE_TZ = {zone}\n")


def test_what_happens_in_a_project_with_celery(tmp_path: Path) -> None:
    pytest.importorskip("celery")
    happens(tmp_path, "", "celery")


def happens(folder: Path, settings: str, *more: str) -> None:
    project(folder, f'{settings}TIME_ZONE = "Asia/Tokyo"\nALLOWED_HOSTS = ["*"]\n')
    done = subprocess.run([sys.executable, str(CASES), *more], cwd=folder, env=environment(PYTHONPATH="."), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


MODELS = """

class Shelf(models.Model):
    pass


class Work(models.Model):
    title = models.CharField(max_length=200)
    shelf = models.ForeignKey(Shelf, models.CASCADE, null=True)

    def get_absolute_url(self) -> str:
        return f"/works/{self.pk}"


class Book(Work):
    number = models.CharField(max_length=20)

    def get_absolute_url(self) -> str:
        return f"/books/{self.pk}"


class Recent(Work):
    class Meta:
        proxy = True


class Digest(models.Model):
    key = models.BinaryField(primary_key=True)

    def get_absolute_url(self) -> str:
        return f"/digests/{bytes(self.key).hex()}"


class Article(models.Model):
    key = models.UUIDField(primary_key=True)


class Issue(models.Model):
    key = models.DecimalField(max_digits=10, decimal_places=2, primary_key=True)


class Code(models.Model):
    key = models.CharField(max_length=1000, primary_key=True)
"""
SETS = """
from django.db import models

from .models import Article, Book, Code, Digest, Issue, Recent


@register("books")
class Books(ResourceSet[Book]):
    queryset = Book.objects.all()


@register("recent")
class RecentWorks(ResourceSet[Recent]):
    queryset = Recent.objects.exclude(title="")


@register("digests")
class Digests(ResourceSet[Digest]):
    queryset = Digest.objects.all()


class Keyed(ResourceSet[models.Model]):
    def uri(self, keyed: models.Model) -> str:
        return f"/{self.name}/{keyed.pk}"


@register("articles")
class Articles(Keyed):
    queryset = Article.objects.all()


@register("issues")
class Issues(Keyed):
    queryset = Issue.objects.all()


@register("codes")
class Codes(Keyed):
    queryset = Code.objects.all()
"""
#: The tables of the sets are in another database than those of users and sessions. The router does not say where publications are.
ROUTED = """
from django.http import HttpRequest, HttpResponse
from django.urls import path


class Router:
    def db_for_read(self, model, **hints):
        is_other = model._meta.app_label in ("theses", "resourcesync") and model._meta.model_name != "publication"
        return "other" if is_other else None

    db_for_write = db_for_read

    def allow_migrate(self, db, app_label, **hints):
        return app_label == "resourcesync" or (db == "other") == (app_label == "theses")


def save(request: HttpRequest, title: str) -> HttpResponse:
    from theses.models import Thesis

    Thesis.objects.create(title=title, text=title)
    if title == "fails":
        raise RuntimeError
    return HttpResponse()


urlpatterns = [path("save/<title>", save)]
"""


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_sets_in_another_database_and_models_that_inherit(database: str, tmp_path: Path, cluster: Cluster) -> None:
    other = '{"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "other.sqlite3"}'
    if database == "postgresql":
        pytest.importorskip("psycopg")
        other = postgresql(cluster).partition('"default": ')[2].strip().removesuffix("}")
    settings = f'DATABASES["other"] = {other}\nDATABASES["other"]["ATOMIC_REQUESTS"] = True\nDATABASE_ROUTERS = ["library.acts.Router"]\nALLOWED_HOSTS = ["*"]\n'
    folder = project(tmp_path, settings, acts=ROUTED, models=MODELS, sets=SETS)
    own = environment(PYTHONPATH=".")
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0", "--database", "other"], cwd=folder, env=own, check=True)
    done = subprocess.run([sys.executable, str(CASES.with_name("django_routed_cases.py"))], cwd=folder, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


CALLBACK_VIEWS = """
from django.urls import path
from resourcesync.django.views import callback
urlpatterns = [path("rs/<path:token>", callback, {"name": "hub"})]
"""


def test_a_source_is_followed_exactly_once(tmp_path: Path, site: Site) -> None:
    folder = project(tmp_path / "project", "", acts=CALLBACK_VIEWS)
    for step in tutorial.rest(PAGE, after="Sets"):
        if step.path == "theses/partner.py":
            tutorial.write(step, folder)
    (tmp_path / "transcript").write_text(json.dumps(callback_transcript()))
    command = [sys.executable, str(CASES.with_name("django_follow_cases.py")), site.uri, str(tmp_path / "state"), str(tmp_path / "transcript")]
    published_meanwhile(command, folder, environment(PYTHONPATH="."), site)


#: Uses the other files of the page.
USE = """
import datetime
from django.template import Context, Template
from django.test import Client
from resourcesync.django.models import Outbox
from theses.bulk import withdraw
from theses.models import Thesis

Thesis.objects.create(title="first", text="first")
Outbox.objects.all().delete()
withdraw(datetime.date.today().year)
assert not Thesis.objects.filter(public=True).exists() and Outbox.objects.count() == 1
assert "resourcesync" in Template(TAG).render(Context())
client = Client(HTTP_HOST="127.0.0.1")
assert client.get("/admin/login/")["Link"].endswith('rel="resourcesync"')
assert client.get("/resourcesync/partner/a-token-of-nobody").status_code in (404, 410)
"""


def test_the_other_files_of_the_page_work_together(tmp_path: Path) -> None:
    folder, own = project(tmp_path / "project", ""), environment()
    for step in tutorial.rest(PAGE, after="Sets"):
        tutorial.write(step, folder)
    (tag,) = re.findall(r"```html\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for command in (["check"], ["resourcesync", "publish"], ["shell", "-c", f"TAG = {tag!r}\n{USE}"]):
        done = subprocess.run([sys.executable, "manage.py", *command], cwd=folder, env=own, capture_output=True, text=True)
        assert done.returncode == 0 and "Error" not in done.stderr, done.stdout + done.stderr


VIEWS = """
import os, random, signal, threading
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from theses.models import Thesis
import resourcesync.django
from .urls import urlpatterns


@csrf_exempt
def act(request: HttpRequest) -> HttpResponse:
    chance = random.Random(request.POST["seed"])
    # What no signal reports, and no call of changed().
    unseen = request.POST["unseen"] == "yes"
    if request.POST["kills"] == "yes":
        # In the transactions of the application, or in the publication after them.
        threading.Timer(chance.random() * chance.choice([0.04, MOST]), os.kill, (os.getpid(), signal.SIGKILL)).start()
    if unseen and chance.random() < 0.1:
        resourcesync.django.reconcile(max_delete="100%")
        return HttpResponse()

    def one() -> None:
        found = list(Thesis.objects.order_by("pk"))
        kind = chance.choice(["create", "create", "change", "hide", "delete", "update", "empty", *(["unseen update", "unseen create", "unseen delete"] if unseen else [])])
        text = str(chance.random())
        if kind == "unseen create":
            Thesis.objects.bulk_create([Thesis(title="bulk", text=f"{text} {n}") for n in range(chance.randint(1, 4))])
        elif kind == "create" or not found:
            Thesis.objects.create(title="one", text=text)
        elif kind in ("change", "hide"):
            chosen = chance.choice(found)
            chosen.public = kind == "change"
            chosen.text = text
            chosen.save()
        elif kind == "delete":
            chance.choice(found).delete()
        else:
            some = chance.sample(found, min(len(found), chance.randint(1, 4)))
            query = Thesis.objects.filter(pk__in=[each.pk for each in some])
            if kind == "empty":
                query.delete()
            elif kind == "unseen delete":
                query._raw_delete(query.db)
            elif kind == "unseen update":
                query.update(text=text, public=chance.random() < 0.7)
            else:
                with transaction.atomic():
                    query.update(text=text, public=chance.random() < 0.7)
                    resourcesync.django.changed(some)

    try:
        if chance.random() < 0.5:
            one()
        else:
            with transaction.atomic():
                for _ in range(chance.randint(1, 3)):
                    one()
                if chance.random() < 0.4:
                    raise RuntimeError
    except RuntimeError:
        return HttpResponse(status=202)
    except DatabaseError:
        # A deadlock between two of these transactions.
        return HttpResponse(status=202)
    return HttpResponse()


def publish(request: HttpRequest) -> HttpResponse:
    return HttpResponse("\\n".join(resourcesync.django.publish().problems))


def reconcile(request: HttpRequest) -> HttpResponse:
    return HttpResponse("\\n".join(resourcesync.django.reconcile(max_delete="100%").problems))


urlpatterns += [path("act", act), path("publish", publish), path("reconcile", reconcile)]
"""
#: Seconds after which a worker is killed at the latest.
MOST = 0.4

# Every change in the outbox and in the folder is published by whoever comes first; lists are closed and written again often.
ACTS_SETTINGS = """
RESOURCESYNC |= {"PUBLISH": "inline", "WAIT": 60, "ROTATE": 40, "SNAPSHOT": "60 changes"}
ROOT_URLCONF = "library.acts"
DEBUG = False
LOGGING = {"version": 1, "handlers": {"all": {"class": "logging.StreamHandler"}}, "root": {"handlers": ["all"], "level": "WARNING"}}
ALLOWED_HOSTS = ["*"]
"""

# The theses that were ever committed.
EVER = """
CREATE TABLE ever (id bigint);
CREATE FUNCTION ever() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO ever VALUES (NEW.id); RETURN NULL; END';
CREATE TRIGGER ever AFTER INSERT OR UPDATE ON theses_thesis FOR EACH ROW EXECUTE FUNCTION ever();
"""


def test_killed_workers_and_rolled_back_transactions_lose_and_invent_nothing(tmp_path: Path, cluster: Cluster) -> None:
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("gunicorn")
    port = free_port()
    base = f"http://127.0.0.1:{port}/"
    database = postgresql(cluster)
    folder = project(tmp_path / "project", database + ACTS_SETTINGS, base=base, acts=VIEWS.replace("MOST", str(MOST)))
    name = database.split('"NAME": "')[1].split('"')[0]
    theses, log = folder / "public" / "theses", folder / "server.log"
    own = environment()

    def act(seed: str, kills: bool, unseen: bool) -> None:
        form = urllib.parse.urlencode({"seed": seed, "kills": "yes" if kills else "no", "unseen": "yes" if unseen else "no"}).encode()
        try:
            urllib.request.urlopen(f"{base}act", form, timeout=90).close()
        except urllib.error.HTTPError as error:
            failed.append(f"{seed}: {error}")
        except OSError:
            # The worker was killed.
            pass

    def publisher() -> subprocess.Popen[bytes]:
        command = [sys.executable, "manage.py", "resourcesync", "publish", "--watch", "--interval", "0.02"]
        with log.open("ab") as file:
            return subprocess.Popen(command, cwd=folder, env=own, stdout=file, stderr=subprocess.STDOUT)

    def compared(copy: Path, truth: dict[str, str], history: int) -> None:
        sync(base, copy)
        assert copied(copy) == truth, (history, copy)

    failed: list[str] = []
    workers = [sys.executable, "-m", "gunicorn", "--workers", "4", "--timeout", "90", "--bind", f"127.0.0.1:{port}", "library.wsgi"]
    with running(workers, folder, own, f"{base}theses/0"), psycopg.connect(f"host={cluster.folder} user=postgres dbname={name}", autocommit=True) as table:
        table.execute(EVER)
        watching = publisher()
        killed = 0

        def idle() -> bool:
            """The server has ended the transactions of killed processes."""
            busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid() AND state <> 'idle'"
            return bool(table.execute(busy, [name]).fetchone() == (0,))

        try:
            for history in range(HISTORIES):
                chance = random.Random(history)
                unseen = bool(history % 2)
                death = threading.Timer(chance.random(), watching.kill) if history % 4 in (1, 2) else None
                if death is not None:
                    death.start()
                for _ in range(2):
                    acts = [threading.Thread(target=act, args=(f"{history} {chance.random()}", chance.random() < 0.5, unseen)) for _ in range(4)]
                    for each in acts:
                        each.start()
                    for each in acts:
                        each.join()
                if death is not None:
                    death.join()
                    watching.wait()
                    killed += 1
                    watching = publisher()
                # No timer runs after that.
                time.sleep(MOST + 0.05)
                eventually("transactions have ended", idle)
                assert not failed, failed + [log.read_text()[-4000:]]
                assert watching.poll() is None, log.read_text()[-4000:]
                try:
                    with urllib.request.urlopen(f"{base}{'reconcile' if unseen else 'publish'}", timeout=90) as response:
                        assert response.read() == b""
                except urllib.error.HTTPError:
                    raise AssertionError(log.read_text()[-4000:]) from None
                truth = {str(pk): text for pk, text in table.execute("SELECT id, text FROM theses_thesis WHERE public")}
                if not truth and not theses.exists():
                    continue
                assert table.execute("SELECT count(*) FROM resourcesync_outbox").fetchone() == (0,)
                assert [str(found) for found in rs.validate(folder / "public")] == [], history
                compared(tmp_path / "copy", truth, history)
                compared(tmp_path / "new", truth, history)
                shutil.rmtree(tmp_path / "new")
        finally:
            watching.kill()
            watching.wait()
        ever = {f"{base}theses/{pk}" for (pk,) in table.execute("SELECT id FROM ever")}
    changes = [str(entry.uri) for path in theses.glob("changelist*.xml") for entry in rs.iter_entries(path) if entry.change is not None]
    text = log.read_text()
    print(f"{HISTORIES} histories, {text.count('was sent SIGKILL')} workers and {killed} publishers killed, {len(changes)} changes")
    assert changes and set(changes) <= ever
    assert killed > 0 and "was sent SIGKILL" in text
    assert "Error calling" not in text and "not published" not in text, text[-4000:]
