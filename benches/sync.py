"""Measures `resourcesync sync` and the programs that copy the same resources, as far as they are installed: CPU seconds and memory of the client.

    scripts/bench sync                10,000 resources of 2 KiB, one by one and from a Resource Dump
    scripts/bench sync --resources N  another number of them
    scripts/bench sync --listed N     also a comparison with N listed resources, none of which changed; then the Change List without and
                                      with 1,000 changes

wget, curl, rclone and aria2c are packages of Debian with these names (aria2c: aria2).

The server runs in a process of its own, so that its work is not counted.
"""

import argparse
import functools
import hashlib
import http.server
import json
import multiprocessing
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZE = 2048


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The headers and the body in one packet: the clients would wait 40 ms for the second one.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass


def serve(folder, ready):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    ready.put(server.server_port)
    server.serve_forever()


def run(command, folder, statuses=(0,)):
    """CPU seconds and peak memory in MiB of a program; the latter is at least that of this bench, from which the process is forked."""
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in statuses:
        sys.exit(f"{command[0]} ended with {process.returncode}: {(folder / 'output').read_text(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def tree(folder):
    return sorted(path.stat().st_size for path in folder.rglob("*.bin"))


class Bench:
    def __init__(self, tool, resync, folder, number):
        self.tool, self.resync, self.folder, self.number = tool, resync, folder, number
        self.served = folder / "served"
        numbers = random.Random(1)
        for name in range(number):
            path = self.served / f"files/{name // 1000}/{name}.bin"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(numbers.randbytes(SIZE))
        ready = multiprocessing.Queue()
        self.server = multiprocessing.Process(target=serve, args=(self.served, ready), daemon=True)
        self.server.start()
        self.base = f"http://127.0.0.1:{ready.get()}/"
        self.publish(self.served / "files")
        self.uris = [f"{self.base}files/{name // 1000}/{name}.bin" for name in range(number)]

    def publish(self, *what):
        subprocess.run([self.tool, "build", *what, "--out", self.served / "docs", "--hash", "md5,sha-256", "--max-delete", "100%",
                        "--base-uri", self.base + "files/", "--documents-uri", self.base + "docs/"],
                       check=True, capture_output=True)

    def start(self):
        return self.base + "docs/.well-known/resourcesync"

    def clients(self):
        """Name, command of the first and of later runs, and what it verifies."""
        sync = [self.tool, "sync", "--limit", "http_requests_per_second=0", self.start(), "ours"]
        yield "ours", sync, sync, "digests, durable"
        yield "ours, compared again", None, [*sync[:2], "--full", *sync[2:]], "digests, durable"
        (self.folder / "uris").write_text("".join(f"{uri}\n" for uri in self.uris))
        wget = ["wget", "-q", "-N", "-x", "-i", "../uris"]
        yield "wget -N", wget, wget, "nothing"
        lines = (f'url = "{uri}"\noutput = "{uri.rsplit("/", 1)[1]}"\n' for uri in self.uris)
        (self.folder / "config").write_text("".join(lines))
        curl = ["curl", "-s", "--parallel", "--parallel-max", "4", "-K", "../config"]
        yield "curl --parallel", curl, None, "nothing"
        rclone = ["rclone", "copy", "--transfers", "4", "--http-url", self.base + "files/", ":http:", "."]
        yield "rclone", rclone, rclone, "nothing"
        aria2c = ["aria2c", "-q", "-j4", "--allow-overwrite=true", "--conditional-get=true", "-i", "../uris"]
        yield "aria2c", aria2c, aria2c, "nothing"
        resync = [self.resync or "resync-sync", "--baseline", "--hash", "md5", "--noauth",
                  "--capabilitylist", self.base + "docs/capabilitylist.xml", self.base + "files/", "files"]
        yield "reference client (Python)", resync, None, "md5"

    def table(self):
        print(f"| {self.number:,} resources of 2 KiB | CPU a resource | again | memory | verified by |")
        print("| --- | --- | --- | --- | --- |")
        missed = []
        for name, first, again, verified in self.clients():
            program = (first or again)[0]
            if not shutil.which(str(program)):
                print(f"bench: without {program}, which is not installed", file=sys.stderr)
                continue
            folder = self.folder / ("ours" if name.startswith("ours") else name.split()[0])
            where = self.folder if name.startswith("ours") else folder
            where.mkdir(exist_ok=True)
            cells = []
            memory = 0.0
            for command in (first, again):
                if command is None:
                    cells.append("")
                    continue
                seconds, rss = run(command, where)
                memory = max(memory, rss)
                cells.append(f"{seconds * 1000 / self.number:.3f} ms")
                if name == "ours" and command is first:
                    if seconds * 1000 / self.number > 0.30:
                        missed.append(f"{cells[-1]} CPU a resource")
                    if rss > 64:
                        missed.append(f"{rss:.0f} MiB")
            if len(tree(folder)) != self.number:
                sys.exit(f"bench: {name} copied {len(tree(folder))} of {self.number}")
            print(f"| {name} | {cells[0]} | {cells[1]} | {memory:.0f} MiB | {verified} |", flush=True)
        return missed

    def dumps(self):
        """The first run with a Resource Dump beside the lists, against one that cannot use it: in turns, the best of three."""
        self.publish(self.served / "files", "--dump")
        dump = self.served / "docs/resourcedump.xml"
        whole, walls, costs = dump.read_bytes(), {True: [], False: []}, {True: [], False: []}
        for number in range(6):
            has_dump = number % 2 == 0
            # Without a listed length a package is not used.
            dump.write_bytes(whole if has_dump else re.sub(rb' length="\d+"', b"", whole))
            copy = self.folder / f"dumped-{number}"
            begun = time.monotonic()
            cpu, _ = run([self.tool, "sync", "--limit", "http_requests_per_second=0", "--format", "json", "--max-listed", "0", self.start(), copy], self.folder)
            walls[has_dump].append((time.monotonic() - begun) * 1000 / self.number)
            costs[has_dump].append(cpu)
            report = json.loads((self.folder / "output").read_text())
            supplied = report["plan"].get("packages", {}).get("supplied", 0)
            if supplied != (self.number if has_dump else 0) or len(tree(copy)) != self.number:
                sys.exit(f"bench: {supplied} resources are from packages: {report['plan']}")
            shutil.rmtree(copy)
        dump.write_bytes(whole)
        wall, ratio = min(walls[True]), min(costs[False]) / min(costs[True])
        print(f"\n{self.number:,} resources from a dump: {wall:.3f} ms each, against {min(walls[False]):.3f}; {ratio:.1f} times less CPU than a request each")
        limits = [(wall > 0.15, f"{wall:.3f} ms from a dump"), (ratio < 5, f"{ratio:.1f} times less CPU from a dump")]
        return [words for is_missed, words in limits if is_missed]

    def listed(self, number):
        """Compares with this many listed resources, all of them empty files that are held."""
        digest = hashlib.sha256(b"").hexdigest()
        host = self.base.removeprefix("http://").rstrip("/").replace(":", "^")
        copy = self.folder / "many"
        sync = [self.tool, "sync", "--limit", "http_requests_per_second=0", "--full", self.start(), copy]
        # A run of the small Source makes the state, and fetches nothing. One of all resources would plan their transfers.
        run([*sync[:2], "--max-bytes", "0", *sync[2:]], self.folder, (2,))
        with sqlite3.connect(copy / ".resourcesync/state.sqlite") as ledger:
            for part in range(0, number, 1000):
                names = [f"many/{part // 1000}/{name}.bin" for name in range(part, min(part + 1000, number))]
                (copy / host / names[0]).parent.mkdir(parents=True)
                for name in names:
                    path = f"{copy}/{host}/{name}"
                    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
                    os.utime(path, ns=(0, 0))
                ledger.executemany("INSERT INTO resource(uri, hash, length, sha256, size, mtime, run) VALUES(?, ?, 0, ?, 0, 0, 1)",
                                   ((self.base + name, f"sha-256:{digest}", digest) for name in names))
        for folder in (self.served / "docs", self.served / "docs.resourcesync"):
            folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)
        self.publish_many(number, 0)
        begun = time.monotonic()
        seconds, rss = run(sync, self.folder)
        wall, each = time.monotonic() - begun, seconds * 1e6 / number
        print(f"\nnothing changed of {number:,} listed: {each:.1f} µs CPU an entry, {wall:.0f} s, {rss:.0f} MiB")
        limits = [(each, 12, "µs an entry"), (wall, number * 15e-6, "s"), (rss, 66, "MiB")]
        return [f"{found:.1f} {unit}" for found, most, unit in limits if found > most]

    def publish_many(self, number, changed):
        """Lists this many resources; the first of them are files of 2 KiB."""
        empty = hashlib.sha256(b"").hexdigest()
        with open(self.folder / "many.jsonl", "w") as lines:
            for name in range(number):
                length, digest = 0, empty
                if name < changed:
                    path = self.served / f"many/{name // 1000}/{name}.bin"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    body = random.Random(name).randbytes(SIZE)
                    path.write_bytes(body)
                    length, digest = SIZE, hashlib.sha256(body).hexdigest()
                lines.write(f'{{"uri":"{self.base}many/{name // 1000}/{name}.bin","length":{length},"hashes":{{"sha-256":"{digest}"}}}}\n')
        self.publish("--from-jsonl", self.folder / "many.jsonl")

    def followed(self, number):
        """Follows the Change List of the copy that `listed` made."""
        missed = []

        def sync(*more):
            command = [self.tool, "sync", "--limit", "http_requests_per_second=0", "--format", "json", "--max-listed", "0", *more,
                       self.start(), self.folder / "many"]
            begun = time.monotonic()
            seconds, rss = run(command, self.folder)
            wall = (time.monotonic() - begun) * 1000
            report = json.loads((self.folder / "output").read_text())
            return report, wall, seconds * 1000, rss

        # A date counts as a validator only after its second.
        time.sleep(2)
        sync()
        report, wall, cpu, rss = min((sync() for _ in range(5)), key=lambda run: run[1])
        requests = len(report["documents"])
        print(f"nothing changed of {number:,} held, by the Change List: {requests} requests, {wall:.0f} ms, {cpu:.0f} ms CPU, {rss:.0f} MiB "
              f"({report['plan']['why']})")
        if requests > 3 or wall > 50:
            missed.append(f"{requests} requests, {wall:.0f} ms without changes")
        self.publish_many(number, 1_000)
        report, wall, cpu, rss = sync("--dry-run")
        print(f"1,000 changes among {number:,} held: {wall:.0f} ms, {cpu:.0f} ms CPU, {rss:.0f} MiB without transfers ({report['plan']['why']})")
        if report["plan"]["kind"] != "changes" or report["plan"]["requests"] != 1_000:
            sys.exit(f"bench: another plan: {report['plan']}")
        if wall > 2_000:
            missed.append(f"{wall:.0f} ms for 1,000 changes")
        report, wall, cpu, rss = sync()
        print(f"the same with the transfers: {wall:.0f} ms, {cpu:.0f} ms CPU, {rss:.0f} MiB, {report['counts']['updated']} updated")
        # Now resources can be found by their digests.
        state = (self.folder / "many/.resourcesync/state.sqlite").stat().st_size / number
        print(f"state: {state:.0f} bytes for each of them")
        if state > 300:
            missed.append(f"{state:.0f} bytes of state each")
        return missed


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--resources", type=int, default=10_000)
    arguments.add_argument("--quick", action="store_const", dest="resources", const=1_000, help="1,000 resources")
    arguments.add_argument("--listed", type=int, default=0)
    arguments.add_argument("--strict", action="store_true")
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--resync")
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="resourcesync-bench-") as folder:
        bench = Bench(arguments.tool, arguments.resync, Path(folder), arguments.resources)
        missed = bench.table()
        missed += bench.dumps()
        if arguments.listed:
            missed += bench.listed(arguments.listed)
            missed += bench.followed(arguments.listed)
        bench.server.terminate()
    for target in missed:
        print(f"missed: {target}", file=sys.stderr)
    sys.exit(1 if missed and arguments.strict else 0)


if __name__ == "__main__":
    main()
