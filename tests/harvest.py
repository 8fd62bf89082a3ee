"""Crawls a Source built by this project on 127.0.0.1, and harvests it with the Python reference client; then copies a Source written by that client, and
follows its Change Lists."""

import filecmp
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

# What the reference client is run with to publish `files`.
PUBLISH = """
import sys
from resync import CapabilityList, SourceDescription
from resync.mapper import Mapper
from resync.resource_list_builder import ResourceListBuilder
base = sys.argv[1]
resources = ResourceListBuilder(mapper=Mapper([base + "files/=files"]), set_hashes=["md5"]).from_disk(paths=["files"])
resources.up = base + "capabilitylist.xml"
capabilities = CapabilityList()
capabilities.up = base + "description.xml"
capabilities.add_capability(resources, base + "resourcelist.xml")
source = SourceDescription()
source.add_capability_list(base + "capabilitylist.xml")
for name, document in [("resourcelist", resources), ("capabilitylist", capabilities), ("description", source)]:
    document.write(f"public/{name}.xml")
"""
# What it is run with to publish the changes since the last time, in one Change List: the first argument is the Source, the second is the time.
PUBLISH_CHANGES = """
import os, sys
from resync import CapabilityList, ChangeList, ResourceList
from resync.mapper import Mapper
from resync.resource_list_builder import ResourceListBuilder
base, time = sys.argv[1:3]
build = ResourceListBuilder(mapper=Mapper([base + "files/=files"]), set_hashes=["md5"])
now, before, changes = build.from_disk(paths=["files"]), ResourceList(), ChangeList()
if not os.path.exists("public/changelist.xml"):
    now.up, now.md_at = base + "capabilitylist.xml", time
    now.write("public/resourcelist.xml")
    changes.up, changes.md_from = base + "capabilitylist.xml", time
    capabilities = CapabilityList()
    capabilities.add_capability(now, base + "resourcelist.xml")
    capabilities.add_capability(changes, base + "changelist.xml")
    capabilities.write("public/capabilitylist.xml")
else:
    before.read("before.xml")
    changes.read("public/changelist.xml")
    same, updated, deleted, created = before.compare(now)
    for kind, resources in [("updated", updated), ("deleted", deleted), ("created", created)]:
        for resource in resources:
            resource.md_datetime = time
        changes.add_changed_resources(resources, change=kind)
changes.write("public/changelist.xml")
now.write("before.xml")
"""
GENERATIONS = 24
COMMAND, BIN = (pathlib.Path(name).absolute() for name in sys.argv[1:3])


class Site(http.server.SimpleHTTPRequestHandler):
    """`/files/` is the folder of resources, everything else is the published folder."""

    def translate_path(self, path):
        path = urllib.parse.unquote(urllib.parse.urlsplit(path).path)
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        if parts[:1] != ["files"]:
            parts = ["public", *parts]
        return os.path.join(*parts)

    requests = 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        Site.requests += 1
        super().do_GET()


