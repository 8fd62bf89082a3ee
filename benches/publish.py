"""Measures publications: one change among many resources, many publications one by one, and a full inventory in which nothing changed.

Each figure is the best of several runs of the command, with its CPU time, its largest resident memory, and the bytes that it wrote. With --resync
the Python reference library publishes a folder in which one file changed, in turns with the command.
"""

import argparse
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
            began = os.times().elapsed
            child = subprocess.Popen(command, stdin=stdin)
            _, status, used = os.wait4(child.pid, 0)
            wall = os.times().elapsed - began
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

    def validate(self):
        subprocess.run([self.tool, "validate", "--quiet", str(self.folder / "public")], check=True)


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
        shutil.rmtree(folder / str(few) / "public")
        shutil.rmtree(folder / str(few) / "public.resourcesync")
        small = Bench(options.tool, folder / str(few), few)
        small.full()
        began = os.times().elapsed
        for number in range(1, times + 1):
            small.event(number)
        elapsed = os.times().elapsed - began
        small.validate()
        results.append(row(f"{times:,} changes one by one, each published", f"{elapsed:.1f} s", "≤ 60 s", elapsed <= 60))
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
