"""Sources on a cluster with Apache Spark 4: a data source, and validation whose report is that of the command.

>>> df = spark.read.format("resourcesync").load("https://repository.example/")
>>> result = resourcesync.spark.validate(spark, ["https://a.example/", "https://b.example/"])
>>> result = resourcesync.spark.verify_packages(spark, ["https://a.example/resourcedump.xml", "/mnt/store/packages"])
"""

from __future__ import annotations

from .source import ResourceSyncDataSource
from .tables import table
from .validating import ClusterOptions, Validated, validate, verify_packages

__all__ = ["ClusterOptions", "ResourceSyncDataSource", "Validated", "table", "validate", "verify_packages"]
