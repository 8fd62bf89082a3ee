"""The command: ``resourcesync …`` and ``python -m resourcesync …``."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit status."""
    # The command notices Ctrl-C itself; Python would only wait for it to end and then complain.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What Python has buffered belongs before what the command writes.
    sys.stdout.flush()
    return _core.run(["resourcesync", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
