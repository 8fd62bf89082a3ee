"""The defaults of all settings, for the entry point ``invenio_config.module``."""

from dataclasses import MISSING, fields

from ._settings import RecordSettings

for _each in fields(RecordSettings):
    globals()[f"RESOURCESYNC_{_each.name}"] = _each.default_factory() if _each.default_factory is not MISSING else _each.default
