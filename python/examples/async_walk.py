"""A whole Source followed with httpx, several requests at a time.

``python async_walk.py https://example.com/``; needs ``pip install httpx``.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Union

import httpx
import resourcesync as rs

Answer = Union[rs.Response, httpx.HTTPError]


async def fetch(client: httpx.AsyncClient, request: rs.Request) -> tuple[rs.Request, Answer]:
    """One answer, or why there is none."""
    try:
        got = await client.request(request.method, request.uri)
    except httpx.HTTPError as error:
        return request, error
    return request, rs.Response(got.content, got.status_code, got.headers.multi_items(), str(got.url))


async def walk(start: str, concurrency: int = 8) -> rs.Report:
    """The report on a whole Source."""
    machine = rs.Walk(start)
    open_: set[asyncio.Task[tuple[rs.Request, Answer]]] = set()
    async with httpx.AsyncClient(follow_redirects=True, timeout=30) as client:
        while True:
            told = machine.poll() if len(open_) < concurrency else "wait"
            if isinstance(told, rs.Request):
                open_.add(asyncio.create_task(fetch(client, told)))
                continue
            if not open_:
                return machine.report()
            done, open_ = await asyncio.wait(open_, return_when=asyncio.FIRST_COMPLETED)
            for request, answer in (task.result() for task in done):
                if isinstance(answer, rs.Response):
                    machine.answer(request, answer)
                else:
                    machine.failed(request, type(answer).__name__)


if __name__ == "__main__":
    print(asyncio.run(walk(sys.argv[1])).to_text())
