"""The shell commands of the pages, run as printed: the hosts of the examples are servers on this machine. Other tests run those of tutorials and recipes."""

from __future__ import annotations

import functools
import gzip
import http.server
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import resourcesync as rs
from conftest import ROOT, Handler, serving
from platforms import environment, eventually, free_port

#: What stands for `…` in the examples of a page.
REST = {
    "docs/build.md": "files/ --base-uri https://example.com/files/ --documents-uri https://example.com/ --out public",
    "docs/http.md": "https://repository.example/resourcelist.xml",
    "docs/notifications.md": "a-token-of-forty-characters-for-this-hub",
}
#: The README has its first commands before any heading, and docs/build.md three that are run in cli/tests/command/readme.rs.
PAGES = ["README.md", *REST, "docs/fix.md", "docs/hub.md", "docs/configuration.md"]
#: What they do is tested in cli/tests/command/listen and cli/tests/command/oai.
ELSEWHERE = ["docs/listen.md", "docs/oai.md"]
#: Statuses other than 0: the document has errors that no repair corrects.
STATUS = {"resourcesync fix": 1}
#: Commands that run until they are told to end, and what they write first.
ENDLESS = {"hub serve": "hub/hub.sqlite", "build files/ --watch": "public/resourcelist.xml"}


SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


def blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text("utf-8")
    part = {"README.md": text.split("\n## ", 1)[0], "docs/build.md": text.split("\n## ", 1)[1]}.get(page, text)
    found: list[str] = re.findall(r"^```sh\n(.*?)^```", part, re.DOTALL | re.MULTILINE)
    return [block.replace("\\\n", " ").replace("|\n", "| ") for block in found]


BLOCKS = [pytest.param(page, block, id=f"{page}-{number}") for page in PAGES for number, block in enumerate(blocks(page), 1) if "resourcesync " in block]


class Hub(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


def prepare(folder: Path, repository: str) -> None:
    """The files that the examples name, and the Source that they read."""
    served, contents = folder / "served", {"report.pdf": b"one", "about.txt": b"two"}
    for version in (1, 2):
        records = [
            rs.Resource(f"{repository}/files/{name}", lastmod=f"2024-05-0{version}T09:00:00Z", length=len(content)) for name, content in contents.items()
        ]
        rs.publish(served, f"{repository}/", records, at=f"2024-05-1{version}T00:00:00Z")
    for place in (served / "files", folder / "files"):
        place.mkdir()
        for name, content in contents.items():
            (place / name).write_bytes(content)
    (served / "changelist.xml.gz").write_bytes(gzip.compress((served / "changelist.xml").read_bytes()))
    (served / "sitemap.xml").write_text(SITEMAP.format(f"<url><loc>{repository}/files/about.txt</loc></url>"))
    for name in ("old", "new"):
        (folder / name).mkdir()
        shutil.copy(served / "resourcelist.xml", folder / f"{name}.xml")
        shutil.copy(served / "resourcelist.xml", folder / name)
    (folder / "items.csv").write_text(f"uri,length,lastmod\n{repository}/1,8876,2024-05-01T09:00:00Z\n{repository}/2,1024,2024-05-02T09:00:00Z\n")
    theses = "".join(f"{repository}/files/{name},2024-01-31 12:00:00,somebody\n" for name in contents)
    (folder / "theses.csv").write_text(f"handle,updated,author\n{theses}")
    (folder / "events.csv").write_text(f"change,uri,length\nupdated,{repository}/1,512\ndeleted,{repository}/2,\n")
    (folder / "key.txt").write_text("the key of an application")
    shutil.copy(ROOT / "web" / "samples" / "changelist.xml", folder)
    configuration = (ROOT / "server" / "contrib" / "resourcesync.toml").read_text("utf-8")
    for of_system, own in (("/var/lib/resourcesync-hub", "hub"), ("unix:/run/resourcesync-hub/", "unix:hub/"), ("127.0.0.1:8080", f"127.0.0.1:{free_port()}")):
        configuration = configuration.replace(of_system, own)
    (folder / "resourcesync.toml").write_text(configuration)
    # The database is that of tests/test_sidecars.py.
    (folder / "bin").mkdir()
    (folder / "bin" / "psql").write_text("#!/bin/sh\ncat items.csv; echo\n")
    (folder / "bin" / "psql").chmod(0o755)


@pytest.mark.parametrize(("page", "block"), BLOCKS)
def test_the_commands_of_a_page_run_as_printed(page: str, block: str, tmp_path: Path) -> None:
    with serving(functools.partial(Handler, directory=str(tmp_path / "served"))) as repository, serving(Hub) as hub:
        prepare(tmp_path, repository)
        own = environment(REPOSITORY_TOKEN="a-token-of-forty-characters-for-examples", HUB_TOKEN="a-token-of-forty-characters-for-this-hub")
        own["PATH"] = f"{tmp_path / 'bin'}:{own['PATH']}"

        def local(text: str) -> str:
            text = text.replace("…", REST.get(page, "…"))
            for host in ("https://repository.example", "https://example.com"):
                text = text.replace(host, repository)
            return text.replace("https://hub.example", hub)

        def run(line: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(["bash", "-euo", "pipefail", "-c", local(line)], cwd=tmp_path, env=own, capture_output=True, text=True, timeout=120)

        # What is published before, by the first command of the page.
        if re.search(r"\bpublic\b|build …", block) and "--base-uri" not in block:
            done = run("resourcesync build files/ --base-uri https://example.com/files/ --documents-uri https://example.com/ --out public")
            assert done.returncode == 0, done.stderr
        for line in block.splitlines():
            if not line.strip() or line.startswith("export "):
                continue
            endless = next((first for part, first in ENDLESS.items() if part in line), None)
            if endless is not None:
                endures(local(line), tmp_path, own, tmp_path / endless)
                continue
            done = run(line)
            assert done.returncode == next((status for part, status in STATUS.items() if part in line), 0), f"{line}\n{done.stdout}{done.stderr}"


def endures(line: str, folder: Path, own: dict[str, str], first: Path) -> None:
    """Runs a command until it has written its first file, and ends it."""
    process = subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=folder, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        eventually(f"{line} has written {first.name}", lambda: first.exists() or process.poll() is not None)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=30)
        assert first.exists(), said
    finally:
        process.kill()


@pytest.mark.parametrize("page", ELSEWHERE)
def test_the_options_of_other_commands_are_known(page: str, tmp_path: Path) -> None:
    lines = [line for block in blocks(page) for line in block.splitlines() if line.startswith("resourcesync ")]
    assert lines
    for line in lines:
        done = subprocess.run(["bash", "-c", f"{line.split(' # ')[0]} --help"], cwd=tmp_path, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
