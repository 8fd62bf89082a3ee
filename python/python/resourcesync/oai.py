"""Harvest and check OAI-PMH repositories, prove that a harvest is complete, and publish a repository as a ResourceSync Source.

>>> from resourcesync import oai
>>> page = oai.read(b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate>'
...     b'<request>http://a.example/oai</request><error code="noRecordsMatch">nothing new</error></OAI-PMH>')
>>> page.is_whole, page.errors
(True, (OaiError(code='noRecordsMatch', text='nothing new'),))
"""

from __future__ import annotations

from ._core import OaiRecord as Record
from ._errors import HarvestError
from ._oai_bridge import BridgeResult, bridge
from ._oai_check import Checked, CheckRequest, CheckStep, ProviderCheck, Wait, validate
from ._oai_dataset import HarvestOptions, RecordDataset, dataset
from ._oai_harvest import Done, Harvest, HarvestStatus, IncompleteError, Note, Proof, Records, Request, Step, harvest
from ._oai_pages import Format, Header, OaiError, Page, SetEntry, read, to_arrow

__all__ = [
    "BridgeResult",
    "CheckRequest",
    "CheckStep",
    "Checked",
    "Done",
    "Format",
    "Harvest",
    "HarvestError",
    "HarvestOptions",
    "HarvestStatus",
    "Header",
    "IncompleteError",
    "Note",
    "OaiError",
    "Page",
    "Proof",
    "ProviderCheck",
    "Record",
    "RecordDataset",
    "Records",
    "Request",
    "SetEntry",
    "Step",
    "Wait",
    "bridge",
    "dataset",
    "harvest",
    "read",
    "to_arrow",
    "validate",
]

# In messages and in the reference they have the names by which programs import them.
for _public in (
    BridgeResult, CheckRequest, Checked, Done, Format, Harvest, HarvestOptions, Header, IncompleteError, Note, OaiError, Page, Proof, ProviderCheck, RecordDataset, Records, Request, SetEntry, Wait,
    bridge, dataset, harvest, read, to_arrow, validate,
):  # fmt: skip
    _public.__module__ = "resourcesync.oai"
