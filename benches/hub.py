"""Measures `resourcesync hub serve`: deliveries against a bare loop and Flask-WebSub, isolation, acceptance, a million subscriptions.

    scripts/bench hub [--strict] [--quick]

CPU time of the hub's process is the unit, since the receivers share the machine. Subscriptions are written into the store of a stopped hub,
because the limits on requests would make ten thousand of them take days. `--quick` has a tenth of the million.
"""

import argparse
import contextlib
import hashlib
import json
import math
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

TOKEN = "token-of-the-source"
SECRET = "secret-of-a-subscriber-0123456789abcdef"
PORTS = 64
TICK = os.sysconf("SC_CLK_TCK")

# The hub of Flask-WebSub with its tasks in the process, as published measurements have it.
FLASK = """
import base64, json, resource, sys, time
import celery, flask
from flask_websub.hub import Hub, SQLite3HubStorage
folder, count, ports, payload = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), open(sys.argv[4], "rb").read()
tasks = celery.Celery("hub", broker="memory://")
tasks.conf.task_always_eager = True
hub = Hub(SQLite3HubStorage(folder + "/flask.sqlite"), tasks, SIGNATURE_ALGORITHM="sha256")
for number in range(count):
    hub.storage["https://hub.example/t/1", f"http://127.0.0.1:{ports[number % len(ports)]}/{number}"] = {"lease_seconds": 864000, "secret": "SECRET"}
links = '<https://hub.example/t/1>; rel="self", <https://hub.example/>; rel="hub"'
content = {"headers": {"Content-Type": "application/xml", "Link": links}, "content": base64.b64encode(payload).decode()}
before = resource.getrusage(resource.RUSAGE_SELF)
hub.send_change_notification.delay("https://hub.example/t/1", content)
after = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}))
""".replace("SECRET", SECRET)


# An fsync that takes 8 ms at least.
SLOW = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int file) { usleep(8000); return syscall(SYS_fsync, file); }
int fdatasync(int file) { usleep(8000); return syscall(SYS_fdatasync, file); }
"""


# Seconds of one fsynced commit in SQLite.
COMMIT = """
import sqlite3, statistics, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE one(body BLOB)")
times = []
for _ in range(200):
    started = time.perf_counter()
    db.execute("INSERT INTO one VALUES(?)", (b"x" * 2000,))
    times.append(time.perf_counter() - started)
print(statistics.median(times))
"""


def cpu(process):
    """CPU seconds of a process."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(process):
    """Resident MB of a process: anonymous memory, and what it has of files."""
    line = next(line for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / 1e6


def free_ports(count):
    """Different ports on which nothing listens."""
    found = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in found]
    for server in found:
        server.close()
    return ports


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


