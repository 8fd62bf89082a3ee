"""Validates all Sources of an aggregator each night on a cluster.

    spark-submit aggregator_spark.py sources.txt results/ --contact operator@aggregator.example

``sources.txt`` has the URI of a Source on each line. Two tables are written: ``sources.parquet`` with a row for each Source (verdict, counts, and the
report that ``resourcesync validate --follow`` writes), and ``findings.parquet`` with a row for each finding. A Source that does not answer is a row,
too. ``--batch`` bounds the memory of the driver, which holds 16 bytes for each resource of the Sources of a batch.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from pyspark.sql import SparkSession
from resourcesync import spark as rss

SOURCES = pa.schema([("source", pa.string()), ("verdict", pa.string()), ("errors", pa.int64()), ("warnings", pa.int64()), ("documents", pa.int64()), ("report", pa.string())])
FINDINGS = pa.schema([("source", pa.string()), ("document", pa.string()), ("code", pa.string()), ("severity", pa.string()), ("message", pa.string())])


def main(arguments: Sequence[str] | None = None) -> Counter[str]:
    parser = argparse.ArgumentParser(description="Validates the Sources of a file on a cluster.")
    parser.add_argument("sources", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--contact")
    parser.add_argument("--requests-per-second", type=int, default=10)
    given = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("aggregator").getOrCreate()
    sources = [line.strip() for line in given.sources.read_text().splitlines() if line.strip()]
    given.results.mkdir(parents=True, exist_ok=True)
    verdicts: Counter[str] = Counter()
    # The tables of last night stay until those of this night are complete.
    new = {name: given.results / f"{name}.parquet.new" for name in ("sources", "findings")}
    with pq.ParquetWriter(new["sources"], SOURCES, compression="zstd") as rows, pq.ParquetWriter(new["findings"], FINDINGS, compression="zstd") as findings:
        for first in range(0, len(sources), given.batch):
            batch = sources[first : first + given.batch]
            result = rss.validate(spark, batch, from_=given.contact, requests_per_second=given.requests_per_second)
            for source, report in result.reports.items():
                verdicts[report.verdict] += 1
                counts: dict[str, Any] = {"errors": report.summary.errors, "warnings": report.summary.warnings, "documents": report.summary.inputs}
                row = {"source": source, "verdict": report.verdict, **counts, "report": report.to_json().decode()}
                rows.write_table(pa.Table.from_pylist([row], schema=SOURCES))
                found = [
                    {"source": source, "document": report.inputs[each.input].name, "code": each.code, "severity": each.severity, "message": each.message}
                    for each in report.diagnostics
                ]
                findings.write_table(pa.Table.from_pylist(found, schema=FINDINGS))
    for name, path in new.items():
        os.replace(path, given.results / f"{name}.parquet")
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return verdicts


if __name__ == "__main__":
    main()
