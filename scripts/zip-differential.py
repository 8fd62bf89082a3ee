#!/usr/bin/env python3
"""Mutates packages and compares three readers: resourcesync, Python's zipfile, Info-ZIP's unzip.

    scripts/zip-differential.py COMMAND SEEDS [COUNT [NUMBER]]

COMMAND is the resourcesync program, SEEDS a folder of valid packages (those of `cargo test -p resourcesync-tests --test suites packages` are in
target/tmp/tools). Exits with 1 if a package is valid for resourcesync, but the others read it differently or one rejects it. Without unzip, only
zipfile is compared.
"""

import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile


def mutated(seed, rnd):
    data = bytearray(seed)
    kind = rnd.randrange(10)
    if kind < 4:
        for _ in range(rnd.choice([1, 1, 2, 4])):
            data[rnd.randrange(len(data))] = rnd.randrange(256)
    elif kind == 4:
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)
    elif kind == 5:
        del data[rnd.randrange(len(data)):]
    elif kind == 6:
        at = rnd.randrange(len(data))
        data[at:at] = bytes(rnd.randrange(256) for _ in range(rnd.choice([1, 4, 30])))
    elif kind == 7:
        at = rnd.randrange(len(data))
        del data[at:at + rnd.choice([1, 4, 46])]
    elif kind == 8:
        record = rnd.choice([at for at in range(len(data) - 4) if data[at:at + 2] == b"PK"])
        at = min(len(data) - 1, record + rnd.randrange(46))
        data[at] = rnd.choice([0, 1, 0xFF, 8, data[at] ^ 1, rnd.randrange(256)])
    else:
        start, end = sorted((rnd.randrange(len(data)), rnd.randrange(len(data))))
        at = rnd.randrange(len(data))
        data[at:at] = data[start:end][:200]
    return bytes(data)


def by_python(path):
    """Names and contents; None if it rejects the package."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if len(set(names)) < len(names):
                return "repeated names"
            return {name: archive.read(name) for name in names if not name.endswith("/")}
    except Exception:
        return None


def by_unzip(path, folder):
    if not shutil.which("unzip"):
        return by_python(path)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    command = ["unzip", "-qq", "-P", "", "-o", path, "-d", folder]
    if subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL).returncode != 0:
        return None
    files = (file for file in pathlib.Path(folder).rglob("*") if file.is_file() and not file.is_symlink())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def verdicts(command, paths):
    arguments = [command, "validate", "--no-config", "--quiet", "--format", "json", "--max-per-rule", "1", "--files-from", "-"]
    report = json.loads(subprocess.run(arguments, input="\n".join(paths), capture_output=True, text=True).stdout)
    found = {}
    for item in report["inputs"]:
        # A package is valid only if its manifest is.
        name = item["name"].removesuffix("!/manifest.xml")
        found[name] = "valid" if item["verdict"] == "valid" and found.get(name, "valid") == "valid" else "not valid"
    return found


def main():
    command, seeds = sys.argv[1], sorted(pathlib.Path(sys.argv[2]).glob("*.zip"))
    count, number = (int(sys.argv[3]) if len(sys.argv) > 3 else 10_000), (int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    rnd = random.Random(number)
    seeds = [seed.read_bytes() for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for at in range(count):
            path = os.path.join(folder, f"{at:06}.zip")
            pathlib.Path(path).write_bytes(mutated(rnd.choice(seeds), rnd))
            paths.append(path)
        ours = verdicts(command, paths)
        counts, wrong = collections.Counter(), []
        for path in paths:
            one, other = by_python(path), by_unzip(path, os.path.join(folder, "unpacked"))
            if one is None or other is None:
                readers = "both refuse" if one is other else "one refuses"
            else:
                readers = "both read the same" if one == other else "they read different things"
            counts[ours[path], readers] += 1
            if ours[path] == "valid" and readers != "both read the same":
                wrong.append(os.path.basename(path))
    for (verdict, readers), times in sorted(counts.items()):
        print(f"{times:7}  {verdict:10} {readers}")
    print(f"{len(seeds)} seeds, {count} packages, number {number}; wrongly called valid: {wrong or 'none'}")
    return 1 if wrong else 0


sys.exit(main())