def run(*arguments, feed=""):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, input=feed)
    if done.returncode != 0:
        sys.exit(f"harvest: {' '.join(map(str, arguments))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def same(one, other):
    """The names that differ between two folders."""
    here, there = ({p.relative_to(f).as_posix() for p in pathlib.Path(f).rglob("*") if p.is_file()} for f in (one, other))
    unequal = [name for name in here & there if not filecmp.cmp(f"{one}/{name}", f"{other}/{name}", shallow=False)]
    return sorted(here ^ there), unequal


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/"
    files = pathlib.Path("files")
    for number in range(40):
        place = files / f"{number % 4}" / f"{number}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"text {number}\n" * number)

    def build(time, *more):
        run(COMMAND, "build", "files", "--base-uri", f"{base}files/", "--documents-uri", base, "--out", "public",
            "--hash", "md5,sha-256", "--at", f"2024-05-01T{time}Z", *more)
        run(COMMAND, "validate", "--fail-on", "warning", "--quiet", "public")
        # Over HTTP, every document, package and resource.
        said = run(COMMAND, "validate", "--follow", "--resources", "all", "--fail-on", "warning", "--format", "json", base)
        report = json.loads(said)
        if report["verdict"] != "valid" or report["diagnostics"] or len(report["inputs"]) < 5:
            sys.exit(f"harvest: the Source is not clean when it is followed\n{said}")

    def sync(how, *more):
        said = run(BIN / "resync-sync", how, "--delete", "--verbose", *more, f"{base}files/", "copy")
        differ = same("files", "copy")
        if differ != ([], []):
            sys.exit(f"harvest: after {how} these differ: {differ}\n{said}")

    build("09:00:00")
    sync("--baseline", "--hash", "md5", "--capabilitylist", f"{base}capabilitylist.xml", "--noauth")
    (files / "0" / "0.txt").write_text("changed\n")
    (files / "new.txt").write_text("new\n")
    (files / "3" / "39.txt").unlink()
    build("10:00:00")
    sync("--incremental", "--changelist-uri", f"{base}changelist.xml", "--noauth", "--from", "2024-05-01T09:00:00Z")
    sync("--audit", "--hash", "md5", "--capabilitylist", f"{base}capabilitylist.xml", "--noauth")
    # From the Source Description to the Capability List, from there to the Resource List, and out. Its command has lost the
    # argument that names the Source.
    explore = f"from resync.explorer import Explorer; e = Explorer(); e.set_mappings([{base!r}]); e.explore()"
    said = run(BIN / "python", "-c", explore, feed="1\n1\nq\n")
    if "Parsed resourcelist document with 40 entries" not in said or "Cannot" in said:
        sys.exit(f"harvest: the explorer did not find its way\n{said}")
    print("harvest: the reference client explored, harvested and followed a Source built here")
    copy(base, server.server_port)
    print("harvest: a Source written by the reference client was copied")
    follow(base, server.server_port)
    print(f"harvest: its Change Lists were followed for {GENERATIONS} generations, with one document each")


def copy(base, port):
    """Copies a Source that the reference client writes."""

    def publish():
        shutil.rmtree("public")
        pathlib.Path("public").mkdir()
        run(BIN / "python", "-c", PUBLISH, base)

    def sync(what):
        said = run(COMMAND, "sync", "--limit", "http_requests_per_second=0", f"{base}description.xml", "held")
        differ = same("files", f"held/127.0.0.1^{port}/files")
        if differ != ([], []) or "IN STEP" not in said:
            sys.exit(f"harvest: after the copy of {what} these differ: {differ}\n{said}")

    publish()
    sync("everything")
    before = Site.requests
    sync("nothing new")
    if Site.requests - before > 3:
        sys.exit(f"harvest: {Site.requests - before} requests although nothing changed")
    pathlib.Path("files/0/4.txt").write_text("changed\n")
    pathlib.Path("files/newer.txt").write_text("new\n")
    pathlib.Path("files/1/5.txt").unlink()
    publish()
    sync("changes")


def follow(base, port):
    """Follows the Change List of a Source that the reference client writes."""

    def publish(generation):
        run(BIN / "python", "-c", PUBLISH_CHANGES, base, f"2024-06-01T{generation // 60:02}:{generation % 60:02}:00Z")

    def sync(what):
        before = Site.requests
        said = run(COMMAND, "sync", "--limit", "http_requests_per_second=0", "--max-delete", "100", "--format", "json",
                   f"{base}capabilitylist.xml", "followed")
        report = json.loads(said)
        differ = same("files", f"followed/127.0.0.1^{port}/files")
        if differ != ([], []) or report["run"]["outcome"] != "in-step":
            sys.exit(f"harvest: after {what} these differ: {differ}\n{said}")
        counts = report["counts"]
        return report["plan"], Site.requests - before - counts["created"] - counts["updated"]

    shutil.rmtree("public")
    pathlib.Path("public").mkdir()
    publish(0)
    sync("the first run")
    for generation in range(1, GENERATIONS + 1):
        for step in range(generation % 4):
            number = (generation * 7 + step * 11) % 60
            place = pathlib.Path(f"files/{number % 4}/{number}.txt")
            if place.exists() and step == 2:
                place.unlink()
            else:
                place.write_text(f"generation {generation} {step}\n")
        publish(generation)
        if generation % 5 == 3:
            continue
        plan, documents = sync(f"generation {generation}")
        if plan["kind"] != "changes" or documents > 1:
            sys.exit(f"harvest: generation {generation} was followed with {documents} documents: {plan}")


here = tempfile.mkdtemp(prefix="resourcesync-harvest-")
try:
    os.chdir(here)
    main()
finally:
    os.chdir("/")
    shutil.rmtree(here)
