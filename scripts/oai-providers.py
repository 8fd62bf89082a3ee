#!/usr/bin/env python3
"""`oai validate` on repositories that the Python packages oai-repo and oaipmh serve over loopback.

    scripts/oai-providers.py COMMAND

COMMAND is the resourcesync program. `scripts/oai-providers` installs the packages. Exits with 1 if a check has another finding of a level MUST than those
that are known.
"""

import datetime
import http.server
import json
import subprocess
import sys
import threading
import urllib.parse

import oai_repo
from lxml import etree
from oaipmh import common, error, metadata, server

DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
DC_XSD = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
COUNT = 250
PAGE = 100
FIRST = datetime.datetime(2024, 1, 1)
FORM = "%Y-%m-%dT%H:%M:%SZ"


def identifier(number):
    return f"oai:provider.example:{number}"


def stamp(number):
    return FIRST + datetime.timedelta(minutes=number)


def is_deleted(number):
    return number % 50 == 7


def set_of(number):
    return "a:b" if number % 2 else "c"


def is_in(number, wanted):
    return wanted is None or set_of(number) == wanted or set_of(number).startswith(wanted + ":")


def known(name):
    prefix = identifier("")
    number = name[len(prefix):] if name.startswith(prefix) else ""
    return int(number) if number.isascii() and number.isdecimal() and 0 < int(number) <= COUNT else None


def selected(wanted, first, last):
    within = lambda at: (first is None or stamp(at) >= first) and (last is None or stamp(at) <= last)
    return [at for at in range(1, COUNT + 1) if is_in(at, wanted) and within(at)]


def dublin_core(number):
    root = etree.Element(f"{{{DC}}}dc", nsmap={"oai_dc": DC, "dc": "http://purl.org/dc/elements/1.1/", "xsi": XSI})
    root.set(f"{{{XSI}}}schemaLocation", f"{DC} {DC_XSD}")
    etree.SubElement(root, "{http://purl.org/dc/elements/1.1/}title").text = f"Item {number}"
    return root


class OaiRepo(oai_repo.DataInterface):
    """A repository of oai-repo."""

    limit = PAGE

    def __init__(self, url):
        self.url = url

    def get_identify(self):
        own = oai_repo.Identify()
        own.repository_name, own.base_url, own.admin_email = "oai-repo", self.url, ["admin@provider.example"]
        own.earliest_datestamp, own.deleted_record = FIRST.strftime(FORM), "persistent"
        own.granularity, own.compression = "YYYY-MM-DDThh:mm:ssZ", []
        return own

    def is_valid_identifier(self, name):
        return known(name) is not None

    def get_metadata_formats(self, name=None):
        return [oai_repo.MetadataFormat("oai_dc", DC_XSD, DC)]

    def get_record_header(self, name):
        number = known(name)
        own = oai_repo.RecordHeader()
        own.identifier, own.datestamp = name, stamp(number).strftime(FORM)
        own.setspecs, own.status = [set_of(number)], "deleted" if is_deleted(number) else None
        return own

    def get_record_metadata(self, name, prefix):
        # It sends none for a deleted record, but leaves a record without it out of lists.
        return dublin_core(known(name))

    def get_record_abouts(self, name):
        return []

    def list_set_specs(self, name=None, cursor=0):
        own = ["a", "a:b", "c"] if name is None else [set_of(known(name))]
        return own[cursor:], len(own), None

    def get_set(self, spec):
        own = oai_repo.Set()
        own.spec, own.name, own.description = spec, spec.upper(), []
        return own if spec in ("a", "a:b", "c") else None

    def list_identifiers(self, prefix, filter_from=None, filter_until=None, filter_set=None, cursor=0):
        plain = lambda date: date.replace(tzinfo=None) if date else None
        own = selected(filter_set, plain(filter_from), plain(filter_until))
        return [identifier(at) for at in own[cursor:cursor + PAGE]], len(own), None


