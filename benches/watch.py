"""Measures the way of a change from a watched folder into a copy: `build --watch`, `hub serve` and `listen --direct`, each a process of its own.

One file is written after the other, each when the one before has arrived.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HUB = """[hub]
public_uri = "http://127.0.0.1:{hub}/"
listen = "127.0.0.1:{hub}"
store = "hub.sqlite"
admin = "unix:admin"
[hub.callbacks]
allow = ["127.0.0.1:{callback}"]
{publisher}
[[hub.topic]]
uri = "http://127.0.0.1:{hub}/t/changes"
kind = "change-notification"
publishers = ["bench"]
serve = true
[[hub.topic]]
uri = "http://127.0.0.1:{hub}/t/framework"
kind = "framework-notification"
publishers = ["bench"]
serve = true
"""


def port():
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


def until(what, is_there, seconds=60):
    """Waits, and returns for how long."""
    began = time.monotonic()
    while not is_there():
        if time.monotonic() - began > seconds:
            raise SystemExit(f"{what} did not happen")
        time.sleep(0.002)
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="with 50 events")
    parser.add_argument("--log", help="keep what the processes print in this file")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if the target is missed")
    options = parser.parse_args()
    tool = shutil.which(options.tool) or options.tool
    count = 50 if options.quick else options.events
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as ends:
        folder = pathlib.Path(name)
        web, hub, callback = port(), port(), port()
        if options.log:
            ends.callback(lambda: shutil.copy(folder / "log", options.log))
        printed = subprocess.run([tool, "hub", "token", "bench"], check=True, capture_output=True, text=True).stdout
        token = printed.splitlines()[0].split()[-1]
        (folder / "resourcesync.toml").write_text(HUB.format(hub=hub, callback=callback, publisher=printed))
        (folder / "site/files").mkdir(parents=True)
        (folder / "site/files/first").write_text("first")

        def start(*args):
            with (folder / "log").open("a") as log:
                own = subprocess.Popen([tool, *args], cwd=folder, stdout=log, stderr=log, env={**os.environ, "TOKEN": token})
            ends.callback(lambda: (own.terminate(), own.wait()))

        base, hub_uri = f"http://127.0.0.1:{web}/", f"http://127.0.0.1:{hub}/"
        published, public = base + "public/", folder / "site/public"
        start("hub", "serve")
        until("the hub", lambda: (folder / "admin").exists())
        start("serve", "site", "--listen", f"127.0.0.1:{web}")
        start("build", "site/files", "--watch=100ms", "--base-uri", base + "files/", "--documents-uri", published, "--out", "site/public",
              "--hub", hub_uri, "--topics-uri", hub_uri + "t/", "--token", f"{hub_uri.rstrip('/')}=env:TOKEN", "--allow-host", f"127.0.0.1:{hub}")
        until("the first publication", lambda: (public / "capabilitylist.xml").exists())
        start("listen", published + "capabilitylist.xml", "--callback", f"http://127.0.0.1:{callback}/rs/", "--listen", f"127.0.0.1:{callback}",
              "--sync", "copy", "--direct", "--allow-http", "--allow-host", f"127.0.0.1:{hub}", "--allow-host", f"127.0.0.1:{web}",
              "--limit", "http_requests_per_second=0")
        copied = lambda name: any(path.stat().st_size > 0 for path in (folder / "copy").rglob(name))
        until("the first copy", lambda: copied("first"))
        # The first notification after the start is a run on the lists.
        for number in range(3):
            (folder / f"site/files/warm{number}").write_text("warm")
            until(f"warm{number}", lambda: copied(f"warm{number}"))
            time.sleep(3)
        place = next((folder / "copy").rglob("first")).parent
        times = []
        for number in range(count):
            own = f"event{number:04}"
            # Written elsewhere, so that a copy is never of half a file.
            (folder / "next").write_text(own)
            (folder / "next").rename(folder / "site/files" / own)
            times.append(until(own, lambda: (place / own).exists()))
            # A hub accepts 60 payloads a minute for a topic, with bursts of 600.
            time.sleep(0.5)
        times.sort()
    median, most = times[len(times) // 2], times[min(len(times) - 1, int(len(times) * 0.99))]
    met = most <= 1
    print("| what | measured | target | met |\n| --- | --- | --- | --- |")
    print(f"| event to file in a copy, {count:,} events: median, 99th percentile | {median * 1000:.0f} ms, {most * 1000:.0f} ms | ≤ 1 s | {'yes' if met else 'NO'} |")
    return 1 if options.strict and not met else 0


if __name__ == "__main__":
    sys.exit(main())
