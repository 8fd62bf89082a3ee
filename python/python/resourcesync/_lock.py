"""A lock between processes and threads: a file that is locked, so that the lock ends with its process."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ._errors import PublishError

#: Seconds between attempts.
_PAUSE = 0.01
#: Errors of a lock that another process holds.
_TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: str | os.PathLike[str], wait: float) -> Generator[None]:
    """Holds the lock of a file, which is created and kept.

    :param wait: seconds to wait for another process or thread.
    :raises PublishError: if it takes longer.
    """
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + wait
    file = os.open(place, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while True:
            try:
                _take(file)
                break
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise PublishError(f"{place} cannot be locked: {error.strerror}") from None
                if time.monotonic() >= end:
                    raise PublishError(f"another process has held {place} for {wait:g} seconds") from None
                time.sleep(_PAUSE)
        yield
    finally:
        os.close(file)
