#!/usr/bin/env python3
"""The adapter of the Python package: ``package.py TYPE INPUT``."""

import os
import sys
from pathlib import Path

import resourcesync


def main(kind: str, *inputs: str) -> int:
    if kind == "source":
        print("unsupported")
        return 0
    report = resourcesync.validate(Path(inputs[0]), expect=os.environ.get("RESOURCESYNC_EXPECT"), max_per_rule=1)
    print(report.verdict)
    for group in report.groups:
        print(f"{group.code} x{group.count}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
