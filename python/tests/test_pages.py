"""The blocks of the pages of the site, run as printed: the hosts of the examples are servers on this machine. ``blocks.ELSEWHERE`` names the tests of others."""

from __future__ import annotations

import functools
import gzip
import hashlib
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import resourcesync as rs
from blocks import ELSEWHERE, GENERATED, Block, blocks, indented, pages, runner
from conftest import ROOT, Handler, serving
from oai_repository import answer
from platforms import apache, caddy, environment, eventually, free_port, nginx, running

# site/stage.py names the pages; CPython 3.10 lacks what it needs.
pytest.importorskip("tomllib")
BLOCKS = [block for page in pages() for block in blocks(page)]
#: The others say why, or are run by other tests, or the same as in the other language.
HERE = [block for block in BLOCKS if block.reason is None and runner(block) is None and not block.is_translated]
SHELL = [pytest.param(block, id=block.name) for block in HERE if block.kind == "sh"]

#: What stands for `…` in the examples of a page.
REST = {
    "docs/build.md": "files/ --base-uri https://example.com/files/ --documents-uri https://example.com/ --out public",
    "docs/http.md": "https://repository.example/resourcelist.xml",
    "docs/notifications.md": "a-token-of-forty-characters-for-this-hub",
}
#: Made before by commands of this page or another one: what a block names, and makes itself if it has the second.
MADE = {
    (r"\bpublic\b|build …|--changes", "--out public"): "resourcesync build files/ --base-uri https://example.com/files/ --documents-uri https://example.com/ --out public",
    (r"\bcopy\b", "https://repository.example/ copy"): "resourcesync sync https://repository.example/ copy",
    (r"\bbig/", "--into big"): "resourcesync oai harvest --into big --store jsonl https://repository.example/oai",
}
#: Statuses other than 0: of documents with errors that no repair corrects, and of a repository with some.
STATUS = {"resourcesync fix": 1, "oai validate": 1}
#: Commands that run until they are told to end, and what is there when they have begun.
ENDLESS = {"hub serve": "hub/hub.sqlite", "build files/ --watch": "public/resourcelist.xml", "sync --watch": "documents", "--sync mirror/": "active until", "--exec": "event.json", "--log": "changes.ndjson"}
#: Nobody waits for politeness here.
SETTINGS = "[limits]\nhttp_requests_per_second = 0\n\n"
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


class Site(Handler):
    """A Source with channels, and a repository of OAI-PMH."""

    hub = ""

    def do_GET(self) -> None:
        if self.path.partition("?")[0] in ("/oai", "/server/oai/request"):
            answer(self)
        else:
            super().do_GET()

    def end_headers(self) -> None:
        if self.path.startswith("/notifications/"):
            self.send_header("Link", f'<http://{self.headers["Host"]}{self.path}>; rel="self", <{self.hub}/>; rel="hub"')
        super().end_headers()


def confirm(callback: str) -> None:
    # A subscriber that was told to end does not listen any more.
    with suppress(OSError), urllib.request.urlopen(callback):
        pass


