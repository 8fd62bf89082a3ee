"""Measures the Python package against the command and against resync, on one list of 50,000 entries; prints the rows of a table; and what has to be quick.

``python bench.py COMMAND``: the command is the released binary. Needs the wheel and ``resync`` in the same Python.
"""

from __future__ import annotations

import importlib
import logging
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import resourcesync as rs

ENTRIES = 50_000
ROUNDS = 3
UP = "http://repository.example.com/resourcesync/capabilitylist.xml"
AT = "2024-05-01T09:00:00Z"


def uri(number: int) -> str:
    """A string as long as those of repositories."""
    return f"https://repository.example.com/communities/library/collections/{number // 1000:04}/items/{number:08}"


def hashes(number: int) -> dict[str, str]:
    """Three digests."""
    return {"md5": f"{number:032x}", "sha-256": f"{number:064x}", "sha-512": f"{number:0128x}"}


def one(number: int) -> rs.Resource:
    """With three digests and three links."""
    links = (
        rs.Related("describedby", f"{uri(number)}/metadata/dublin-core.xml", type="application/xml", modified=AT),
        rs.Related("collection", f"https://repository.example.com/communities/library/collections/{number // 1000:04}"),
        rs.Related("canonical", f"https://www.repository.example.com/items/{number}"),
    )
    moment = f"2024-04-{number % 28 + 1:02}T{number % 24:02}:00:00Z"
    described = {"length": number * 37 + 1024, "type": "application/pdf"}
    return rs.Resource(uri(number), lastmod=moment, hashes=hashes(number), links=links, **described)  # type: ignore[arg-type]


def wall() -> float:
    """The time of day."""
    return time.perf_counter()


def processor() -> float:
    """The processor time of this process and its children, which does not depend on the load of the machine."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """The duration of a call."""
    start = clock()
    work()
    return clock() - start


def compare(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int = ROUNDS, clock: Callable[[], float] = processor
) -> tuple[float, float, float]:
    """Measures both alternately: the best of each, and the median of the ratios, since disturbances affect both."""
    pairs = [(seconds(ours, clock), seconds(theirs, clock)) for _ in range(rounds)]
    ratio = statistics.median(own / their for own, their in pairs)
    return min(own for own, _ in pairs), min(their for _, their in pairs), ratio


def row(what: str, ours: float, theirs: str, ratio: float, target: str) -> None:
    """A row of the table; a ratio of 0 is none."""
    print(f"| {what} | {ours * 1000:.{1 if ours < 0.1 else 0}f} ms | {theirs} | {f'{ratio:.2f}' if ratio else ''} | {target} |", flush=True)


IMPORT = "import time; start = time.perf_counter(); import resourcesync; print(time.perf_counter() - start)"


def short(folder: Path) -> None:
    """What has to be quick: the import, the first entry of a large document in memory, and comparing two lists that are in memory."""

    def imported() -> float:
        return float(subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout)

    row("Python: `import resourcesync`", min(imported() for _ in range(7)), "", 0, "≤ 25 ms")
    head = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="{UP}"/><rs:md capability="resourcelist" at="{AT}"/>'
    entry = f'<url><loc>{uri(1)}</loc><rs:md length="8876"/></url>\n'
    content = b"".join([head.encode(), entry.encode() * (137_000_000 // len(entry)), b"</urlset>"])
    first = min(seconds(lambda: next(rs.iter_entries(content)), wall) for _ in range(7))
    row("Python: the first of `iter_entries(bytes)` of 137 MB", first, "", 0, "≤ 20 ms")
    paths = [folder / "old.xml", folder / "new.xml"]
    for number, path in enumerate(paths):
        # More entries than a list may have, so no builder writes them; a tenth differs.
        with path.open("w", encoding="utf-8") as file:
            file.write(head)
            for at in range(200_000):
                length = at + number * (at % 10 == 0)
                file.write(f'<url><loc>{uri(at)}</loc><lastmod>{AT}</lastmod><rs:md hash="md5:{at:032x}" length="{length}"/></url>\n')
            file.write("</urlset>")
    ours, theirs, ratio = compare(lambda: list(rs.diff(*map(rs.read, paths))), lambda: [rs.read(path) for path in paths])
    row("Python: `diff` of two lists of 200,000 : reading both", ours, f"{theirs * 1000:.0f} ms", ratio, "≤ 2.5")


def main(command: str) -> None:
    """Runs all measurements."""
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp())
    short(folder)
    path = str(folder / "resourcelist.xml")
    rs.ResourceList(UP, AT).write(path, map(one, range(ENTRIES)))

    def run() -> None:
        done = subprocess.run([command, "validate", "--no-config", "--quiet", path], env={**os.environ, "NO_COLOR": "1"}, check=False)
        assert done.returncode == 0

    ours, theirs, ratio = compare(lambda: rs.validate(path), run)
    row("Python: `validate(path)` : the command, whole process", ours, f"{theirs * 1000:.0f} ms", ratio, "≤ 1.1")

    def four() -> None:
        threads = [threading.Thread(target=rs.validate, args=(path,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    cores = min(4, os.cpu_count() or 1)
    ours, theirs, ratio = compare(four, lambda: [rs.validate(path) for _ in range(4)], clock=wall)
    row(f"Python: four threads validating, {cores} processors : one after the other", ours, f"{theirs * 1000:.0f} ms", ratio, f"→ {1 / cores:.2f}")

    lists: Any = importlib.import_module("resync.resource_list")
    theirs_resource: Any = importlib.import_module("resync.resource").Resource

    def iterate() -> None:
        for entry in rs.iter_entries(path):
            assert entry.uri and entry.lastmod and entry.hashes and entry.length

    def reference() -> None:
        found = lists.ResourceList()
        found.read(path)
        assert len(found) == ENTRIES

    ours, theirs, ratio = compare(iterate, reference, 3)
    row("Python: iterating 50,000 entries, four fields read, times faster than resync", ours, f"{theirs * 1000:.0f} ms", 1 / ratio, "≥ 20")
    ours, theirs, ratio = compare(lambda: [None for _ in rs.iter_entries(path)], reference, 3)
    row("Python: the same, no field read", ours, f"{theirs * 1000:.0f} ms", 1 / ratio, "≥ 20")

    def build() -> None:
        rs.ResourceList(UP, AT).write(folder / "built.xml", map(one, range(ENTRIES)))

    def reference_build() -> None:
        built = lists.ResourceList(md={"at": AT})
        built.up = UP
        for number in range(ENTRIES):
            own = hashes(number)
            made = theirs_resource(uri(number), lastmod=AT, length=number * 37, mime_type="application/pdf")
            made.md5, made.sha256 = own["md5"], own["sha-256"]
            made.link_set("describedby", f"{uri(number)}/metadata/dublin-core.xml")
            built.add(made)
        built.write(str(folder / "reference.xml"))

    ours, theirs, ratio = compare(build, reference_build, 3)
    row("Python: building 50,000 entries, times faster than resync with fewer digests and links", ours, f"{theirs * 1000:.0f} ms", 1 / ratio, "")


if __name__ == "__main__":
    main(sys.argv[1])
