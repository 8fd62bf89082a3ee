"""The cancellation of work in this thread, which a task of asyncio waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import TypeVar

from . import _core

T = TypeVar("T")

#: Set by what starts the work.
CANCEL: ContextVar[_core.Cancel | None] = ContextVar("resourcesync.cancel", default=None)


def cancellation() -> _core.Cancel | None:
    """The cancellation of the work in this thread, for the extension module."""
    return CANCEL.get()


def going(items: Iterable[T]) -> Iterator[T]:
    """The items, until the work is cancelled."""
    cancel = CANCEL.get()
    for item in items:
        if cancel is not None and cancel.is_cancelled():
            raise InterruptedError("the work was cancelled")
        yield item
