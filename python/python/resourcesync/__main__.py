"""The command: ``resourcesync …`` and ``python -m resourcesync …``."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit status."""
    # The command handles Ctrl-C itself; Python would wait for it to end and then raise KeyboardInterrupt.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Output buffered by Python must precede that of the command.
    sys.stdout.flush()
    return _core.run(["resourcesync", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
