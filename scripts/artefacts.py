"""How scripts/release builds, packs and tries: programs, platforms, archives, the rows of the table."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import venv
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT, WORK = ROOT / "target/artefacts", ROOT / "target/release-tools"
#: Where a virtual environment has its programs, and the one with what builds for other platforms.
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
TOOLS = WORK / "venv" / PROGRAMS
#: The bytes of the command. A larger one fails: docs/releasing.md.
COMMAND_LIMIT = 21 << 20
#: The first commands of the README, and their exit status: the sample has one error.
FIRST = [
    ("validate docs/samples/resourcelist.xml", 1),
    ("explain RL-03", 0),
    ("build docs/samples/files --base-uri https://example.com/files/ --documents-uri https://example.com/ --out public", 0),
    ("validate public", 0),
]
Arguments = str | Path


class Failed(Exception):
    """Why an artefact is not published."""


@dataclass
class Row:
    name: str
    tried: str = ""
    result: str = "ok"
    #: The size of the program in it.
    program: int = 0

    def __str__(self) -> str:
        path = OUT / self.name
        sizes = (path.stat().st_size if path.is_file() else 0, self.program)
        return f"| {' | '.join([self.name, *(f'{size / (1 << 20):.1f} MiB' if size else '' for size in sizes), self.tried, self.result])} |"


HEADING = "| artefact | size | program | tried | result |\n| --- | --- | --- | --- | --- |"
rows: list[Row] = []


@contextmanager
def artefact(name: str) -> Iterator[Row]:
    """A row of the table. An artefact that fails is not kept."""
    row = Row(name)
    try:
        yield row
    except (Failed, OSError, subprocess.CalledProcessError, tarfile.TarError) as why:
        row.result = f"FAILED: {why}"
        (OUT / row.name).unlink(missing_ok=True)
    rows.append(row)
    print(row, flush=True)


def run(*arguments: Arguments, log: str, status: int = 0, cwd: Path = ROOT, env: Mapping[str, str] = {}) -> str:
    """Runs a program; returns what it prints, which the log keeps."""
    words, path = [str(each) for each in arguments], WORK / f"{log}.log"
    program = shutil.which(words[0])
    if not program:
        raise Failed(f"`{words[0]}` is missing: install it")
    done = subprocess.run([program, *words[1:]], cwd=cwd, env={**os.environ, **env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    printed = done.stdout.decode("utf-8", "replace")
    with path.open("a", encoding="utf-8") as file:
        print("$", *words, f"\n{printed}", file=file)
    if done.returncode != status:
        print(*printed.splitlines()[-30:], sep="\n", file=sys.stderr)
        raise Failed(f"`{Path(words[0]).name}` ended with {done.returncode} instead of {status}: {path.relative_to(ROOT)}")
    return printed


def output(*arguments: Arguments) -> str:
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout.strip()


HOST = re.findall("^host: (.*)", output("rustc", "-vV"), re.M)[0]
#: The static command of this processor, which packages contain.
STATIC = f"{HOST.split('-')[0]}-unknown-linux-musl"
#: When the last commit was made: the time of all files in archives.
WHEN = int(output("git", "log", "-1", "--format=%ct"))


#: Neither apt-get nor rustup waits for another of its kind.
INSTALLING = threading.Lock()


def need(program: str, package: str) -> str:
    """A program; on Debian as root its package is installed."""
    with INSTALLING:
        if not shutil.which(program) and shutil.which("apt-get") and os.geteuid() == 0:
            run("apt-get", "update", "-qq", log="apt")
            run("apt-get", "install", "-y", "-qq", "--no-install-recommends", package, log="apt", env={"DEBIAN_FRONTEND": "noninteractive"})
    if not shutil.which(program):
        raise Failed(f"`{program}` is missing: install {package}")
    return program


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@contextmanager
def fresh() -> Iterator[Path]:
    """An empty folder, but for the samples of the README."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "docs/samples", Path(name, "docs/samples"))
        yield Path(name)


def try_out(row: Row, folder: Path, *program: Arguments, commands: list[tuple[str, int]] = FIRST, env: Mapping[str, str] = {}) -> None:
    """Runs the README's first commands."""
    for words, status in commands:
        printed = run(*program, *words.split(), log=row.name, status=status, cwd=folder, env=env)
        if status == 1 and not ("error[RL-03]" in printed and "INVALID: 1 error" in printed):
            raise Failed("the error of the sample is not reported")


def copy(files: Mapping[str, Path], folder: Path) -> None:
    """Fills a folder: the source by path."""
    for path, source in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / path)


