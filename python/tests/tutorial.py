"""Follows a tutorial to the letter: writes the files of its blocks, and runs its commands.

A block of Python begins with the path of its file; ``at the end`` appends to it, and so does ``excerpt:``. A command that installs is left out.
``python tutorial.py PAGE FOLDER`` only writes the files.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
_HEAD = re.compile(r"# (excerpt: )?([\w./-]+\.(?:py|conf|sql|service|timer))(, at the end)?\n")


@dataclass
class Step:
    """A block of a page: a file to write, or commands to run."""

    text: str
    path: str | None = None
    appends: bool = False


def steps(page: Path, *, until: str | None = None) -> Iterator[Step]:
    """The steps of a page, up to a heading."""
    text = page.read_text("utf-8")
    text = text if until is None else text.split(f"\n## {until}\n")[0]
    for kind, block in _BLOCK.findall(text):
        if kind == "sh":
            kept = [line for line in block.splitlines() if not line.startswith(("pip install", "apt-get"))]
            yield Step("\n".join(kept))
        elif head := _HEAD.match(block):
            yield Step(block[head.end() :], head[2], (head[1] or head[3]) is not None)


def rest(page: Path, *, after: str) -> Iterator[Step]:
    """The files of a page from a heading on."""
    first = len(list(steps(page, until=after)))
    return (step for step in list(steps(page))[first:] if step.path is not None)


def write(step: Step, folder: Path) -> None:
    """Writes a file."""
    assert step.path is not None
    place = folder / step.path
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("a" if step.appends else "w", encoding="utf-8") as file:
        file.write(step.text)


def run(page: Path, folder: Path, environment: Mapping[str, str], replaced: Mapping[str, str], *, until: str | None = None) -> str:
    """Follows a page in a folder, and returns what its commands print. Servers that it starts are ended."""
    output = ""
    groups: list[int] = []
    try:
        for step in steps(page, until=until):
            for old, new in replaced.items():
                step.text = step.text.replace(old, new)
            if step.path is not None:
                write(step, folder)
                continue
            log = folder / "output.log"
            with log.open("w") as file:
                shell = subprocess.Popen(
                    ["bash", "-euc", step.text], cwd=folder, env=dict(environment), stdout=file, stderr=subprocess.STDOUT, start_new_session=True
                )
                groups.append(shell.pid)
                status = shell.wait(300)
            output += log.read_text()
            assert status == 0, f"{step.text}\n{output}"
    finally:
        for group in groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
    return output


def check_types(folder: Path, code: list[str], configuration: str = "") -> None:
    """mypy, in its strict mode, and pyright find nothing in the code of a tutorial. They are installed for one version of Python."""
    if find_spec("mypy") is None:
        return
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = True\n{configuration}")
    (folder / "pyrightconfig.json").write_text(json.dumps({"include": code}))
    for command in (["mypy", *code], ["pyright", "--pythonpath", sys.executable]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    for each in steps(Path(sys.argv[1])):
        if each.path is not None:
            write(each, Path(sys.argv[2]))
