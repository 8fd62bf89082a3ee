"""Django: the tutorial; a project that saves, rolls back, is killed and is followed; its pages and checks."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest
import resourcesync as rs
import tutorial
from conftest import ROOT, Site
from platforms import Cluster, copied, environment, free_port, postgres, published_meanwhile, running, sync
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


def project(folder: Path, settings: str, *, base: str = "http://127.0.0.1:8000/", acts: str = "") -> Path:
    """The project of the tutorial, with other settings and more URLs."""
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


@pytest.mark.parametrize("zone", [True, False], ids=["USE_TZ", "naive"])
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_what_happens_in_a_project(database: str, zone: bool, tmp_path: Path, cluster: Cluster) -> None:
    if database == "postgresql":
        pytest.importorskip("psycopg")
    settings = postgresql(cluster) if database == "postgresql" else ""
    folder = project(tmp_path, f'{settings}USE_TZ = {zone}\nTIME_ZONE = "Asia/Tokyo"\nALLOWED_HOSTS = ["*"]\n')
    done = subprocess.run([sys.executable, str(CASES)], cwd=folder, env=environment(PYTHONPATH="."), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


CALLBACK_VIEWS = """
from django.urls import path
from resourcesync.django.views import callback
urlpatterns = [path("rs/<path:token>", callback, {"name": "hub"})]
"""


def test_a_source_is_followed_exactly_once(tmp_path: Path, site: Site) -> None:
    folder = project(tmp_path / "project", "", acts=CALLBACK_VIEWS)
    for step in tutorial.steps(PAGE):
        if step.path == "theses/partner.py":
            tutorial.write(step, folder)
    (tmp_path / "transcript").write_text(json.dumps(callback_transcript()))
    command = [sys.executable, str(CASES.with_name("django_follow_cases.py")), site.uri, str(tmp_path / "state"), str(tmp_path / "transcript")]
    published_meanwhile(command, folder, environment(PYTHONPATH="."), site)


VIEWS = """
import os, random, signal, threading, time
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from theses.models import Thesis
import resourcesync.django
from .urls import urlpatterns


@csrf_exempt
def act(request: HttpRequest) -> HttpResponse:
    chance = random.Random(request.POST["seed"])
    if request.POST["kills"] == "yes":
        threading.Timer(chance.random() * 0.04, os.kill, (os.getpid(), signal.SIGKILL)).start()

    def one() -> None:
        found = list(Thesis.objects.order_by("pk"))
        chosen = chance.choice(found) if found else None
        kind = chance.choice(["create", "create", "change", "hide", "delete"])
        if chosen is None or kind == "create":
            Thesis.objects.create(title=str(chance.random()), text=str(chance.random()))
        elif kind == "delete":
            chosen.delete()
        else:
            chosen.public = kind == "change"
            chosen.text = str(chance.random())
            chosen.save()

    if chance.random() < 0.5:
        one()
        return HttpResponse()
    try:
        with transaction.atomic():
            for _ in range(chance.randint(1, 3)):
                one()
            if chance.random() < 0.4:
                raise RuntimeError
    except RuntimeError:
        return HttpResponse(status=202)
    return HttpResponse()


def publish(request: HttpRequest) -> HttpResponse:
    done = resourcesync.django.publish()
    return HttpResponse("\\n".join(done.problems))


urlpatterns += [path("act", act), path("publish", publish)]
"""


def test_killed_workers_and_rolled_back_transactions_lose_and_invent_nothing(tmp_path: Path, cluster: Cluster) -> None:
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("gunicorn")
    port = free_port()
    base = f"http://127.0.0.1:{port}/"
    settings = postgresql(cluster) + 'RESOURCESYNC["PUBLISH"] = "inline"\nRESOURCESYNC["WAIT"] = 60\nROOT_URLCONF = "library.acts"\nDEBUG = False\nLOGGING = {"version": 1, "handlers": {"all": {"class": "logging.StreamHandler"}}, "root": {"handlers": ["all"], "level": "WARNING"}}\nALLOWED_HOSTS = ["*"]\n'
    folder = project(tmp_path / "project", settings, base=base, acts=VIEWS)
    name = settings.split('"NAME": "')[1].split('"')[0]

    def act(seed: str, kills: bool) -> None:
        form = urllib.parse.urlencode({"seed": seed, "kills": "yes" if kills else "no"}).encode()
        # The worker may be killed.
        with suppress(OSError, urllib.error.URLError):
            urllib.request.urlopen(f"{base}act", form, timeout=60).close()

    workers = [sys.executable, "-m", "gunicorn", "--workers", "4", "--timeout", "90", "--bind", f"127.0.0.1:{port}", "library.wsgi"]
    with running(workers, folder, environment(), f"{base}theses/0"), psycopg.connect(f"host={cluster.folder} user=postgres dbname={name}", autocommit=True) as table:
        for history in range(HISTORIES):
            chance = random.Random(history)
            for _ in range(2):
                kills = [chance.random() < 0.5 for _ in range(4)]
                acts = [threading.Thread(target=act, args=(f"{history} {chance.random()}", kill)) for kill in kills]
                for each in acts:
                    each.start()
                for each in acts:
                    each.join()
            for _ in range(5):
                # A worker of which a timer is still running may be killed by it.
                try:
                    with urllib.request.urlopen(f"{base}publish", timeout=90) as response:
                        assert response.read() == b""
                        break
                except urllib.error.HTTPError:
                    raise AssertionError((folder / "server.log").read_text()[-4000:]) from None
                except OSError:
                    continue
            else:
                raise AssertionError("nobody publishes")
            truth = {str(pk): text for pk, text in table.execute("SELECT id, text FROM theses_thesis WHERE public")}
            assert table.execute("SELECT count(*) FROM resourcesync_outbox").fetchone() == (0,)
            if not truth and not (folder / "public").exists():
                continue
            sync(base, tmp_path / "copy")
            assert copied(tmp_path / "copy") == truth, history
    assert [str(found) for found in rs.validate(folder / "public")] == []
