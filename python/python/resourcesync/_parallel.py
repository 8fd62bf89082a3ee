"""Iterators that threads read ahead."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

#: Values of each iterator that wait.
_WAITING = 4


def in_order(makers: Sequence[Callable[[], Iterable[T]]], threads: int) -> Iterator[T]:
    """The values of all iterators, one iterator after the other, while up to ``threads`` of them are read."""
    if threads == 1:
        for make in makers:
            yield from make()
        return
    is_over = threading.Event()
    outs: list[queue.Queue[Any]] = [queue.Queue(_WAITING) for _ in makers]
    slots = threading.Semaphore(threads)

    def put(out: queue.Queue[Any], value: object) -> bool:
        while not is_over.is_set():
            try:
                out.put(value, timeout=0.1)
                return True
            except queue.Full:
                pass
        return False

    def work(make: Callable[[], Iterable[T]], out: queue.Queue[Any]) -> None:
        try:
            if all(put(out, (value,)) for value in make()):
                put(out, None)
        except BaseException as error:
            put(out, error)

    def start() -> None:
        for make, out in zip(makers, outs):
            slots.acquire()
            if is_over.is_set():
                return
            threading.Thread(target=work, args=(make, out), daemon=True).start()

    threading.Thread(target=start, daemon=True).start()
    try:
        for out in outs:
            while (value := out.get()) is not None:
                if isinstance(value, BaseException):
                    raise value
                yield value[0]
            slots.release()
    finally:
        is_over.set()
        slots.release()
