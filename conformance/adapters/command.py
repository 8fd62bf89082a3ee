#!/usr/bin/env python3
"""The adapter of the command: ``command.py PROGRAM TYPE INPUT …``; with ``npx resourcesync`` it is that of npm, for documents and packages."""

import json
import os
import subprocess
import sys


def main(program: str, kind: str, *inputs: str) -> int:
    is_npm = program.startswith(("node ", "npx "))
    if kind == "source" and is_npm:
        print("unsupported")
        return 0
    arguments = ["validate", *([] if is_npm else ["--no-config"]), "--format", "json", "--max-per-rule", "1"]
    if expected := os.environ.get("RESOURCESYNC_EXPECT"):
        arguments += ["--expect", expected]
    if kind == "source":
        arguments += ["--follow", "--proxy", os.environ["http_proxy"], "--limit", "http_requests_per_second=1000", "--limit", "http_retries=0"]
    answer = subprocess.run([*program.split(), *arguments, *inputs], capture_output=True, text=True, check=False)
    if answer.returncode not in (0, 1, 2) or not answer.stdout:
        print(answer.stderr, file=sys.stderr)
        return 1
    report = json.loads(answer.stdout)
    print(report["verdict"])
    for group in report["groups"]:
        print(f"{group['code']} x{group['count']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
