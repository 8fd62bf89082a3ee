"""A small OAI-PMH repository."""

from __future__ import annotations

import http.server
import urllib.parse
from collections.abc import Mapping

HEAD = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>x</request>'


def respond(query: Mapping[str, str], records: Mapping[str, str], is_cut: bool = False) -> bytes:
    """The response to a query; ten records on each page. ``is_cut`` ends every page but the first in the middle of a list."""
    verb = query["verb"]
    if verb == "Identify":
        inner = "<repositoryName>Test</repositoryName><baseURL>x</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@b.example</adminEmail>"
        inner += "<earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DD</granularity>"
    elif verb == "ListMetadataFormats":
        inner = "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a.example/s</schema>"
        inner += "<metadataNamespace>http://a.example/n</metadataNamespace></metadataFormat>"
    else:
        at = int(query.get("resumptionToken", "0"))
        inner = "".join(
            f"<record><header><identifier>{name}</identifier><datestamp>2025-01-01</datestamp></header>"
            f'<metadata><d xmlns="http://a.example/n">{name} {records[name]}</d></metadata></record>'
            for name in sorted(records)[at : at + 10]
        )
        if is_cut and at > 0:
            return f"{HEAD}<{verb}>{inner}".encode()
        inner += f"<resumptionToken>{at + 10}</resumptionToken>" if at + 10 < len(records) else "<resumptionToken/>"
    return f"{HEAD}<{verb}>{inner}</{verb}></OAI-PMH>".encode()


def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
    """Answers a query of a repository with 25 records."""
    query = dict(urllib.parse.parse_qsl(handler.path.partition("?")[2]))
    body = respond(query, {str(number): "first" for number in range(25)})
    handler.send_response(200)
    handler.send_header("Content-Type", "text/xml")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