class OaiPmh:
    """A repository of oaipmh."""

    def __init__(self, url):
        self.url = url

    def identify(self):
        return common.Identify(
            repositoryName="oaipmh", baseURL=self.url, protocolVersion="2.0", adminEmails=["admin@provider.example"],
            earliestDatestamp=FIRST, deletedRecord="persistent", granularity="YYYY-MM-DDThh:mm:ssZ", compression=["identity"])

    def header(self, number):
        return common.Header(None, identifier(number), stamp(number), [set_of(number)], is_deleted(number))

    def check(self, prefix):
        if prefix != "oai_dc":
            raise error.CannotDisseminateFormatError(prefix)

    def getRecord(self, metadataPrefix, identifier):
        number = known(identifier)
        if number is None:
            raise error.IdDoesNotExistError(identifier)
        self.check(metadataPrefix)
        return self.header(number), number, None

    def listMetadataFormats(self, identifier=None):
        if identifier is not None and known(identifier) is None:
            raise error.IdDoesNotExistError(identifier)
        return [("oai_dc", DC_XSD, DC)]

    def listSets(self, cursor=0, batch_size=PAGE):
        return [(spec, spec.upper(), None) for spec in ("a", "a:b", "c")][cursor:cursor + batch_size]

    def numbers(self, prefix, wanted, from_, until, cursor, size):
        self.check(prefix)
        own = selected(wanted, from_, until)
        if not own:
            raise error.NoRecordsMatchError("nothing")
        return own[cursor:cursor + size]

    def listIdentifiers(self, metadataPrefix, set=None, from_=None, until=None, cursor=0, batch_size=PAGE):
        return [self.header(at) for at in self.numbers(metadataPrefix, set, from_, until, cursor, batch_size)]

    def listRecords(self, metadataPrefix, set=None, from_=None, until=None, cursor=0, batch_size=PAGE):
        return [(self.header(at), at, None) for at in self.numbers(metadataPrefix, set, from_, until, cursor, batch_size)]


def serve(respond):
    """A server on loopback whose pages are those of `respond`, and its URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send(urllib.parse.urlsplit(self.path).query)

        def do_POST(self):
            self.send(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def send(self, query):
            body = respond(dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))
            self.send_response(200)
            self.send_header("Content-Type", "text/xml; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    own = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=own.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{own.server_port}/oai"


def oai_repo_provider():
    made = {}
    url = serve(lambda given: bytes(made["repository"].process(given)))
    made["repository"] = oai_repo.OAIRepository(OaiRepo(url))
    return url


def oaipmh_provider():
    made = {}
    url = serve(lambda given: made["server"].handleRequest(given))
    registry = metadata.MetadataRegistry()
    registry.registerWriter("oai_dc", lambda element, number: element.append(dublin_core(number)))
    made["server"] = server.BatchingServer(OaiPmh(url), registry, resumption_batch_size=PAGE)
    return url


DATES = "?verb=ListIdentifiers&metadataPrefix=oai_dc&from="
DAY = "ListIdentifiers (oai_dc, from=2024-01-01, until=2024-01-01)"
# Both take the arguments as a dictionary, in which there is none twice.
BOTH = {
    ("OAI-50", "?verb=Identify&verb=Identify"),
    ("OAI-50", "?verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc"),
    ("OAI-50", DATES + "2020-01-02&until=2020-01-01"),
}
# Findings that were checked by hand against the text of the protocol.
KNOWN = {
    "oai-repo": BOTH | {("OAI-31", DAY), ("OAI-50", DATES + "2020-01-01&until=2020-01-02T00:00:00Z")},
    "oaipmh": BOTH | {("OAI-07", DAY), ("OAI-50", DATES + "2020-01-01T00:00:00.0Z")},
}


def main():
    command = sys.argv[1]
    failed = False
    for name, provider in [("oai-repo", oai_repo_provider), ("oaipmh", oaipmh_provider)]:
        url = provider()
        ran = subprocess.run(
            [command, "oai", "validate", "--skip-waits", "--quiet", "--no-config", "--format", "json", "--max-per-rule", "0", url],
            capture_output=True, text=True, check=False)
        report = json.loads(ran.stdout)
        names = {own["id"]: own["name"] for own in report["inputs"]}
        must = [found for found in report["diagnostics"] if found.get("level", "").startswith("MUST")]
        unknown = sorted({(found["code"], names[found["input"]]) for found in must} - KNOWN[name])
        failed |= bool(unknown) or report["run"]["status"] != "completed"
        print(f"oai-providers: {name}: {len(report['inputs'])} responses, {len(must)} known findings" if not unknown else f"{name}: {unknown}")
        for found in must if unknown else []:
            print("   ", found["code"], names[found["input"]], found["message"])
    return failed


if __name__ == "__main__":
    sys.exit(main())
