"""An HTTP client for crawls, based on the standard library, that is bounded and blocks private addresses."""

from __future__ import annotations

import http.client
import socket
import ssl
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit

from ._core import USER_AGENT, not_public
from ._crawl import Request, Response, SkippedError
from ._errors import ConfigError
from ._parts import Reason
from ._sources import WINDOW

if TYPE_CHECKING:
    from . import notify

_REDIRECTS = (301, 302, 303, 307, 308)


class HttpFetcher:
    """Fetches by HTTP and HTTPS.

    Addresses that are not public (loopback, private, link-local …) are blocked on every hop, unless ``allow`` has the host (with any port),
    ``HOST:PORT``, or a URI of this host and port. Connections are made to the address that was checked. Redirects from https to http are not followed.
    Proxies and credentials of the environment are not used. Which public hosts are requested, the caller decides.

    :param timeout: seconds to wait for a connection and for each part of a response.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        timeout: float = 30.0,
        redirects: int = 5,
        user_agent: str = USER_AGENT,
    ) -> None:
        self._allowed = set(map(_named, allow))
        self._timeout = timeout
        self._redirects = redirects
        self._user_agent = user_agent
        self._tls = ssl.create_default_context()

    def __call__(self, request: Request) -> Response:
        """The response after all redirects; its body is streamed."""
        uri = request.uri
        # The digests of a resource are of its bytes without content decoding, in the listed coding.
        is_raw_body = request.purpose == "resource"
        for _ in range(self._redirects + 1):
            connection = self._connect(uri)
            try:
                parts = urlsplit(uri)
                target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                coding = request.encoding or "identity"
                headers = {"User-Agent": self._user_agent, "Accept-Encoding": coding, "Connection": "close"}
                connection.request(request.method, target, headers=headers)
                answer = connection.getresponse()
            except (http.client.HTTPException, ValueError) as error:
                connection.close()
                raise ConnectionError(f"not HTTP: {error}") from None
            except BaseException:
                connection.close()
                raise
            location = answer.getheader("Location")
            if answer.status not in _REDIRECTS or location is None:
                body = _body(connection, answer, is_raw_body)
                return Response(body, answer.status, answer.getheaders(), uri, is_raw_body)
            connection.close()
            try:
                target = urljoin(uri, location)
                is_downgrade = urlsplit(uri).scheme == "https" and urlsplit(target).scheme == "http"
            except ValueError as error:
                raise ConnectionError(f"a redirect to a malformed URI: {error}") from None
            if is_downgrade:
                raise SkippedError("a redirect from https to http is not followed", Reason("downgrade", {"uri": target}))
            uri = target
        raise ConnectionError("too many redirects")

    def exchange(self, request: notify.Request) -> tuple[int, list[tuple[str, str]], bytes]:
        """One exchange of a notification machine, without redirects, for :func:`notify.drive`."""
        try:
            connection = self._connect(request.uri)
        except SkippedError as error:
            raise ConnectionError(str(error)) from None
        try:
            parts = urlsplit(request.uri)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            headers = {"User-Agent": self._user_agent, **dict(request.headers)}
            connection.request(request.method, target, request.body or None, headers)
            answer = connection.getresponse()
            body = answer.read(request.most)
            if len(body) < request.most:
                _check_end(answer)
            return answer.status, answer.getheaders(), body
        except (http.client.HTTPException, ValueError) as error:
            raise ConnectionError(f"not HTTP: {error}") from None
        finally:
            connection.close()

    def _connect(self, uri: str) -> http.client.HTTPConnection:
        try:
            return self._connected(uri)
        except ValueError as error:  # Ports, brackets and labels of hosts are checked where they are used.
            raise ConnectionError(f"a malformed URI: {error}") from None

    def _connected(self, uri: str) -> http.client.HTTPConnection:
        parts = urlsplit(uri)
        host = parts.hostname
        if parts.scheme not in ("http", "https") or host is None or parts.username is not None:
            raise SkippedError("only http and https without credentials are fetched", Reason("not-http"))
        _, port = _place(parts)
        own = self._socket(host, port)
        connection = http.client.HTTPConnection(host, port, timeout=self._timeout)
        try:
            connection.sock = self._tls.wrap_socket(own, server_hostname=host) if parts.scheme == "https" else own
        except BaseException:
            own.close()
            raise
        if parts.scheme == "https":
            connection.default_port = 443
        return connection

    def _socket(self, host: str, port: int) -> socket.socket:
        """A connection to the first address that accepts one, if all are allowed."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        if not {(host.lower(), port), (host.lower(), None)} & self._allowed:
            for address in addresses:
                if not_public(address.partition("%")[0]) is not None:
                    raise SkippedError(f"`{host}` has an address that is not public")
        for address in addresses[:-1]:
            try:
                return socket.create_connection((address, port), self._timeout)
            except OSError:
                continue
        return socket.create_connection((addresses[-1], port), self._timeout)


def _named(allowed: str) -> tuple[str | None, int | None]:
    """A host and its port; ``None`` for any port."""
    if "//" not in allowed and "[" not in allowed and allowed.count(":") != 1:
        return allowed.lower(), None
    try:
        parts = urlsplit(allowed if "//" in allowed else f"//{allowed}")
        return _place(parts) if parts.scheme else (parts.hostname, parts.port)
    except ValueError as error:
        raise ConfigError(f"allow: `{allowed}` is not a host or URI: {error}") from None


def _place(parts: SplitResult) -> tuple[str | None, int]:
    return parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _body(
    connection: http.client.HTTPConnection, answer: http.client.HTTPResponse, is_raw_body: bool
) -> Iterator[bytes]:
    coding = (answer.getheader("Content-Encoding") or "identity").strip().lower()
    unpack = zlib.decompressobj(wbits=31) if coding in ("gzip", "x-gzip") and not is_raw_body else None
    try:
        while piece := answer.read(WINDOW):
            if unpack is None:
                yield piece
                continue
            while piece:
                if unpack.eof:
                    # Another member may follow; zeros before it are padding.
                    piece = piece.lstrip(b"\0")
                    if not piece:
                        break
                    unpack = zlib.decompressobj(wbits=31)
                yield unpack.decompress(piece, WINDOW)
                piece = unpack.unconsumed_tail or unpack.unused_data
        _check_end(answer)
        if unpack is not None and not unpack.eof:
            raise ConnectionError("the packed body ends too early")
    except (http.client.HTTPException, zlib.error) as error:
        raise ConnectionError(f"the body is cut or damaged: {type(error).__name__}") from None
    finally:
        connection.close()


def _check_end(answer: http.client.HTTPResponse) -> None:
    # Not all versions of Python raise an exception where a read ends before the declared length.
    if answer.length:
        raise ConnectionError(f"the body ends {answer.length} bytes before its Content-Length")
