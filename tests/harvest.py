"""Crawls a Source built by this project on 127.0.0.1, and harvests it with the Python reference client."""

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

COMMAND, BIN = (pathlib.Path(name).absolute() for name in sys.argv[1:3])


class Site(http.server.SimpleHTTPRequestHandler):
    """`/files/` is the folder of resources, everything else is the published folder."""

    def translate_path(self, path):
        path = urllib.parse.unquote(urllib.parse.urlsplit(path).path)
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        if parts[:1] != ["files"]:
            parts = ["public", *parts]
        return os.path.join(*parts)

    def log_message(self, *_):
        pass


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
    sync("--incremental", "--changelist-uri", f"{base}changelist-1.xml", "--noauth", "--from", "2024-05-01T09:00:00Z")
    sync("--audit", "--hash", "md5", "--capabilitylist", f"{base}capabilitylist.xml", "--noauth")
    # From the Source Description to the Capability List, from there to the Resource List, and out. Its command has lost the
    # argument that names the Source.
    explore = f"from resync.explorer import Explorer; e = Explorer(); e.set_mappings([{base!r}]); e.explore()"
    said = run(BIN / "python", "-c", explore, feed="1\n1\nq\n")
    if "Parsed resourcelist document with 40 entries" not in said or "Cannot" in said:
        sys.exit(f"harvest: the explorer did not find its way\n{said}")
    print("harvest: the reference client explored, harvested and followed a Source built here")


here = tempfile.mkdtemp(prefix="resourcesync-harvest-")
try:
    os.chdir(here)
    main()
finally:
    os.chdir("/")
    shutil.rmtree(here)
