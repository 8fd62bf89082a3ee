"""The largest media types in a Resource List: a Polars query over a list of any size.

``python largest.py resourcelist.xml``; needs ``pip install resourcesync[arrow] polars``.
"""

from __future__ import annotations

import sys

import polars as pl
import resourcesync as rs


def largest(source: str) -> pl.DataFrame:
    """Bytes and resources of each media type, the largest first."""
    # Batch by batch: the aggregates are small, whatever the size of the list.
    parts = [
        pl.DataFrame(batch).group_by("type").agg(pl.col("length").sum().alias("bytes"), pl.len().alias("resources"))
        for batch in rs.to_arrow(source)
    ]
    return pl.concat(parts).group_by("type").agg(pl.col("bytes").sum(), pl.col("resources").sum()).sort("bytes", descending=True)


if __name__ == "__main__":
    print(largest(sys.argv[1]))