def pack(path: Path, folder: Path) -> None:
    """Archives a folder; the bytes depend on its files alone."""
    files = [(file, file.relative_to(folder.parent).as_posix()) for file in sorted(folder.rglob("*")) if file.is_file()]
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for file, name in files:
                archive.writestr(zipfile.ZipInfo(name, time.gmtime(WHEN)[:6]), file.read_bytes(), zipfile.ZIP_DEFLATED)
        return
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, WHEN) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for file, name in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = file.stat().st_size, WHEN, 0o755 if file.stat().st_mode & 0o100 else 0o644
            with file.open("rb") as content:
                archive.addfile(entry, content)


def sums() -> None:
    """Writes the digests of all artefacts."""
    files = sorted(path for path in OUT.iterdir() if path.name not in ("SHA256SUMS", "table.md"))
    (OUT / "SHA256SUMS").write_bytes(b"".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n".encode() for path in files))


def environment(folder: Path) -> Path:
    """Makes a virtual environment; returns the folder of its programs."""
    venv.create(folder, with_pip=True)
    return folder / PROGRAMS


def pip(programs: Path, log: str, *what: Arguments) -> None:
    run(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, log=log)


def tools() -> None:
    """Installs the linker for other platforms, and what builds wheels."""
    if str(TOOLS) not in os.environ["PATH"]:
        if not (TOOLS / "maturin.installed").exists():
            pip(environment(emptied(TOOLS.parent)), "tools", "maturin==1.16.0", "ziglang==0.17.1", "cargo-zigbuild==0.24.1")
            (TOOLS / "maturin.installed").touch()
        os.environ["PATH"] = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"


def notices(path: Path, package: str, target: str) -> None:
    """Writes the licences of everything that an artefact contains."""
    tools()
    path.write_text(output(TOOLS / "python", "scripts/notices", package, target) + "\n", encoding="utf-8")


def compiler(target: str) -> dict[str, str]:
    """Prepares builds for a target; returns their environment."""
    tools()
    with INSTALLING:
        if shutil.which("rustup"):
            run("rustup", "target", "add", target, log="rustup")
        if "apple" not in target or sys.platform == "darwin":
            return {}
        # Written once: the other chain may be linking with it.
        if not (WORK / "sdk").exists():
            run(sys.executable, "scripts/frameworks", emptied(WORK / "sdk.new"), log="frameworks")
            (WORK / "sdk.new").rename(WORK / "sdk")
    return {"SDKROOT": str(WORK / "sdk")}


def command(target: str) -> Path:
    """Builds the command, optimized and stripped."""
    run("cargo", "zigbuild", "--profile", "dist", "--locked", "--target", target, "-p", "resourcesync-cli", log=target, env=compiler(target))
    program = ROOT / f"target/{target}/dist" / ("resourcesync.exe" if "windows" in target else "resourcesync")
    if program.stat().st_size > COMMAND_LIMIT:
        raise Failed(f"the program has {program.stat().st_size} bytes, more than {COMMAND_LIMIT}")
    return program


def is_native(target: str) -> bool:
    system = {"darwin": "apple", "win32": "windows"}.get(sys.platform, sys.platform)
    return target.split("-")[0] == HOST.split("-")[0] and system in target


def emulator(target: str) -> list[str] | None:
    """What runs programs of a target; None if nothing here does."""
    if is_native(target):
        return []
    if sys.platform == "linux" and target.startswith("aarch64-unknown-linux"):
        return ["qemu-aarch64" if shutil.which("qemu-aarch64") else need("qemu-aarch64-static", "qemu-user-static")]
    if sys.platform == "linux" and HOST.startswith("x86_64") and "windows" in target:
        os.environ.update(WINEDEBUG="-all", WINEPREFIX=str(WORK / "wine"))
        return [need("wine", "wine")]
    return None


def add_random(folder: Path) -> None:
    """Writes the library from which Rust takes random numbers next to a program, for versions of Wine that lack it."""
    source = folder / "random.c"
    source.write_text(
        "#include <stddef.h>\n"
        "__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);\n"
        "__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, size_t length) { return SystemFunction036(data, (unsigned long)length); }\n"
    )
    run(TOOLS / "python", "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", "-o", folder / "bcryptprimitives.dll", source, "-ladvapi32", log="random")


def macho(program: Path) -> str:
    """What an executable for macOS says of itself: its processor, and the libraries that it loads."""
    content = program.read_bytes()

    def number(at: int) -> int:
        return int.from_bytes(content[at : at + 4], "little")

    processor = {0x01000007: "x86_64", 0x0100000C: "arm64"}.get(number(4))
    if (number(0), number(12)) != (0xFEEDFACF, 2) or not processor:
        raise Failed("it is no executable for macOS")
    at, libraries = 32, []
    for _ in range(number(16)):
        if number(at) == 0xC:
            libraries.append(content[at + number(at + 8) : at + number(at + 4)].split(b"\0")[0].decode().rsplit("/", 1)[-1])
        at += number(at + 4)
    return f"{processor}, with {', '.join(libraries)}"
