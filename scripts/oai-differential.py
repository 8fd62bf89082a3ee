#!/usr/bin/env python3
"""Harvests random pages with the command, and compares each stored record with the page as expat reads it.

    scripts/oai-differential.py COMMAND [RECORDS [NUMBER]]

COMMAND is the resourcesync program. The raw bytes must be in the page, and the standalone form must be equivalent: the same expanded names,
attributes and texts, and the same namespaces for the prefixes in texts and values. Exits with 1 if one is not.
"""

import http.server
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
from xml.etree import ElementTree

OAI = "http://www.openarchives.org/OAI/2.0/"
TEXTS = ["", " ", "x", "日本語", "a &amp; b", "<![CDATA[</record><record><header>]]>", "&#x1F600;", "x:y", "\n  ", "]]&gt;"]
PREFIXES = ["", "x", "y", "z", "oai"]


def element(random, depth, known):
    """An element with the namespaces in scope."""
    declared = {prefix: f"http://a.example/{random.randrange(4)}/" for prefix in PREFIXES[1:] if random.random() < 0.2}
    if random.random() < 0.2:
        declared[""] = random.choice([OAI, "http://a.example/0/", ""])
    known = known | declared
    names = [prefix for prefix in PREFIXES if prefix == "" or known.get(prefix)]
    prefix = random.choice(names)
    name = f"{prefix}:e" if prefix else "e"
    attributes = "".join(f' xmlns{":" if prefix else ""}{prefix}="{uri}"' for prefix, uri in declared.items())
    if random.random() < 0.3:
        attributes += ' plain=\'a "b" &lt;\''
    if random.random() < 0.3:
        prefix = random.choice(names)
        attributes += f' {prefix}:own="{random.choice(names)}:value"' if prefix else ""
    if random.random() < 0.1:
        attributes += ' xml:lang="ja"'
    space = random.choice(["", " ", "\n"])
    if random.random() < 0.2:
        return f"<{name}{attributes}{space}/>"
    content = random.choice(TEXTS) + random.choice(["", "<!-- c -->", "<?p i?>"])
    for _ in range(random.randrange(4) if depth else 0):
        content += element(random, depth - 1, known) + random.choice(TEXTS)
    return f"<{name}{attributes}{space}>{content}</{name}{space}>"


def page(random, first, count, token):
    known = {"": OAI, "x": "http://a.example/x/", "y": "http://a.example/y/"}
    declared = ' xmlns:x="http://a.example/x/" xmlns:y="http://a.example/y/"'
    if random.random() < 0.3:
        known["z"] = "http://a.example/z/"
        declared += ' xmlns:z="http://a.example/z/"'
    records = "".join(
        f"<record><header><identifier>{number}</identifier><datestamp>2025-06-01</datestamp></header>"
        f"<metadata>{element(random, 3, known)}</metadata></record>\n"
        for number in range(first, first + count)
    )
    return response("ListRecords", f"<ListRecords>{records}<resumptionToken>{token}</resumptionToken></ListRecords>", declared)


def response(verb, content, declared=""):
    return (
        f'<OAI-PMH xmlns="{OAI}"{declared}><responseDate>2026-01-01T00:00:00Z</responseDate>'
        f'<request verb="{verb}">http://127.0.0.1/oai</request>{content}</OAI-PMH>'
    )


def parsed(document):
    """The root of a document, and the namespaces in scope of each element."""
    scope, scopes = [], {}
    for event, value in ElementTree.iterparse(io.BytesIO(document), events=["start-ns", "end-ns", "start"]):
        if event == "start-ns":
            scope.append(value)
        elif event == "end-ns":
            scope.pop()
        else:
            scopes[value] = dict(scope)
    return next(iter(scopes)), scopes


def meaning(element, scopes):
    """The content of an element without prefixes, with concatenated text; prefixes in texts and values with their namespaces."""
    scope = scopes[element]

    def resolved(text):
        return text or "", [scope.get(prefix) for prefix in re.findall(r"(\w+):", text or "")]

    attributes = [(name, resolved(value)) for name, value in sorted(element.attrib.items())]
    return [element.tag, attributes, resolved(element.text), [(meaning(own, scopes), resolved(own.tail)) for own in element]]


def main():
    command, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    source = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    starts = list(range(0, count, 100))
    pages = {start: page(source, start, 100, start + 100 if start != starts[-1] else "") for start in starts}
    identify = "".join(
        f"<{name}>{value}</{name}>"
        for name, value in [
            ("repositoryName", "a"), ("baseURL", "http://127.0.0.1/oai"), ("protocolVersion", "2.0"), ("adminEmail", "a@a.example"),
            ("earliestDatestamp", "2020-01-01"), ("deletedRecord", "persistent"), ("granularity", "YYYY-MM-DD"),
        ]
    )
    formats = "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a/</schema><metadataNamespace>http://a/</metadataNamespace></metadataFormat>"

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if "verb=Identify" in self.path:
                body = response("Identify", f"<Identify>{identify}</Identify>")
            elif "verb=ListMetadataFormats" in self.path:
                body = response("ListMetadataFormats", f"<ListMetadataFormats>{formats}</ListMetadataFormats>")
            else:
                body = pages[int(self.path.partition("resumptionToken=")[2] or 0)]
            body = body.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/oai"
    limits = ["--quiet", "--limit", "http_requests_per_second=0"]
    with tempfile.TemporaryDirectory() as folder:
        lines = subprocess.run([command, "oai", "harvest", *limits, url], check=True, capture_output=True).stdout.splitlines()
        store = pathlib.Path(folder, "store")
        subprocess.run([command, "oai", "harvest", *limits, "--into", store, url], check=True)
        raw = {line["identifier"]: line["metadata"] for line in map(json.loads, lines)}
        catalogue = map(json.loads, store.joinpath("catalogue.jsonl").read_text().splitlines())
        standalone = {entry["identifier"]: store.joinpath(entry["location"]).read_bytes() for entry in catalogue}
    wrong = 0
    for text in pages.values():
        root, scopes = parsed(text.encode())
        for record in root.iter(f"{{{OAI}}}record"):
            header, metadata = record
            identifier = header[0].text
            same = raw[identifier] in text and meaning(*parsed(standalone[identifier])) == meaning(metadata[0], scopes)
            if not same:
                wrong += 1
                print(f"{identifier}: {raw[identifier]}\n{standalone[identifier].decode()}", file=sys.stderr)
    print(f"oai: {len(standalone)} records, {wrong} differ from the page")
    sys.exit(wrong > 0 or len(standalone) < count)


main()
