"""Crawls a whole Source with httpx, with concurrent requests.

``python async_crawl.py https://example.com/``; needs ``pip install httpx``.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Union

import httpx
import resourcesync as rs

Result = Union[rs.Response, httpx.HTTPError]


async def fetch(client: httpx.AsyncClient, request: rs.Request) -> tuple[rs.Request, Result]:
    """The response, or the error."""
    try:
        answer = await client.request(request.method, request.uri)
    except httpx.HTTPError as error:
        return request, error
    return request, rs.Response(answer.content, answer.status_code, answer.headers.multi_items(), str(answer.url))


async def crawl(start: str, concurrency: int = 8) -> rs.Report:
    """The report on a whole Source."""
    crawler = rs.Crawler(start)
    open_: set[asyncio.Task[tuple[rs.Request, Result]]] = set()
    async with httpx.AsyncClient(follow_redirects=True, timeout=30) as client:
        while True:
            step = crawler.poll() if len(open_) < concurrency else "wait"
            if isinstance(step, rs.Request):
                open_.add(asyncio.create_task(fetch(client, step)))
                continue
            if not open_:
                return crawler.report()
            done, open_ = await asyncio.wait(open_, return_when=asyncio.FIRST_COMPLETED)
            for request, response in (task.result() for task in done):
                if isinstance(response, rs.Response):
                    crawler.response(request, response)
                else:
                    crawler.failed(request, type(response).__name__)


if __name__ == "__main__":
    print(asyncio.run(crawl(sys.argv[1])).to_text())
