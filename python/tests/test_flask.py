"""Flask with SQLAlchemy: the tutorial, sessions that roll back, and what is followed."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Generator
from pathlib import Path

import pytest
import resourcesync as rs
import tutorial
from conftest import ROOT, Site
from platforms import Cluster, copied, environment, eventually, free_port, postgres, published_meanwhile, running
from test_notify import callback_transcript

pytest.importorskip("flask")
SQLALCHEMY: str = pytest.importorskip("sqlalchemy").__version__

PAGE = ROOT / "docs" / "python" / "flask.md"
CASES = Path(__file__).with_name("flask_cases.py")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cluster]:
    with postgres(tmp_path_factory.mktemp("postgres")) as found:
        yield found


@pytest.mark.skipif(SQLALCHEMY < "2", reason="its models are those of SQLAlchemy 2")
def test_the_tutorial_leads_to_a_follower_in_step(tmp_path: Path) -> None:
    output = tutorial.run(PAGE, tmp_path, environment(), {"5000": str(free_port())}, until="Sets")
    assert "theses: 2 created, 0 updated, 0 deleted, 0 unchanged" in output
    assert "theses: 1 created, 0 updated, 1 deleted, 0 unchanged" in output
    assert output.lower().count("in step") >= 2 and "VALID: no findings" in output and "nothing waits" in output, output
    assert set(copied(tmp_path / "copy").values()) == {"Dumps are large.", "Changes are frequent."}
    assert [entry.change for entry in rs.iter_entries(tmp_path / "public" / "theses" / "changelist.xml")] == ["created", "deleted"]
    tutorial.check_types(tmp_path, ["library.py"])


@pytest.mark.skipif(SQLALCHEMY < "2", reason="its models are those of SQLAlchemy 2")
def test_a_service_publishes_what_is_committed(tmp_path: Path) -> None:
    for step in tutorial.steps(PAGE, until="Sets"):
        if step.path is not None:
            tutorial.write(step, tmp_path)
    own, flask = environment(), [sys.executable, "-m", "flask", "--app", "library", "resourcesync"]
    subprocess.run([*flask, "init"], cwd=tmp_path, env=own, check=True)
    add = "from library import *; Base.metadata.create_all(engine); session = Session(); session.add(Thesis(title='{0}', text='{0}')); session.commit()"
    with running([*flask, "publish", "--watch"], tmp_path, own) as service:
        for text in ("first", "second"):
            subprocess.run([sys.executable, "-c", add.format(text)], cwd=tmp_path, env=own, check=True)
            found = tmp_path / "public" / "theses" / ("capabilitylist.xml" if text == "first" else "changelist.xml")
            eventually(f"the {text} thesis is published", lambda: found.exists() and (text == "first" or "theses/2" in found.read_text()))
    assert service.returncode == 0, (tmp_path / "server.log").read_text()
    assert "theses: 1 created" in (tmp_path / "server.log").read_text()


@pytest.mark.skipif(SQLALCHEMY < "2", reason="its models are those of SQLAlchemy 2")
def test_the_other_files_of_the_page_work_together(tmp_path: Path, site: Site) -> None:
    own, port = environment(), free_port()
    for step in tutorial.steps(PAGE):
        if step.path is not None:
            tutorial.write(step, tmp_path)
    (rule,) = re.findall(r"`(app\.add_url_rule\(.*?\))`", PAGE.read_text("utf-8"))
    site.publish({"first": b"first", "second": b"second"})
    follow = {"partner": {"SOURCE": site.uri, "STATE": str(tmp_path / "partner"), "APPLY": "partner.apply", "CALLBACK": f"http://127.0.0.1:{port}/resourcesync/partner/"}}
    (tmp_path / "whole.py").write_text(
        f"import pages\nfrom library import Base, app, engine, rs\napp.config['RESOURCESYNC_FOLLOW'] = {follow}\n{rule}\nBase.metadata.create_all(engine)\n"
    )
    for command in ("init", "check", "publish", "follow partner"):
        flask = [sys.executable, "-m", "flask", "--app", "whole", "resourcesync", *command.split()]
        done = subprocess.run(flask, cwd=tmp_path, env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert [entry.uri for entry in rs.iter_entries(tmp_path / "public" / "pages" / "resourcelist.xml")] == [
        "http://127.0.0.1:5000/about",
        "http://127.0.0.1:5000/imprint",
    ]
    with sqlite3.connect(tmp_path / "library.sqlite") as database:
        assert {text for (text,) in database.execute("SELECT text FROM theses")} == {"first", "second"}
    with running([sys.executable, "-m", "flask", "--app", "whole", "run", "--port", str(port)], tmp_path, own, f"http://127.0.0.1:{port}/"):
        with pytest.raises(urllib.error.HTTPError, match="404|410"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/resourcesync/partner/a-token-of-nobody")


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_what_happens_in_an_application(database: str, tmp_path: Path, cluster: Cluster) -> None:
    url = f"sqlite:///{tmp_path}/d.sqlite"
    if database == "postgresql":
        pytest.importorskip("psycopg")
        url = f"postgresql+psycopg://postgres@/{cluster.database()}?host={cluster.folder}"
    happens(tmp_path, url)


def test_what_happens_in_an_application_with_celery(tmp_path: Path) -> None:
    pytest.importorskip("celery")
    happens(tmp_path, f"sqlite:///{tmp_path}/d.sqlite", "celery")


def happens(folder: Path, url: str, *more: str) -> None:
    done = subprocess.run([sys.executable, str(CASES), url, str(folder), *more], env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_source_is_followed_exactly_once(database: str, tmp_path: Path, site: Site, cluster: Cluster) -> None:
    url = f"sqlite:///{tmp_path}/d.sqlite"
    if database == "postgresql":
        pytest.importorskip("psycopg")
        url = f"postgresql+psycopg://postgres@/{cluster.database()}?host={cluster.folder}"
    (tmp_path / "transcript").write_text(json.dumps(callback_transcript()))
    command = [sys.executable, str(CASES.with_name("flask_follow_cases.py")), site.uri, str(tmp_path / "state"), str(tmp_path / "transcript"), url]
    published_meanwhile(command, tmp_path, environment(), site)