class Receivers:
    """Receivers in a process of their own."""

    def __init__(self, peers, kind, ports, callbacks, *tls):
        arguments = [peers, "receive", kind, str(ports), str(callbacks), *map(str, tls)]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ports = json.loads(self.process.stdout.readline())["ports"]

    def ask(self, word):
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Hub:
    """A hub, its store, and its configuration."""

    def __init__(self, bench, name, topics, allow, more=""):
        self.bench = bench
        self.folder = bench.folder / name
        self.folder.mkdir()
        [self.port] = free_ports(1)
        self.sent = 0
        self.uri = f"http://127.0.0.1:{self.port}/"
        each = "".join(f'[[hub.topic]]\nuri = "{self.uri}t/{number}"\nkind = "change-notification"\npublishers = ["example"]\n' for number in range(1, topics + 1))
        (self.folder / "resourcesync.toml").write_text(
            f'[hub]\npublic_uri = "{self.uri}"\nlisten = "127.0.0.1:{self.port}"\nstore = "{self.folder}/hub.sqlite"\n'
            f'admin = "unix:{self.folder}/admin"\n{more}\n'
            f'[hub.callbacks]\nports = [80]\nallow = {json.dumps([f"127.0.0.1:{port}" for port in allow])}\n'
            f'[[hub.publisher]]\nname = "example"\ntoken_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"\n{each}'
        )
        self.store = self.folder / "hub.sqlite"
        # The hub creates its tables, and its topics with their first payloads.
        self.start()
        self.post(topics, 1, 1)
        self.stop()

    def start(self):
        """Starts it; returns the seconds until it answers."""
        started = time.monotonic()
        with open(self.folder / "log", "a") as log:
            command = [self.bench.tool, "hub", "serve", "--config", str(self.folder / "resourcesync.toml")]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=self.bench.environment, text=True)
        # The line comes after the hub listens and catches signals.
        if not self.process.stdout.readline().startswith("listening"):
            sys.exit(f"the hub ended: {(self.folder / 'log').read_text()[-2000:]}")
        return time.monotonic() - started

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(timeout=120) != 0:
            sys.exit("the hub did not stop orderly")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def subscribe(self, uris, topic=1):
        """Writes subscriptions at the end of a topic, as verified ones."""
        with contextlib.closing(sqlite3.connect(self.store)) as db, db:
            db.execute("PRAGMA synchronous=OFF")
            (head,) = db.execute("SELECT head FROM topic WHERE id=?", (topic,)).fetchone()
            lease = int(time.time() * 1000) + 864_000_000
            rows = ((topic, uri, uri.split("/")[2], SECRET, lease, head) for uri in uris)
            names = "topic, callback, host, secret, lease_until, cursor, failures, refusals"
            db.executemany(f"INSERT INTO subscription({names}) VALUES(?,?,?,?,?,?,0,0)", rows)

    def clear(self):
        """Removes all subscriptions."""
        with contextlib.closing(sqlite3.connect(self.store)) as db, db:
            db.execute("DELETE FROM subscription")

    def pause(self, word="pause"):
        subprocess.run([self.bench.tool, "hub", word, "--config", str(self.folder / "resourcesync.toml")], check=True, stdout=subprocess.DEVNULL)

    def post(self, topics, each, at_once):
        """Sends payloads; returns what the Source saw of it."""
        first, self.sent = self.sent, self.sent + each
        return run([self.bench.peers, "post", self.uri, TOKEN, first, topics, each, at_once])


