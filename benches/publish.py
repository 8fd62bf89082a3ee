"""Measures publications: one change among many resources, many publications one by one with a copy that follows them, and a full inventory in
which nothing changed.

Each figure is the best of several runs of the command, with its CPU time, its largest resident memory, and the bytes that it wrote. With --resync
the Python reference library publishes a folder in which one file changed, in turns with the command. With --python a process publishes changes
with `resourcesync.Source`.
"""

import argparse
import functools
import hashlib
import http.server
import multiprocessing
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

BASE = "https://example.com/items/"


class Bench:
    def __init__(self, tool, folder, count):
        self.tool, self.folder, self.count = tool, folder, count
        self.inventory = folder / "inventory.csv"
        with self.inventory.open("w") as file:
            file.write("uri,length,sha-256,lastmod\n")
            for number in range(count):
                file.write(f"{BASE}{number:08},{number},{number:064x},2024-01-31T12:00:00Z\n")

    def run(self, *args, text=None):
        """Runs the command; returns CPU seconds, resident bytes and wall seconds."""
        command = [self.tool, "build", "--quiet", "--out", str(self.folder / "public"), *args]
        source = self.folder / "input"
        source.write_text(text or "")
        with source.open() as stdin:
            began = time.monotonic()
            child = subprocess.Popen(command, stdin=stdin)
            _, status, used = os.wait4(child.pid, 0)
            wall = time.monotonic() - began
        if status:
            raise SystemExit(f"{command} ended with {status}")
        scale = 1 if sys.platform == "darwin" else 1024
        return used.ru_utime + used.ru_stime, used.ru_maxrss * scale, wall

    def full(self):
        return self.run("--from-csv", str(self.inventory), "--base-uri", BASE, "--documents-uri", "https://example.com/")

    def event(self, number, *more):
        text = f"change,uri,length,sha-256\nupdated,{BASE}{number % self.count:08},{number},{'f' * 40}{number:024x}\n"
        return self.run("--changes", "-", *more, text=text)

    def size(self):
        """The bytes of the Change Lists and of the log."""
        known = self.folder / "public.resourcesync" / (self.folder / "public" / ".generation").read_text().strip()
        written = [self.folder / "public" / "changelist.xml", known / "changes.log"]
        return sum(path.stat().st_size for path in written if path.exists())


#: One change after the other, each published by this process; prints the seconds of each, fsync included.
SOURCE = """
import sys, time
import resourcesync as rs
folder, base = sys.argv[1:]
source = rs.Source(folder, base, documents_uri="https://example.com/", snapshot="never", rotate=1_000)
for number in range(20):
    source.upsert(rs.Resource(f"{base}{number:08}", length=1_000_000 + number))
    began = time.perf_counter()
    assert source.publish().updated == 1
    print(time.perf_counter() - began)
"""

#: Publishes each change of a line, and answers with a line.
SERVED = """
import sys
import resourcesync as rs
folder, base, documents = sys.argv[1:]
source = rs.Source(folder, base, documents_uri=documents)
for line in sys.stdin:
    uri, length, digest = line.strip().split(",")
    source.upsert(rs.Resource(uri, length=int(length), hashes={"sha-256": digest}))
    assert source.publish().updated == 1
    print(flush=True)
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The headers and the body in one packet: the client would wait 40 ms for the second one.
    wbufsize = 1 << 16

    def log_message(self, *_):
        pass


def serve(folder, ready):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    ready.put(server.server_port)
    server.serve_forever()


def one_by_one(tool, python, folder, count, times):
    """Publishes changes of files one by one, by a running Source of Python or by a process each, and validates the Source ten times; returns
    the seconds, and whether a copy is in step afterwards."""
    items, ready = folder / "items", multiprocessing.Queue()
    items.mkdir(parents=True)
    server = multiprocessing.Process(target=serve, args=(str(folder), ready), daemon=True)
    server.start()
    root = f"http://127.0.0.1:{ready.get()}/"
    build = [tool, "build", "--quiet", "--out", str(folder / "public")]
    validate = [tool, "validate", "--quiet", str(folder / "public")]
    sync = [tool, "sync", f"{root}public/capabilitylist.xml", str(folder / "copy"), "--quiet", "--limit", "http_requests_per_second=0"]

    def written(number, content):
        (items / f"{number:08}").write_bytes(content)
        return f"{root}items/{number:08},{len(content)},{hashlib.sha256(content).hexdigest()}\n"

    try:
        rows = "".join(written(number, b"%08d" % number) for number in range(count))
        own = [*build, "--from-csv", "-", "--base-uri", f"{root}items/", "--documents-uri", f"{root}public/"]
        subprocess.run(own, input="uri,length,sha-256\n" + rows, text=True, check=True)
        subprocess.run(sync, check=True)
        running = python and subprocess.Popen(
            [python, "-c", SERVED, str(folder / "public"), f"{root}items/", f"{root}public/"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        elapsed = 0
        for number in range(1, times + 1):
            event = written(number % count, b"changed %d" % number)
            began = time.monotonic()
            if running:
                running.stdin.write(event)
                running.stdin.flush()
                if not running.stdout.readline():
                    raise SystemExit("the running Source ended")
            else:
                subprocess.run([*build, "--changes", "-"], input=f"change,uri,length,sha-256\nupdated,{event}", text=True, check=True)
            elapsed += time.monotonic() - began
            if number % max(times // 10, 1) == 0:
                subprocess.run(validate, check=True)
        is_synced = subprocess.run(sync).returncode == 0
        files = {path.name: path.read_bytes() for path in (folder / "copy").rglob("0*") if path.is_file()}
        return elapsed, is_synced and files == {path.name: path.read_bytes() for path in items.iterdir()}
    finally:
        server.terminate()


def cpu_of(command):
    """CPU seconds of a command, with its children."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{command} ended with {status}")
    return used.ru_utime + used.ru_stime


