"""Crawls a whole Source with httpx, with concurrent requests.

``python async_crawl.py https://example.com/``; needs ``pip install httpx``.
"""

from __future__ import annotations

import asyncio
import sys

import httpx
import resourcesync as rs


async def crawl(start: str, concurrency: int = 8) -> rs.Report:
    """The report on a whole Source."""
    async with httpx.AsyncClient(follow_redirects=True, timeout=30) as client:

        async def fetch(request: rs.Request) -> rs.Response:
            return rs.Response.from_httpx(await client.request(request.method, request.uri))

        return await rs.acrawl(start, fetch, concurrency=concurrency)


if __name__ == "__main__":
    print(asyncio.run(crawl(sys.argv[1])).to_text())
