"""In a new environment: the data source is found without registering it, and reads a list. Run by scripts/spark --fresh."""

from __future__ import annotations

import tempfile
from pathlib import Path

import resourcesync as rs
from pyspark.sql import SparkSession

with tempfile.TemporaryDirectory() as folder:
    made = rs.ResourceList("http://example.com/capabilitylist.xml", "2024-05-01T00:00:00Z")
    made.extend(rs.Resource(f"http://example.com/{number}", length=number) for number in range(100))
    (Path(folder) / "list.xml").write_bytes(made.to_bytes())
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        (row,) = spark.read.format("resourcesync").load(folder).selectExpr("count(*) AS count", "sum(length) AS length").collect()
        assert (row["count"], row["length"]) == (100, sum(range(100))), row
        print(f"pyspark {spark.version}: {row['count']} rows")
    finally:
        spark.stop()
