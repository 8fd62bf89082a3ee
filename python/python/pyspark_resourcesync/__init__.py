"""Registers the data source ``resourcesync`` with Apache Spark, which finds it by the name of this module."""

from resourcesync.spark import ResourceSyncDataSource as DefaultSource

__all__ = ["DefaultSource"]
