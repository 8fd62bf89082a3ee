"""Sources on a cluster with Apache Spark 4: a data source, and validation whose report is that of the command.

>>> df = spark.read.format("resourcesync").load("https://repository.example/")
>>> result = resourcesync.spark.validate(spark, ["https://a.example/", "https://b.example/"])
"""

from __future__ import annotations

from .source import ResourceSyncDataSource
from .validating import Validated, validate

__all__ = ["ResourceSyncDataSource", "Validated", "validate"]
