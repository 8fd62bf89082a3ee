#!/usr/bin/env python3
"""An adapter of a library that reads documents and does not report codes: the Python reference client (``pip install resync``).

What the library reads is *valid*, what it rejects *invalid*. Packages and Sources are not checked.
"""

import sys
from pathlib import Path
from xml.etree.ElementTree import ParseError

from resync.capability_list import CapabilityList
from resync.change_dump import ChangeDump
from resync.change_dump_manifest import ChangeDumpManifest
from resync.change_list import ChangeList
from resync.resource_dump import ResourceDump
from resync.resource_dump_manifest import ResourceDumpManifest
from resync.resource_list import ResourceList
from resync.sitemap import SitemapIndexError, SitemapParseError
from resync.source_description import SourceDescription

KINDS = {
    kind.capability_name: kind
    for kind in (CapabilityList, ChangeDump, ChangeDumpManifest, ChangeList, ResourceDump, ResourceDumpManifest, ResourceList, SourceDescription)
    for kind in [kind()]
}


def main(kind: str, *inputs: str) -> int:
    if kind != "document":
        print("unsupported")
        return 0
    text = Path(inputs[0]).read_text(encoding="utf-8", errors="replace")
    capability = next((name for name in KINDS if f'capability="{name}"' in text), None)
    if capability is None:
        print("unsupported")
        return 0
    try:
        KINDS[capability].parse(str_data=text)
    except (ParseError, SitemapParseError, SitemapIndexError, ValueError, TypeError):
        print("invalid")
    else:
        print("valid")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