def peers(tool, resync, folder, count):
    """One file of a folder changes: CPU seconds of the reference library, of a comparison of the folder, and of an event."""
    files, out = folder / "files", folder / "peer"
    files.mkdir()
    for number in range(count):
        (files / f"{number:06}.bin").write_bytes(b"%06d" % number * 170)
    # Digests of files that are older than the last run need not be computed again.
    time.sleep(3)
    base, lists = "https://example.com/files/", [folder / "1.xml", folder / "2.xml"]
    mapping = ["--hash", "sha-256", f"{base}={files}"]
    build = [tool, "build", "--quiet", "--out", str(out)]
    compared = [*build, str(files), "--base-uri", base, "--documents-uri", "https://example.com/"]
    cpu_of([resync, "--write-resourcelist", "--outfile", str(lists[0]), *mapping])
    cpu_of(compared)
    used = [[], [], []]
    for turn in range(3):
        name = f"{turn:06}.bin"
        (files / name).write_bytes(b"changed" * (turn + 1))
        # What a Source has after a change: a Resource List and a Change List.
        listed = cpu_of([resync, "--write-resourcelist", "--outfile", str(lists[1]), *mapping])
        changes = ["--write-changelist", "--reference", str(lists[0]), "--newreference", str(lists[1])]
        used[0].append(listed + cpu_of([resync, *changes, "--outfile", str(folder / "changes.xml"), f"{base}={files}"]))
        used[1].append(cpu_of(compared))
        (files / name).write_bytes(b"again" * (turn + 1))
        event = folder / "event.csv"
        event.write_text(f"change,uri,path\nupdated,{base}{name},{files / name}\n")
        used[2].append(cpu_of([*build, "--changes", str(event), "--allow-outside"]))
    return [min(own) for own in used]


def row(name, value, target, met):
    print(f"| {name} | {value} | {target} | {'yes' if met else 'NO'} |", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--quick", action="store_true", help="with 20,000 resources")
    parser.add_argument("--resync", help="resync-build of the Python reference library")
    parser.add_argument("--python", help="a Python with the package resourcesync")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a target is missed")
    options = parser.parse_args()
    count, few, times = (20_000, 2_000, 50) if options.quick else (1_000_000, 10_000, 10_000)
    print("| what | measured | target | met |\n| --- | --- | --- | --- |")
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cpu = {}
        for part in (few, count):
            (folder / str(part)).mkdir()
            bench = Bench(options.tool, folder / str(part), part)
            first = bench.full()
            print(f"| first publication of {part:,} | {first[0]:.2f} s of CPU, {first[1] / 2**20:.0f} MiB | | |", flush=True)
            runs = [bench.event(number, "--snapshot", "never") for number in range(1, 12)]
            cpu[part] = min(used for used, _, _ in runs)
            written = bench.size()
        largest, wall = max(used for _, used, _ in runs), min(own for _, _, own in runs)
        results.append(row(f"one change among {count:,}: CPU", f"{cpu[count] * 1000:.1f} ms", "≤ 50 ms", cpu[count] <= 0.05))
        results.append(row("resident memory", f"{largest / 2**20:.1f} MiB", "≤ 32 MiB", largest <= 32 << 20))
        results.append(row("open Change List and log", f"{written / 1000:.1f} kB", "≤ 1 MB", written <= 1_000_000))
        print(f"| elapsed | {wall * 1000:.1f} ms | | |")
        ratio = cpu[count] / max(cpu[few], 0.001)
        results.append(row(f"CPU against {few:,} resources", f"{ratio:.2f}", "≤ 1.5", ratio <= 1.5))
        if options.python:
            printed = subprocess.run([options.python, "-c", SOURCE, str(bench.folder / "public"), BASE], check=True, capture_output=True, text=True)
            taken = sorted(map(float, printed.stdout.split()))[10]
            results.append(row(f"one change among {count:,} from a running `Source` of Python: median", f"{taken * 1000:.1f} ms", "≤ 10 ms", taken <= 0.01))
        publishers = [(options.python, "a running `Source` of Python")] if options.python else []
        for python, by in [*publishers, (None, "a process each")]:
            elapsed, is_in_step = one_by_one(options.tool, python, folder / by, few, times)
            name = f"{times:,} changes one by one, published by {by}"
            if python:
                results.append(row(name, f"{elapsed:.1f} s", "≤ 60 s", elapsed <= 60))
            else:
                print(f"| {name} | {elapsed:.1f} s | | |")
            results.append(row("the same: a copy that follows them", "in step" if is_in_step else "not in step", "in step", is_in_step))
        same = [bench.full()[0] for _ in range(3)]
        print(f"| full inventory of {count:,} after the events, then nothing changed | {same[0]:.2f} s, {min(same[1:]):.2f} s of CPU | | |")
        if options.resync:
            other, compared, event = peers(options.tool, options.resync, folder, few)
            shown = f"{other:.2f} s, {compared:.2f} s, {event * 1000:.0f} ms of CPU"
            print(f"| one of {few:,} files changed: the reference library, `build FOLDER`, `build --changes` | {shown} | | |")
            results.append(row("CPU of the reference library against a comparison", f"{other / compared:.1f}", "≥ 5", other >= 5 * compared))
            results.append(row("the same against an event", f"{other / event:.0f}", "≥ 100", other >= 100 * event))
    return 1 if options.strict and not all(results) else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
