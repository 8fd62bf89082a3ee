"""Measures ``resourcesync.django`` on PostgreSQL; prints the rows of a table.

``python bench_django.py [ROWS]``: 100,000 objects by default. Needs the wheel with its extra ``django`` and ``psycopg`` in the same Python, and the server.

Objects are saved in requests, in turns by a project with the application and one without it: while nobody publishes, which is what the request costs,
and while a publisher on the same machine does.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).with_name("tests")))

import psycopg
from platforms import environment, eventually, postgres, running
from test_django import postgresql, project

#: Objects that are saved in a turn.
TURN = 100
#: Turns of each project.
TURNS = 20
#: Saves of which the publication is awaited.
AWAITED = 20
#: Objects that ``QuerySet.update`` changes, at most.
BULK = 10_000

SAVING = """
from django.http import HttpRequest, HttpResponse
from django.urls import path
from theses.models import Thesis


def save(request: HttpRequest, pk: int, text: str) -> HttpResponse:
    thesis = Thesis.objects.get(pk=pk)
    thesis.text = text
    thesis.save()
    return HttpResponse()


urlpatterns = [path("save/<int:pk>/<str:text>", save)]
"""

WITHOUT = """
from .settings import *

INSTALLED_APPS = [name for name in INSTALLED_APPS if name != "resourcesync.django"]
"""

DRIVER = """
import json, os, sys, time

os.environ["DJANGO_SETTINGS_MODULE"] = sys.argv[1]
import django

django.setup()
from django.test import Client

client = Client()
for line in sys.stdin:
    times = []
    for pk, text in json.loads(line):
        start = time.perf_counter()
        assert client.post(f"/save/{pk}/{text}").status_code == 200
        times.append(time.perf_counter() - start)
    print(json.dumps(times), flush=True)
"""


class Saver:
    """A process that saves objects in requests."""

    def __init__(self, folder: Path, settings: str) -> None:
        command = [sys.executable, "driver.py", settings]
        self._process = subprocess.Popen(command, cwd=folder, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def save(self, objects: Sequence[tuple[int, str]]) -> list[float]:
        """Seconds of each request."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(objects) + "\n")
        self._process.stdin.flush()
        times: list[float] = json.loads(self._process.stdout.readline())
        return times

    def end(self) -> None:
        """Ends the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


def milliseconds(times: Sequence[float], place: float = 0.5) -> str:
    """A percentile."""
    return f"{sorted(times)[int((len(times) - 1) * place)] * 1000:.2f} ms"


def percentiles(times: Sequence[float]) -> str:
    """Three of them: the lowest shows what other processes of the machine disturb least."""
    return ", ".join(milliseconds(times, place) for place in (0.1, 0.5, 0.95))


def measure(folder: Path, number: int, dsn: str) -> None:
    """Measures in a project."""
    own = environment()
    manage = [sys.executable, "manage.py", "resourcesync"]
    chance = random.Random(1)

    def some() -> list[tuple[int, str]]:
        return [(chance.randint(1, number), f"{chance.random()}") for _ in range(TURN)]

    def reported(*words: str) -> tuple[str, float]:
        start = time.perf_counter()
        text = subprocess.run([*manage, *words], cwd=folder, env=own, check=True, capture_output=True, text=True).stdout
        return text.strip(), time.perf_counter() - start

    with psycopg.connect(dsn, autocommit=True) as table:
        table.execute(
            "INSERT INTO theses_thesis (title, text, public, updated) SELECT 't' || n, 'text ' || n, true, now() FROM generate_series(1, %s) AS n", [number]
        )
        table.execute("ANALYZE")
        text, seconds = reported("publish")
        print(f"| `publish`, the first time: {text} | {seconds:.1f} s |")

        def is_published() -> bool:
            return table.execute("SELECT count(*) FROM resourcesync_outbox").fetchone() == (0,)

        savers = {name: Saver(folder, name) for name in ("library.with_app", "library.without")}

        def compare(publisher: str) -> None:
            times: dict[str, list[float]] = {name: [] for name in savers}
            for saver in savers.values():
                saver.save(some())
            for turn in range(TURNS):
                for name in sorted(savers, reverse=turn % 2 == 1):
                    times[name] += savers[name].save(some())
            differences = statistics.median(times["library.with_app"]) - statistics.median(times["library.without"])
            for name, title in (("library.with_app", "with the application"), ("library.without", "without it")):
                print(f"| a request that saves one of {number:,} objects, {title}, {publisher}: 10 %, median, 95 % | {percentiles(times[name])} |")
            print(f"| the difference of the medians, {publisher} | {differences * 1000:.2f} ms |")

        compare("no publisher on this machine")
        with running([*manage, "publish", "--watch"], folder, own):
            compare("a publisher on the same processors")
            eventually("all is published", is_published, 300)
            waits: list[float] = []
            for _ in range(AWAITED):
                savers["library.with_app"].save(some()[:1])
                start = time.perf_counter()
                while not is_published():
                    time.sleep(0.005)
                waits.append(time.perf_counter() - start)
                time.sleep(chance.random() * 0.3)
            print(f"| from the response to the publication: median, longest | {milliseconds(waits)}, {milliseconds(waits, 1)} |")
            for saver in savers.values():
                saver.end()
        # The objects that the project without the application saved.
        reported("reconcile", "--max-delete", "100%")
        bulk = min(BULK, number // 2)
        table.execute("UPDATE theses_thesis SET text = text || '!' WHERE id <= %s", [bulk])
        text, seconds = reported("reconcile")
        assert f" {bulk} updated" in text, text
        print(f"| `reconcile` after an update of {bulk:,} objects without signals: {text} | {seconds:.1f} s |")


def main(number: int) -> None:
    """Prints the rows."""
    with tempfile.TemporaryDirectory() as temporary, postgres(Path(temporary)) as cluster:
        folder = Path(temporary, "project")
        settings = postgresql(cluster)
        name = settings.split('"NAME": "')[1].split('"')[0]
        project(folder, settings + 'DEBUG = False\nALLOWED_HOSTS = ["*"]\n')
        (folder / "library" / "saving.py").write_text(SAVING)
        (folder / "library" / "with_app.py").write_text('from .settings import *\n\nROOT_URLCONF = "library.saving"\n')
        (folder / "library" / "without.py").write_text(f'{WITHOUT}ROOT_URLCONF = "library.saving"\n')
        (folder / "driver.py").write_text(DRIVER)
        measure(folder, number, f"host={cluster.folder} user=postgres dbname={name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