class Bench:
    def __init__(self, options, folder):
        self.tool, self.peers, self.python, self.folder = options.tool, options.peers, options.python, folder
        self.scale = 10 if options.quick else 1
        self.environment = dict(os.environ)
        self.rows, self.missed = [], False

    def row(self, what, value, target, limit, details):
        """One row: a value, and whether it keeps to its limit."""
        held = value >= limit if target == "≥" else value <= limit
        self.missed |= not held
        print(f"| {what} | {value:,.2f} | {target} {limit:,} | {details} | {'' if held else 'missed'} |", flush=True)

    def wait(self, receivers, count, hub, seconds=600):
        """Waits for deliveries; returns the report of the receivers."""
        end = time.monotonic() + seconds
        while True:
            report = receivers.ask("count")
            if report["all"] >= count:
                return receivers.ask("report")
            if time.monotonic() > end or hub.process.poll() is not None:
                sys.exit(f"{report['all']} of {count} deliveries arrived: {(hub.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def deliveries(self, hub, receivers, payloads, subscribers):
        """CPU seconds of a delivery, the reports of the receivers, and the moments of acceptance."""
        receivers.ask("reset")
        before = cpu(hub.process)
        hub.post(1, payloads, 1)
        report = self.wait(receivers, payloads * subscribers, hub)
        time.sleep(0.2)
        return (cpu(hub.process) - before) / (payloads * subscribers), report

    def payload(self):
        """A payload of the size that `post` sends."""
        path = self.folder / "payload.xml"
        path.write_bytes(b"<!--" + b"x" * 2000 + b"-->")
        return path

    def throughput(self):
        """Rows 1 and 3: deliveries a CPU second, and arrivals of one payload."""
        subscribers = 10_000 // (2 if self.scale > 1 else 1)
        receivers = Receivers(self.peers, "fast", PORTS, subscribers)
        hub = Hub(self, "throughput", 1, receivers.ports)
        hub.subscribe(f"http://127.0.0.1:{receivers.ports[number % PORTS]}/{number}" for number in range(subscribers))
        hub.start()
        self.deliveries(hub, receivers, 1, subscribers)
        # In turns, because the speed of a shared processor changes within seconds.
        rounds = []
        for _ in range(9):
            each, report = self.deliveries(hub, receivers, 4, subscribers)
            bare = run([self.peers, "bare", 10 * subscribers, self.payload(), 8, *receivers.ports])
            rounds.append((1 / each, bare["done"] / bare["cpu"], bare["wall"] / bare["done"]))
        rate, bare_rate, bare_wall = (statistics.median(column) for column in zip(*rounds))
        ratio = statistics.median(own / bare for own, bare, _ in rounds)
        self.row("deliveries a CPU second", rate, "≥", 10_000, f"{report['connections']:,} new connections for {report['all']:,}")
        self.row("against the bare loop", ratio, "≥", 0.5, f"bare loop {bare_rate:,.0f}")
        self.flask(rate, receivers)
        times = []
        for _ in range(5):
            receivers.ask("reset")
            posted = time.time_ns()
            accepted = hub.post(1, 1, 1)
            report = self.wait(receivers, subscribers, hub)
            # The answer was complete before the program that posted ended; it is not exact, and in favour of nobody.
            since = sorted(at - posted - accepted["milliseconds"][0] * 1e6 for at in report["times"])
            times.append((since[int(len(since) * 0.99)] / 1e9, since[0] / 1e6))
            time.sleep(0.5)
        last, first = (statistics.median(column) for column in zip(*times))
        expected = subscribers * bare_wall
        self.row(f"99 % of {subscribers:,} arrivals after 200", last / expected, "≤", 1.3, f"{last:.2f} s; bare loop {expected:.2f} s")
        self.row("first arrival, ms", max(first, 0), "≤", 50, "")
        hub.stop()
        receivers.close()

    def flask(self, rate, receivers):
        if not self.python:
            print("bench: without Flask-WebSub", file=sys.stderr)
            return
        count = 500
        done = run([self.python, "-c", FLASK, self.folder, count, json.dumps(receivers.ports), self.payload()])
        other = count / done["cpu"]
        self.row("against Flask-WebSub", rate / other, "≥", 20, f"Flask-WebSub {other:,.0f}")

    def tls(self):
        """Row 2: deliveries over TLS, with connections kept, next to those without."""
        key, certificate, subscribers = self.folder / "key.pem", self.folder / "certificate.pem", 5_000
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=bench"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE", "-keyout", key, "-out", certificate]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        self.environment["SSL_CERT_FILE"] = str(certificate)
        pairs = []
        for scheme, arguments in (("http", []), ("https", [certificate, key])):
            receivers = Receivers(self.peers, "fast", PORTS, subscribers, *arguments)
            hub = Hub(self, scheme, 1, receivers.ports)
            hub.subscribe(f"{scheme}://127.0.0.1:{receivers.ports[number % PORTS]}/{number}" for number in range(subscribers))
            hub.start()
            self.deliveries(hub, receivers, 1, subscribers)
            pairs.append((hub, receivers))
        rounds = []
        for _ in range(9):
            rounds.append([self.deliveries(*pair, 4, subscribers) for pair in pairs])
        ratio = statistics.median(plain / own for (plain, _), (own, _) in rounds)
        rate = statistics.median(1 / own for _, (own, _) in rounds)
        self.row("over TLS against http", ratio, "≥", 0.6, f"{rate:,.0f} a CPU second, {rounds[-1][1][1]['connections']:,} new connections")
        for hub, receivers in pairs:
            hub.stop()
            receivers.close()
        del self.environment["SSL_CERT_FILE"]

    def isolation(self):
        """Row 4: healthy callbacks next to 300 that do not answer."""
        subscribers = 5_000
        receivers = Receivers(self.peers, "fast", PORTS, subscribers)
        silent, drip = Receivers(self.peers, "silent", 100, 1), Receivers(self.peers, "drip", 100, 1)
        refused = free_ports(100)
        healthy = [f"http://127.0.0.1:{receivers.ports[number % PORTS]}/{number}" for number in range(subscribers)]
        bad = [f"http://127.0.0.1:{port}/0" for port in [*silent.ports, *drip.ports, *refused]]
        hub = Hub(self, "isolation", 1, [*receivers.ports, *silent.ports, *drip.ports, *refused])
        times = {False: [], True: []}
        # In turns, because the speed of a shared processor changes within seconds.
        for has_bad in [False, True] * 3:
            hub.clear()
            hub.subscribe(bad + healthy if has_bad else healthy)
            hub.start()
            for _ in range(5):
                receivers.ask("reset")
                posted = time.time_ns()
                hub.post(1, 1, 1)
                report = self.wait(receivers, subscribers, hub)
                times[has_bad].append((sorted(report["times"])[int(subscribers * 0.99)] - posted) / 1e9)
                time.sleep(0.5)
            # Exchanges with silent callbacks would make an orderly stop wait.
            hub.kill()
        alone, beside = statistics.median(times[False]), statistics.median(times[True])
        self.row("99 % of healthy arrivals with 300 bad callbacks", beside / alone, "≤", 1.2, f"{alone:.2f} s without, {beside:.2f} s with")
        for each in (receivers, silent, drip):
            each.close()

    def slow_disk(self):
        """A library that makes each fsync take as long as on a common disk; none without a C compiler."""
        compiler = shutil.which("cc")
        if not compiler:
            print("bench: without a slow disk, because there is no cc", file=sys.stderr)
            return None
        source, library = self.folder / "slow.c", self.folder / "slow.so"
        source.write_text(SLOW)
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
        return library

    def acceptance(self):
        """Row 5: payloads one at a time, and 64 at a time; on this disk, and on one whose commits take 8 ms."""
        self.accepting("acceptance")
        if library := self.slow_disk():
            self.environment["LD_PRELOAD"] = str(library)
            self.accepting("slow")
            del self.environment["LD_PRELOAD"]

    def accepting(self, name):
        commit = run([sys.executable, "-c", COMMIT, self.folder / f"{name}.sqlite"], env=self.environment)
        hub = Hub(self, name, 64, [])
        hub.start()
        one = statistics.median(hub.post(1, 200, 1)["milliseconds"]) / 1000
        before = cpu(hub.process)
        many = hub.post(64, 60, 64)
        rate, used = many["done"] / many["wall"], (cpu(hub.process) - before) / many["done"]
        # Where a commit is fast, the processor is the limit and not the disk.
        most, least = (2.5, 20) if commit > 0.004 else (math.inf, 0)
        self.row("200 to a Source against one fsynced commit", one / commit, "≤", most, f"{one * 1000:.2f} ms; commit {commit * 1000:.2f} ms")
        self.row("64 at a time against single commits", rate * commit, "≥", least, f"{rate:,.0f} a second, {used * 1000:.2f} CPU ms each")
        hub.stop()

    def million(self):
        """Rows 6 to 8: a million subscriptions that are idle, that a payload concerns, and that are due."""
        count = 1_000_000 // self.scale
        receivers = Receivers(self.peers, "fast", PORTS, count)
        hub = Hub(self, "million", 1, receivers.ports)
        uris = lambda number: (f"http://127.0.0.1:{receivers.ports[each % PORTS]}/{each}" for each in range(number))
        empty = hub.store.stat().st_size
        hub.subscribe(uris(count))
        each = (hub.store.stat().st_size - empty) / count
        ready = hub.start()
        time.sleep(12)
        self.row(f"bytes of one of {count:,} idle subscriptions", each, "≤", 320, "")
        self.row("resident MB", resident(hub.process), "≤", 128, "")
        self.row("seconds from start to ready", ready, "≤", 2, "")
        other = Hub(self, "none", 1, [])
        other.start()
        # A paused topic accepts payloads and delivers none, so that nothing else runs.
        hub.pause()
        rounds = [[statistics.median(own.post(1, 40, 1)["milliseconds"]) for own in (hub, other)] for _ in range(9)]
        ratio = statistics.median(with_all / with_none for with_all, with_none in rounds)
        self.row(f"accepting with {count:,} subscriptions against none", ratio, "≤", 1.2, f"{statistics.median(own for own, _ in rounds):.2f} ms")
        hub.pause("resume")
        other.stop()
        hub.stop()
        few = []
        # In turns, because the speed of a shared processor changes within seconds.
        for number in (count // 100, count, count // 100):
            hub.clear()
            hub.subscribe(uris(number))
            hub.start()
            for _ in range(1 if number == count else 9):
                receivers.ask("reset")
                started = cpu(hub.process)
                hub.post(1, 1, 1)
                peak = 0
                while receivers.ask("count")["all"] < number:
                    if hub.process.poll() is not None:
                        sys.exit(f"the hub ended: {(hub.folder / 'log').read_text()[-2000:]}")
                    peak = max(peak, resident(hub.process))
                    time.sleep(0.05)
                time.sleep(0.2)
                if number == count:
                    most, seconds = peak, cpu(hub.process) - started
                else:
                    few.append(cpu(hub.process) - started)
            hub.stop()
        self.row(f"{count:,} due: resident MB", most, "≤", 192, f"{seconds:.0f} CPU seconds")
        self.row("against a hundredth of them", seconds / statistics.mean(few), "≤", 105, f"{statistics.mean(few):.2f} CPU seconds")
        receivers.close()

    def killed(self):
        """Row 9: a kill during fan-out."""
        subscribers = 10_000
        receivers = Receivers(self.peers, "fast", PORTS, subscribers)
        hub = Hub(self, "killed", 1, receivers.ports)
        hub.subscribe(f"http://127.0.0.1:{receivers.ports[number % PORTS]}/{number}" for number in range(subscribers))
        hub.start()
        receivers.ask("reset")
        hub.post(1, 1, 1)
        while receivers.ask("count")["all"] < subscribers * 0.3:
            time.sleep(0.002)
        hub.kill()
        before = receivers.ask("count")["all"]
        hub.start()
        end = time.monotonic() + 120
        while receivers.ask("count")["callbacks"] < subscribers:
            if time.monotonic() > end:
                sys.exit("a delivery was lost")
            time.sleep(0.05)
        time.sleep(1)
        repeats = receivers.ask("count")["all"] - subscribers
        # In flight are at most 1,024; of 50 ms before, what was delivered then.
        self.row("repeated after a kill during fan-out to 10,000", repeats, "≤", 1_024 + 1_000, f"killed after {before:,}")
        hub.stop()
        receivers.close()

    def all(self, only):
        print("| what | value | target | | |\n|---|---|---|---|---|")
        rows = [self.throughput, self.isolation, self.acceptance, self.million, self.killed]
        if shutil.which("openssl"):
            rows.append(self.tls)
        for measure in rows:
            if not only or measure.__name__ in only:
                measure()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--peers", required=True)
    parser.add_argument("--python", help="a Python with Flask-WebSub and celery")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a target is missed")
    parser.add_argument("--quick", action="store_true", help="100,000 subscriptions in place of 1,000,000")
    parser.add_argument("--only", action="append", help="throughput, isolation, acceptance, million, killed or tls; repeatable")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="resourcesync-bench-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        bench.all(options.only)
    sys.exit(1 if options.strict and bench.missed else 0)


if __name__ == "__main__":
    main()