class Hub(http.server.BaseHTTPRequestHandler):
    """Accepts everything, and confirms subscriptions."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()
        asked = dict(urllib.parse.parse_qsl(body.decode())) if b"hub.callback" in body else {}
        if asked:
            fields = {"hub.mode": asked["hub.mode"], "hub.topic": asked["hub.topic"], "hub.challenge": "c", "hub.lease_seconds": "864000"}
            threading.Timer(0.1, confirm, [f"{asked['hub.callback']}?{urllib.parse.urlencode(fields)}"]).start()

    def log_message(self, format: str, *args: object) -> None: ...


def prepare(folder: Path, repository: str, hubs: list[str]) -> None:
    """The files that the examples name, and the Source that they read."""
    served, contents = folder / "served", {"report.pdf": b"one", "about.txt": b"two"}
    for place in (served / "files", folder / "files"):
        place.mkdir(parents=True)
        for name, content in contents.items():
            (place / name).write_bytes(content)
    for version in (0, 1):
        for name in contents:
            os.utime(served / "files" / name, (version * 1_000_000_000, version * 1_000_000_000))
        records = [rs.Resource.from_file(served / "files" / name, f"{repository}/files/{name}") for name in contents]
        rs.publish(folder / "source", f"{repository}/", records, at=f"2024-05-1{version}T00:00:00Z", hubs=hubs)
    shutil.copytree(folder / "source", served, dirs_exist_ok=True)
    (served / "changelist.xml.gz").write_bytes(gzip.compress((served / "changelist.xml").read_bytes()))
    (served / "sitemap.xml").write_text(SITEMAP.format(f"<url><loc>{repository}/files/about.txt</loc></url>"))
    for name in ("old", "new", "lists", "reports"):
        (folder / name).mkdir()
    for name in ("old.xml", "new.xml", "old", "new", "lists/00.xml", "lists/10.xml"):
        shutil.copy(served / "resourcelist.xml", folder / name)
    (folder / "reports" / "0.json").write_bytes(rs.validate(folder / "old.xml").to_json())
    (folder / "items.csv").write_text(f"uri,length,lastmod\n{repository}/1,8876,2024-05-01T09:00:00Z\n{repository}/2,1024,2024-05-02T09:00:00Z\n")
    theses = "".join(f"{repository}/files/{name},2024-01-31 12:00:00,somebody\n" for name in contents)
    (folder / "theses.csv").write_text(f"handle,updated,author\n{theses}")
    (folder / "key.txt").write_text("the key of an application")
    shutil.copy(ROOT / "web" / "samples" / "changelist.xml", folder)
    (folder / "repositories.csv").write_text(f"url,contact\n{repository}/oai,me@example.org\n")
    packed = [(rs.Bitstream(f"{repository}/files/{name}", f"/{name}", "text/plain"), content) for name, content in contents.items()]
    rs.create_package(folder / "part1.zip", packed, up=f"{repository}/capabilitylist.xml", at="2024-05-01T00:00:00Z")
    dump = rs.ResourceDump(f"{repository}/capabilitylist.xml", "2024-05-01T00:00:00Z")
    dump.push(rs.Package(f"{repository}/part1.zip", (folder / "part1.zip").stat().st_size))
    dump.write(folder / "resourcedump.xml")
    (folder / "resourcesync.toml").write_text(SETTINGS + hub_configuration())
    (folder / "bin").mkdir()
    # The database is that of tests/test_sidecars.py.
    programs = {
        "bin/psql": "#!/bin/sh\ncat items.csv; echo",
        "bin/duckdb": f"#!{sys.executable}\nimport duckdb, sys\nprint(duckdb.sql(sys.argv[2]))",
        "on-change.sh": "#!/bin/sh\ncat > event.json",
    }
    for path, text in programs.items():
        (folder / path).write_text(f"{text}\n")
        (folder / path).chmod(0o755)


def hub_configuration() -> str:
    configuration = (ROOT / "server" / "contrib" / "resourcesync.toml").read_text("utf-8")
    for of_system, own in (("/var/lib/resourcesync-hub", "hub"), ("unix:/run/resourcesync-hub/", "unix:hub/"), ("127.0.0.1:8080", f"127.0.0.1:{free_port()}")):
        configuration = configuration.replace(of_system, own)
    return configuration


class Stage:
    """A folder with what the examples of a page name, and the servers of their hosts."""

    def __init__(self, page: str, folder: Path, repository: str, hub: str) -> None:
        self.page, self.folder, self.repository, self.hub = page.replace(".ja.md", ".md"), folder, repository, hub
        self.own = environment(**{f"{name}_TOKEN": "a-token-of-forty-characters-for-examples" for name in ("REPOSITORY", "HUB", "B")})
        self.listening = f"127.0.0.1:{free_port()}"
        self.allowed = f"--allow-http --allow-host {hub.removeprefix('http://')}"
        self.own["PATH"] = f"{folder / 'bin'}:{self.own['PATH']}"

    def local(self, text: str) -> str:
        # With a table there are no files.
        rest = REST.get(self.page, "…")
        text = text.replace("…", rest.removeprefix("files/ ") if "--from-" in text else rest)
        text = re.sub(r"https://(repository\.example|dspace\.example\.org|mirror\.example|[ab]\.example|example\.com)(?=[/=])", self.repository, text)
        text = re.sub(r"https://hub\.example(\.org)?", self.hub, text)
        # As in cli/tests: a repository that is checked may not be asked at once.
        text = re.sub(r"resourcesync oai \w+", r"\g<0> --skip-waits", text)
        text = text.replace("https://me.example", f"http://{self.listening}").replace("/etc/resourcesync", str(self.folder))
        return text.replace("resourcesync listen ", f"resourcesync listen --listen {self.listening} {self.allowed} ")

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-euo", "pipefail", "-c", self.local(line)], cwd=self.folder, env=self.own, capture_output=True, text=True, timeout=120)

    def succeeds(self, line: str) -> str:
        done = self.run(line)
        assert done.returncode == next((status for part, status in STATUS.items() if part in line), 0), f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def endures(self, line: str, begun: str) -> None:
        """Runs a command until it has begun, and ends it."""
        log = self.folder / "output.log"
        with log.open("w") as output:
            process = subprocess.Popen(["bash", "-c", f"exec {self.local(line)}"], cwd=self.folder, env=self.own, stdout=output, stderr=subprocess.STDOUT)
        try:

            def has_begun() -> bool:
                return (self.folder / begun).exists() or begun in log.read_text()

            eventually(f"{line} has begun", lambda: has_begun() or process.poll() is not None)
            assert process.poll() is None and has_begun(), log.read_text()
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        finally:
            process.kill()


@contextmanager
def staged(block: Block, folder: Path) -> Generator[Stage]:
    with serving(Hub) as hub, serving(functools.partial(type("Own", (Site,), {"hub": hub}), directory=str(folder / "served"))) as repository:
        prepare(folder, repository, [f"{hub}/"] if "listen" in block.page else [])
        stage = Stage(block.page, folder, repository, hub)
        # The content of a file that a block names is the next one.
        for near in (each for each in BLOCKS if (each.page, each.section, each.kind) == (block.page, block.section, "csv")):
            (folder / "events.csv").write_text(stage.local(near.text))
        yield stage


@pytest.mark.parametrize("block", SHELL)
def test_the_commands_of_a_page_run_as_printed(block: Block, tmp_path: Path) -> None:
    if "duckdb" in block.text:
        pytest.importorskip("duckdb")
    if "sha256sum" in block.text and shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not installed")
    with staged(block, tmp_path) as stage:
        for (names, makes), command in MADE.items():
            if re.search(names, block.text) and makes not in block.text:
                stage.succeeds(command)
        for line in re.sub(r"\\\n|(?<=\|)\n", " ", block.text).splitlines():
            if not line.strip() or line.startswith("export "):
                continue
            begun = next((begun for part, begun in ENDLESS.items() if part in line), None)
            if begun is None:
                stage.succeeds(line)
            else:
                stage.endures(line, begun)


def configured(block: Block, stage: Stage) -> None:
    """The settings of a hub are those that differ from the file of the package, unless they are complete."""
    if not block.text.startswith("[hub]"):
        (stage.folder / "own.toml").write_text(stage.local(block.text))
        stage.succeeds("resourcesync sync --dry-run --config own.toml" if "[[source]]" in block.text else "resourcesync validate --config own.toml old.xml")
        return
    if "[[hub.topic]]" in block.text:
        (stage.folder / "own.toml").write_text(block.text)
        stage.succeeds("resourcesync hub check --config own.toml")
        return
    configuration = hub_configuration()
    for line, name in re.findall(r"^((\w+) = .*)$", block.text, re.MULTILINE):
        configuration, count = re.subn(rf"^(?:# )?{name} = .*$", stage.local(line), configuration, flags=re.MULTILINE)
        assert count == 1, line
    if shutil.which("openssl") is None:
        pytest.skip("OpenSSL is not installed")
    stage.succeeds("openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=hub.example")
    (stage.folder / "own.toml").write_text(configuration)
    stage.succeeds("resourcesync hub check --config own.toml")


#: What a part of the configuration of a web server serves, by a text in it: a request, and the file in the folder of the test.
SERVED = {
    "/notifications/": ("notifications/changes.xml", "public/notifications/changes.xml"),
    "location /rs/": ("rs/token", "served/rs/token"),
    "alias /srv/public.resourcesync/": ("records/1.xml", "public.resourcesync/harvest/records/1.xml"),
    "alias /srv/public/$1": ("a/records/1.xml", "public/a.resourcesync/harvest/records/1.xml"),
}


def served(block: Block, stage: Stage) -> None:
    program = {"nginx": "nginx", "apache": "apache2", "caddy": "caddy"}[block.kind]
    stage.own["PATH"] += ":/usr/sbin"
    if shutil.which(program, path=stage.own["PATH"]) is None:
        pytest.skip(f"{program} is not installed")
    port, public = free_port(), stage.folder / "public"
    public.mkdir()
    (path, file), = (found for part, found in SERVED.items() if part in block.text)
    (stage.folder / file).parent.mkdir(parents=True, exist_ok=True)
    (stage.folder / file).write_text("it")
    # Workers of the server have another user.
    for folder in (stage.folder, *stage.folder.parents):
        if folder.stat().st_uid == os.geteuid() and len(folder.parts) > 2:
            folder.chmod(0o755)
    text = block.text.replace("/srv/", f"{stage.folder}/").replace("127.0.0.1:8080", stage.repository.removeprefix("http://"))
    if block.kind == "nginx":
        root = "" if "location / " in re.sub(" +", " ", text) else f"root {public};"
        command = nginx(stage.folder, f"server {{ listen 127.0.0.1:{port}; {root}\n{text}}}")
    elif block.kind == "caddy":
        command = caddy(stage.folder, f"http://127.0.0.1:{port} {{\nroot * {public}\nfile_server\n{text}}}")
    else:
        command = apache(stage.folder, f"Listen 127.0.0.1:{port}\nDocumentRoot {public}\n<Directory {public}>\nRequire all granted\n</Directory>\n{text}")
    with running(command, stage.folder, stage.own, f"http://127.0.0.1:{port}/"):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
            assert answer.read() == b"it"
            if "Link" in text:
                links = '<https://example.com/notifications/changes.xml>; rel="self", <https://hub.example/>; rel="hub"'
                assert (answer.headers["Link"], answer.headers["Content-Type"]) == (links, "application/xml")
        if "deny" in text:
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/{file.removeprefix('public/')}")


def keys(text: str) -> set[str]:
    """The keys of the objects of JSON."""
    found: set[str] = set()

    def keep(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found.update(key for key, _ in pairs)
        return dict(pairs)

    json.loads(text, object_pairs_hook=keep)
    return found


def listed(block: Block, stage: Stage) -> None:
    """`list` prints every key that the page shows, of a package with a file that was updated, and one that was deleted."""
    build = "resourcesync build files/ --base-uri https://example.com/files/ --documents-uri https://example.com/ --out public --hash md5,sha-256 --dump"
    (stage.folder / "files" / "other.txt").write_text("other")
    stage.succeeds(build)
    (stage.folder / "files" / "about.txt").write_text("two, and more")
    (stage.folder / "files" / "other.txt").unlink()
    stage.succeeds(build)
    printed = stage.succeeds("resourcesync list --format json public/changedump-1.zip")
    assert keys(block.text) <= keys(printed), keys(block.text) - keys(printed)
    for name in ("format", "formatVersion"):
        assert json.loads(block.text)[name] == json.loads(printed)[name]


def inventory(block: Block, stage: Stage) -> None:
    record = block.text.replace("files/1.pdf", "files/report.pdf").replace("…", hashlib.md5(b"one").hexdigest())
    (stage.folder / "records.jsonl").write_text(stage.local(record))
    stage.succeeds("resourcesync build --from-jsonl records.jsonl --base-uri https://example.com/ --out public")
    assert "https://doi.example.org/1" in (stage.folder / "public" / "resourcelist.xml").read_text()


def stated(block: Block, stage: Stage) -> None:
    """The file that the commands above it read: the test of these runs it."""
    assert any("events.csv" in each.text for each in BLOCKS if (each.page, each.section, each.kind) == (block.page, block.section, "sh"))


def workflow(block: Block, stage: Stage) -> None:
    """The action has these inputs and outputs, and the command these options; scripts/hook runs the hook with the other block."""
    if "repos:" in block.text:
        assert "docs/ci.md" in (ROOT / "scripts" / "hook").read_text("utf-8")
        return
    action = (ROOT / "action.yml").read_text("utf-8")
    inputs, outputs = re.split(r"^outputs:$", action, flags=re.MULTILINE)
    given = dict(re.findall(r"^ {10}(\w+): (.*)$", block.text.split("- if:")[0], re.MULTILINE))
    assert given and all(re.search(rf"^  {name}:$", inputs, re.MULTILINE) for name in given)
    for step, name in re.findall(r"steps\.(\w+)\.outputs\.(\w+)", block.text):
        assert f"id: {step}\n" in block.text and re.search(rf"^  {name}:$", outputs, re.MULTILINE)
    stage.succeeds("resourcesync build files/ --base-uri https://example.com/ --out public")
    stage.succeeds(f"resourcesync validate {given['arguments']} {given['paths']}")


#: What is done with blocks that are no commands.
CHECKS = {
    ("docs/configuration.md", "toml"): configured,
    ("docs/hub.md", "toml"): configured,
    ("docs/sync.md", "toml"): configured,
    ("docs/listen.md", "nginx"): served,
    ("docs/notifications.md", "nginx"): served,
    ("docs/notifications.md", "apache"): served,
    ("docs/notifications.md", "caddy"): served,
    ("docs/oai.md", "nginx"): served,
    ("docs/build.md", "json"): inventory,
    ("docs/build.md", "csv"): stated,
    ("docs/packages.md", "json"): listed,
    ("docs/ci.md", "yaml"): workflow,
}
OTHERS = [pytest.param(block, id=block.name) for block in HERE if (block.page, block.kind) in CHECKS]


@pytest.mark.parametrize("block", OTHERS)
def test_what_is_no_command_is_used_as_printed(block: Block, tmp_path: Path) -> None:
    with staged(block, tmp_path) as stage:
        CHECKS[block.page, block.kind](block, stage)


def test_every_block_of_the_site_is_run_or_says_why_not() -> None:
    # Diagrams and what commands print are text.
    missed = [block.name for block in HERE if block.kind not in ("sh", "text") and (block.page, block.kind) not in CHECKS]
    assert not missed, f"no test runs {missed}: see blocks.py"
    unfenced = {page.name: lines for page in pages() if (lines := indented(page))}
    assert not unfenced, f"code without a fence: {unfenced}"


def test_the_tests_of_other_blocks_read_their_pages() -> None:
    assert all((ROOT / file).is_file() for _, _, _, file in GENERATED)
    for name, kinds, _, file in ELSEWHERE:
        assert any(runner(block) == file for block in BLOCKS if block.kind in kinds.split()), f"{name}: no block for {file}"
        text = (ROOT / file).read_text("utf-8")
        stem = re.sub(r"\*?\.md$", "", name).rpartition("/")[2]
        assert re.search(rf"{stem}\b|{stem.upper()}", text), f"{file} does not read {name}"
