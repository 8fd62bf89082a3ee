"""What the tests of web frameworks share: an environment, servers, a PostgreSQL cluster, and what a Source lists."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import resourcesync as rs
from conftest import Site


def free_port() -> int:
    """A port for a server that must be told its own: below those that the system gives to connections, so that none takes it meanwhile."""
    for port in random.sample(range(10_000, 32_000), 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise OSError("no port is free")


def environment(**more: str) -> dict[str, str]:
    """The environment of a user whose virtual environment is active. Deprecated functions are errors."""
    scripts = sysconfig.get_path("scripts")
    python = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([scripts, python, os.environ["PATH"]]), "PYTHONWARNINGS": "error", **more}


def eventually(what: str, condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.05)


@contextmanager
def running(command: Sequence[str], folder: Path, own: dict[str, str], url: str | None = None) -> Generator[subprocess.Popen[bytes]]:
    """A server, or another process, with its own session; it has started when ``url`` is answered."""
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=folder, env=own, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        if url is not None:
            eventually(f"{url} answers", lambda: process.poll() is not None or answers(url))
            assert process.poll() is None, (folder / "server.log").read_text()
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


class Cluster:
    """A PostgreSQL cluster of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0

    def database(self) -> str:
        """Creates a database, and returns its name."""
        self._number += 1
        name = f"d{self._number}"
        subprocess.run(_program("createdb", ["-h", str(self.folder), "-U", "postgres", name]), check=True)
        return name


def _program(name: str, arguments: Sequence[str]) -> list[str]:
    # Debian installs the server outside of PATH.
    folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), *map(Path, os.environ["PATH"].split(os.pathsep))]
    found = next((str(folder / name) for folder in folders if (folder / name).is_file()), None)
    assert found is not None, f"`{name}` of PostgreSQL is not installed; scripts/prepare installs it"
    # The server refuses root.
    account = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.geteuid() == 0 else []
    return [*account, found, *arguments]


@contextmanager
def postgres(folder: Path) -> Generator[Cluster]:
    # The path of a socket has at most 107 bytes.
    place = Path(f"/tmp/rs-postgres-{os.getpid()}")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(place, "postgres", "postgres")
    data = place / "data"
    try:
        subprocess.run(
            _program("initdb", ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", "-D", str(data)]),
            check=True,
            capture_output=True,
        )
        arguments = ["-D", str(data), "-k", str(place), "-c", "listen_addresses=", "-c", "fsync=off", "-c", "wal_level=logical"]
        with running(_program("postgres", arguments), folder, dict(os.environ)):
            ready = _program("pg_isready", ["-q", "-h", str(place)])
            eventually("PostgreSQL is ready", lambda: subprocess.run(ready).returncode == 0)
            yield Cluster(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def nginx(folder: Path, text: str) -> list[str]:
    """A web server with this configuration."""
    (folder / "nginx.conf").write_text(
        f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        + f"{text}\n}}\n"
    )
    return ["nginx", "-e", f"{folder}/error.log", "-c", str(folder / "nginx.conf")]


def apache(folder: Path, text: str) -> list[str]:
    """A web server with this configuration."""
    modules = ["mpm_event", "authz_core", "alias", "mime", "filter", "deflate", "proxy", "proxy_http", "headers"]
    lines = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in modules]
    lines += ["TypesConfig /etc/mime.types", f"PidFile {folder}/pid", f"ErrorLog {folder}/error.log", "ServerName localhost", f"DefaultRuntimeDir {folder}"]
    lines += ["User www-data", "Group www-data"] if os.geteuid() == 0 else []
    (folder / "apache.conf").write_text("\n".join([*lines, text]))
    return ["apache2", "-D", "FOREGROUND", "-f", str(folder / "apache.conf")]


def caddy(folder: Path, text: str) -> list[str]:
    """A web server with this configuration."""
    (folder / "Caddyfile").write_text(f"{{\nadmin off\nauto_https off\nstorage file_system {folder}/caddy\n}}\n{text}\n")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def copied(copy: Path) -> dict[str, str]:
    """The files of a copy, by the last part of their name."""
    own = (path for path in copy.rglob("*") if path.is_file() and not path.relative_to(copy).parts[0].startswith("."))
    return {path.name: path.read_text() for path in own}


def sync(base: str, copy: Path) -> None:
    """Copies a Source, which has to be in step."""
    report = rs.sync(base, copy, limits={"http_requests_per_second": 0}, max_delete="100%")
    assert report.in_step, report


def published_meanwhile(command: Sequence[str], folder: Path, own: dict[str, str], site: Site) -> None:
    """Runs a process that follows a site. It prints the name of the state that is to be published next, and reads a line when that is done."""
    states: dict[str, dict[str, bytes]] = {"first": {"a": b"a", "b": b"b"}, "second": {"a": b"aa", "b": b"b", "c": b"c"}, "third": {"a": b"aa", "c": b"c"}}
    process = subprocess.Popen(command, cwd=folder, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    for line in process.stdout:
        word = line.strip()
        if word in states:
            # The validators of the server have seconds.
            time.sleep(1.1)
            site.publish(states[word])
        elif word == "gone":
            shutil.rmtree(site.folder / "source")
        process.stdin.write("\n")
        process.stdin.flush()
    error = process.stderr.read()
    assert process.wait() == 0, error
