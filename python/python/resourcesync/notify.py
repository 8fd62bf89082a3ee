"""Change and Framework Notification over WebSub: state machines without I/O, for any web framework and any HTTP client.

A :class:`Publisher` sends payloads to the hubs of a topic; a :class:`Subscriber` finds the channels of a Source, subscribes, replies to the hub, and
passes on notifications; a :class:`Hub` accepts payloads and delivers them to subscribers. All process one input at a time and return a :class:`Turn`: values to store, requests to send, a reply, and events. Store
``turn.keep`` before performing the rest of the turn: a reply of 202 promises that a notification is stored.

>>> from resourcesync import notify
>>> notify.sign("sha256", b"secret", b"<urlset/>")[:14]
'sha256=926b967'
>>> subscriber = notify.Subscriber("https://me.example/rs/")
>>> [request.uri for request in subscriber.follow("https://example.com/capabilitylist.xml").requests]
['https://example.com/capabilitylist.xml']
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar, cast

from . import _core
from ._entries import Moment, NotifiedChange
from ._errors import ConfigError
from ._notify_values import (
    Algorithm,
    Apply,
    Broken,
    Changed,
    Channel,
    Delivery,
    End,
    Event,
    Found,
    Headers,
    HubEvent,
    HubEventKind,
    HubPublisher,
    HubTopic,
    Notification,
    Notified,
    Ordered,
    Postponed,
    PublishedDocument,
    Pull,
    Refused,
    Reply,
    Request,
    Reread,
    RereadDocument,
    RunResult,
    Sent,
    SignatureError,
    State,
    Sync,
    Topic,
    Trigger,
    Turn,
    to_event,
    to_notification,
    to_reply,
)
from ._parts import Reason
from ._sync import SyncReport
from ._values import Datetime, written

__all__ = [
    "Algorithm",
    "Apply",
    "Broken",
    "Changed",
    "Channel",
    "Clock",
    "Delivery",
    "End",
    "Event",
    "Found",
    "Headers",
    "Hub",
    "HubEvent",
    "HubEventKind",
    "HubPublisher",
    "HubTopic",
    "Listener",
    "Notification",
    "Notified",
    "Ordered",
    "Postponed",
    "PublishedDocument",
    "Publisher",
    "Pull",
    "Random",
    "Refused",
    "Reply",
    "Request",
    "Reread",
    "RereadDocument",
    "RunResult",
    "Send",
    "Sent",
    "SignatureError",
    "State",
    "Subscriber",
    "Sync",
    "Topic",
    "Trigger",
    "Turn",
    "announce",
    "announce_documents",
    "drive",
    "read",
    "sign",
    "signature_error",
    "topic_reply",
    "verify",
]

Clock = Callable[[], float]
Random = Callable[[int], bytes]


_Inner = TypeVar("_Inner", _core.NotifyPublisher, _core.NotifySubscriber, _core.NotifyListener, _core.NotifyHub)


class _Machine(Generic[_Inner]):
    def __init__(self, make: Callable[[str], _Inner], state: State | None, clock: Clock, random: Random) -> None:
        self._state: State = dict(state or {})
        self._inner: _Inner = make(json.dumps(self._state))
        self._clock = clock
        self._random = random

    @property
    def state(self) -> State:
        """All values kept so far, from which a new state machine continues."""
        return dict(self._state)

    def _turn(self, name: str, value: Mapping[str, Any], body: bytes | None = None) -> Turn:
        now = round(self._clock() * 1000)
        keep: dict[str, Any] = {}
        requests: list[Request] = []
        events: list[Event] = []
        reply: Reply | None = None
        wait: Datetime | None = None
        for text, content in self._inner.turn(now, self._random, json.dumps({name: value}), body):
            ((kind, said),) = json.loads(text).items()
            if kind == "keep":
                keep[said["key"]] = said["value"]
            elif kind == "send":
                headers = tuple((each[0], each[1]) for each in said.get("headers", ()))
                requests.append(Request(said["id"], said["method"], said["uri"], headers, content or b"", said["most"], said.get("purpose")))
            elif kind == "reply":
                reply = to_reply(said, content)
            elif kind == "wait":
                wait = Datetime.parse(said["until"])
            else:
                events.append(to_event(kind, said, content))
        for key, value_ in keep.items():
            if value_ is None:
                self._state.pop(key, None)
            else:
                self._state[key] = value_
        return Turn(keep, tuple(requests), reply, tuple(events), wait)

    def tick(self) -> Turn:
        """Time passed."""
        return self._turn("tick", {})

    def responded(self, request: Request | int, status: int, headers: Headers = (), body: bytes = b"") -> Turn:
        """Processes the response to a request."""
        said = {"id": _id(request), "status": status, "headers": _fields(headers)}
        return self._turn("answered", said, body)

    def failed(self, request: Request | int, reason: str | Reason) -> Turn:
        """Reports that there is no response; the reason is one of the library's, or one line of text."""
        said = reason if isinstance(reason, str) else {"code": reason.code, "args": dict(reason.args)}
        return self._turn("failed", {"id": _id(request), "reason": said})


class Publisher(_Machine[_core.NotifyPublisher]):
    """Sends payloads to the hubs of their topics, in order, until each hub has accepted them. Hubs are independent of each other.

    :param strict_hub: accept only 200 from a hub, as the specifications require.
    :param credentials: header fields for the hubs of one origin: origin, name, value.
    :param state: the state of an earlier instance.
    :param clock: seconds since 1970.
    :param random: returns a given number of random bytes.
    """

    def __init__(
        self,
        *,
        strict_hub: bool = False,
        credentials: Iterable[tuple[str, str, str]] = (),
        state: State | None = None,
        clock: Clock = time.time,
        random: Random = os.urandom,
    ) -> None:
        names = ("origin", "name", "value")
        options = {"strictHub": strict_hub, "credentials": [dict(zip(names, each)) for each in credentials]}
        super().__init__(lambda kept: _core.NotifyPublisher(json.dumps(options), kept), state, clock, random)

    def publish(self, topic: Topic, body: bytes, kind: Channel = "change-notification") -> Turn:
        """Queues a payload for the hubs of a topic. Repeating a payload has no effect.

        :raises RefusedError: if it is not a valid notification.
        """
        return self._turn("publish", {"topic": topic._plain(), "kind": kind}, body)

    def retry(self, payload: int) -> Turn:
        """Resends a payload that a hub refused."""
        return self._turn("retry", {"payload": payload})

    def discard(self, payload: int) -> Turn:
        """Discards a payload. Subscribers detect the gap, and read the Change List."""
        return self._turn("discard", {"payload": payload})

    def last(self, topic: str) -> bytes | None:
        """The last payload of a topic, which the topic must serve."""
        last = self._inner.last(topic)
        return None if last is None else last.encode()

    def until(self, topic: str) -> Datetime | None:
        """The end of the last interval of a topic, where the next one begins."""
        until = self._inner.until(topic)
        return None if until is None else Datetime.parse(until)

    @property
    def waiting(self) -> int:
        """The payloads that were not accepted by all hubs yet."""
        return self._inner.waiting()


class _Callback(_Machine[_Inner]):
    def answer(
        self,
        method: str,
        path: str,
        query: str | bytes = b"",
        headers: Headers = (),
        body: bytes = b"",
        *,
        too_large: bool = False,
        stalled: bool = False,
    ) -> Turn:
        """Processes a request to the callback; the turn has a reply. The body must be the raw bytes, before any decoding.

        :param query: the query string after the ``?``, as sent.
        :param too_large: the body is longer than the part that was read.
        :param stalled: the body ended prematurely.
        """
        return self._turn("request", _request(method, path, query, headers, too_large=too_large, stalled=stalled), body)


class Subscriber(_Callback[_core.NotifySubscriber]):
    """Finds the channels of Sources, subscribes, renews, replies to hubs, and passes on notifications, in order.

    :param callback: the URI that all callbacks are below; it ends with a slash.
    :param kinds: kinds of channels to subscribe to; both by default.
    :param lease: the lease to request, in seconds; ten days by default.
    :param all_hubs: subscribe with every hub of a topic.
    :param allow_http: also send secrets to hubs without TLS.
    :param allow_sha1: also accept SHA-1 signatures.
    :param drop_unsigned: reply 202 to a delivery without a valid signature, and drop it; otherwise 403, and the hub retries.
    :param body_bytes: maximum bytes of a notification; 8 MiB by default.
    :param state: the state of an earlier instance. To reply to one request, the value ``channel:TOKEN`` of the callback is sufficient.
    :param clock: seconds since 1970.
    :param random: returns a given number of cryptographically secure random bytes.
    """

    def __init__(
        self,
        callback: str,
        *,
        kinds: Iterable[Channel] | None = None,
        lease: int | None = None,
        all_hubs: bool = False,
        allow_http: bool = False,
        allow_sha1: bool = False,
        drop_unsigned: bool = False,
        body_bytes: int | None = None,
        state: State | None = None,
        clock: Clock = time.time,
        random: Random = os.urandom,
    ) -> None:
        options: dict[str, Any] = {
            "callback": callback,
            "kinds": None if kinds is None else list(kinds),
            "lease": lease,
            "allHubs": all_hubs,
            "allowHttp": allow_http,
            "allowSha1": allow_sha1,
            "dropUnsigned": drop_unsigned,
            "bodyBytes": body_bytes,
        }
        super().__init__(lambda kept: _core.NotifySubscriber(json.dumps(options), kept), state, clock, random)

    def follow(self, uri: str) -> Turn:
        """Subscribes to the channels of a Source: by its Source Description, a Capability List, or a topic."""
        return self._turn("follow", {"uri": uri})

    def unfollow(self, uri: str) -> Turn:
        """Ends the subscriptions that ``follow`` started."""
        return self._turn("unfollow", {"uri": uri})

    def rotate(self, channel: str) -> Turn:
        """Moves a channel to another callback."""
        return self._turn("rotate", {"channel": channel})

    def pulled(self, set: str, *, is_news: bool) -> Turn:
        """Reports that the changes of a set were read; ``is_news`` if there were changes that had not been
        announced."""
        return self._turn("pulled", {"set": set, "isNews": is_news})


class Listener(_Callback[_core.NotifyListener]):
    """A subscriber that also decides when the copy of a Source is synchronized: quiet times, retries, polls, and notifications that are applied
    directly. ``resourcesync listen`` runs the same machine.

    The first input is :meth:`follow`, or :meth:`stop`. A turn may have an event :class:`Sync` or :class:`Apply`: run it, for example with
    :func:`resourcesync.sync`, while further inputs are processed, and pass its result to :meth:`ran`. There is one run at a time. After an :class:`End` there is
    nothing left to do.

    :param callback: the URI that all callbacks are below; it ends with a slash.
    :param copy: whether there is a copy.
    :param poll: the longest time between two runs, in seconds; an hour by default.
    :param direct: apply notifications without reading lists, where that is possible.
    :param kinds: kinds of channels to subscribe to; both by default.
    :param lease: the lease to request, in seconds; ten days by default.
    :param all_hubs: subscribe with every hub of a topic.
    :param allow_http: also send secrets to hubs without TLS.
    :param allow_sha1: also accept SHA-1 signatures.
    :param drop_unsigned: reply 202 to a delivery without a valid signature, and drop it; otherwise 403, and the hub retries.
    :param body_bytes: maximum bytes of a notification; 8 MiB by default.
    :param state: the state of an earlier instance.
    :param clock: seconds since 1970.
    :param random: returns a given number of cryptographically secure random bytes.

    >>> from resourcesync.notify import Listener
    >>> listener = Listener("https://me.example/rs/")
    >>> listener.follow("https://example.com/capabilitylist.xml").events
    (Sync(why=('start',), is_retry=False),)
    """

    def __init__(
        self,
        callback: str,
        *,
        copy: bool = True,
        poll: int | None = None,
        direct: bool = False,
        kinds: Iterable[Channel] | None = None,
        lease: int | None = None,
        all_hubs: bool = False,
        allow_http: bool = False,
        allow_sha1: bool = False,
        drop_unsigned: bool = False,
        body_bytes: int | None = None,
        state: State | None = None,
        clock: Clock = time.time,
        random: Random = os.urandom,
    ) -> None:
        options: dict[str, Any] = {
            "subscriber": {
                "callback": callback,
                "kinds": None if kinds is None else list(kinds),
                "lease": lease,
                "allHubs": all_hubs,
                "allowHttp": allow_http,
                "allowSha1": allow_sha1,
                "dropUnsigned": drop_unsigned,
                "bodyBytes": body_bytes,
            },
            "copy": {"poll": poll, "direct": direct} if copy else None,
        }
        super().__init__(lambda kept: _core.NotifyListener(json.dumps(options), kept), state, clock, random)

    def follow(self, *uris: str, rotate: bool = False) -> Turn:
        """Follows exactly these Sources; subscriptions to others end.

        :param rotate: move every channel to another callback.
        """
        return self._turn("follow", {"uris": list(uris), "rotate": rotate})

    def stop(self, *uris: str) -> Turn:
        """Ends the subscriptions to these Sources, or to all."""
        return self._turn("stop", {"uris": list(uris)})

    def ran(self, result: RunResult | SyncReport | None = None) -> Turn:
        """Reports the end of the run; ``None`` if there was none, or the notification cannot be applied."""
        return self._turn("ran", {"result": None if result is None else _run(result)})


class Hub(_Machine[_core.NotifyHub]):
    """A hub inside an application: accepts payloads from its Sources, verifies subscriptions, and delivers every payload to every subscriber in order.

    It has all rows of its ledger in memory: topics, payloads, subscriptions. ``turn.keep`` contains the changed ones, to be stored before the rest of the
    turn is performed; a reply of 200 promises that a payload is stored. One instance at a time may use a ledger. For more than a few thousand
    subscriptions run ``resourcesync hub serve``.

    Call ``tick`` at ``wait_until``, and once after a restart, to continue what was under way. Send each request with an address that :meth:`allows`.

    :param public_uri: the URI of the hub.
    :param topics: the topics whose payloads it accepts.
    :param publishers: the Sources.
    :param moved_to: the new URI of a hub that moved, to which subscribers are redirected.
    :param signature: the algorithm of the signatures of deliveries.
    :param ports: allowed ports of callbacks; 80, 443, 8080 and 8443 by default.
    :param allow: callbacks allowed although they are not public: ``10.1.0.0/16``, or ``receiver.internal:9000``.
    :param retry: seconds between attempts of a delivery; the last one repeats.
    :param give_up: seconds after which a payload becomes a dead letter; a day by default.
    :param retention: seconds that payloads are stored; a week by default.
    :param retention_bytes: maximum bytes of the stored payloads of a topic; 1 GiB by default.
    :param deliveries: maximum deliveries at the same time; 64 by default, and always at most 8 to one host.
    :param state: the state of an earlier instance.
    :param clock: seconds since 1970.
    :param random: returns a given number of cryptographically secure random bytes.

    >>> from resourcesync.notify import Hub, HubPublisher, HubTopic
    >>> hub = Hub(
    ...     "https://hub.example/",
    ...     [HubTopic("https://hub.example/t/changes", ["example"], serve=True)],
    ...     [HubPublisher("example", hmac="shared secret")],
    ... )
    >>> hub.answer("198.51.100.7", "GET", "/t/changes").reply.status
    200
    """

    def __init__(
        self,
        public_uri: str,
        topics: Iterable[HubTopic],
        publishers: Iterable[HubPublisher],
        *,
        moved_to: str | None = None,
        signature: Algorithm | None = None,
        ports: Iterable[int] | None = None,
        allow: Iterable[str] = (),
        retry: Iterable[int] | None = None,
        give_up: int | None = None,
        retention: int | None = None,
        retention_bytes: int | None = None,
        deliveries: int | None = None,
        state: State | None = None,
        clock: Clock = time.time,
        random: Random = os.urandom,
    ) -> None:
        options: dict[str, Any] = {
            "publicUri": public_uri,
            "movedTo": moved_to,
            "topics": [topic._plain() for topic in topics],
            "publishers": [publisher._plain() for publisher in publishers],
            "signature": signature,
            "ports": None if ports is None else list(ports),
            "allow": list(allow),
            "retry": None if retry is None else list(retry),
            "giveUp": give_up,
            "retention": retention,
            "retentionBytes": retention_bytes,
            "deliveries": deliveries,
        }
        super().__init__(lambda kept: _core.NotifyHub(json.dumps(options), kept), state, clock, random)

    def answer(
        self,
        client: str,
        method: str,
        path: str,
        query: str | bytes = b"",
        headers: Headers = (),
        body: bytes = b"",
        *,
        too_large: bool = False,
        stalled: bool = False,
    ) -> Turn:
        """Processes a request to the hub or to a topic that it serves; the turn has a reply. The body must be the raw bytes, before any decoding.

        :param client: the address of the client, for rate limits.
        :param query: the query string after the ``?``, as sent.
        :param too_large: the body is longer than the part that was read.
        :param stalled: the body ended prematurely.
        """
        request = _request(method, path, query, headers, too_large=too_large, stalled=stalled)
        return self._turn("request", {"client": client, "request": request}, body)

    def failed(self, request: Request | int, reason: str | Reason, *, sent: bool = True) -> Turn:
        """Reports that a callback did not respond, with the reason in one line.

        :param sent: whether the callback received the request, or may have. A new callback that did is not asked for its confirmation again.
        """
        said = reason if isinstance(reason, str) else reason.code
        return self._turn("failed", {"id": _id(request), "reason": said, "sent": sent})

    def allows(self, uri: str, address: str) -> bool:
        """Whether a request to a callback may be sent to this address of its host: a public one, or one of ``allow``.

        Connect to the address that was checked, at every attempt.
        """
        return self._inner.allows(uri, address)

    def replay(self, from_: int, *, subscription: int | None = None, topic: str | None = None, host: str | None = None) -> Turn:
        """Delivers the stored payloads from this number again."""
        return self._turn("order", {"replay": {"target": _target(subscription, topic, host), "from": from_}})

    def deny(self, reason: str = "", *, subscription: int | None = None, topic: str | None = None, host: str | None = None) -> Turn:
        """Ends subscriptions, and informs the subscribers. A host, such as ``receiver.example:443``, stays denied."""
        return self._turn("order", {"deny": {"target": _target(subscription, topic, host), "reason": reason}})

    def allow(self, host: str) -> Turn:
        """Accepts subscriptions of a denied host again."""
        return self._turn("order", {"allow": {"host": host}})

    def pause(self, topic: str | None = None) -> Turn:
        """Delivers nothing of a topic, or of all, but accepts payloads."""
        return self._turn("order", {"pause": {"topic": topic}})

    def resume(self, topic: str | None = None) -> Turn:
        """Delivers again."""
        return self._turn("order", {"resume": {"topic": topic}})

    def prune(self, before: Moment) -> Turn:
        """Removes payloads and dead letters older than a moment."""
        return self._turn("order", {"prune": {"before": written(before)}})


def sign(algorithm: Algorithm, secret: bytes, body: bytes) -> str:
    """The value of ``X-Hub-Signature`` for a body."""
    return _core.notify_sign(algorithm, secret, body)


def verify(
    secret: bytes,
    headers: str | Iterable[str],
    body: bytes,
    *,
    algorithms: Iterable[Algorithm] = ("sha256", "sha384", "sha512"),
) -> Algorithm | None:
    """The algorithm of a valid signature among the values of ``X-Hub-Signature``; ``None`` if none is valid.

    Compares in constant time.
    """
    is_right, name = _verified(secret, headers, body, algorithms)
    return cast("Algorithm", name) if is_right else None


def signature_error(
    secret: bytes,
    headers: str | Iterable[str],
    body: bytes,
    *,
    algorithms: Iterable[Algorithm] = ("sha256", "sha384", "sha512"),
) -> SignatureError | None:
    """Why :func:`verify` returns ``None``, for logs; ``None`` if the signature is right."""
    is_right, name = _verified(secret, headers, body, algorithms)
    return None if is_right else cast("SignatureError", name)


def _verified(secret: bytes, headers: str | Iterable[str], body: bytes, algorithms: Iterable[Algorithm]) -> tuple[bool, str]:
    values = [headers] if isinstance(headers, str) else list(headers)
    return _core.notify_verify(secret, values, body, list(algorithms))


def read(body: bytes, kind: Channel = "change-notification") -> Notification:
    """Reads a notification document: its interval, its changes, and its errors."""
    text, report = _core.notify_read(body, kind)
    return to_notification(json.loads(text), body, report)


def announce(
    changes: Iterable[NotifiedChange],
    from_: Moment,
    until: Moment,
    *,
    capability_list: str | None = None,
    max_bytes: int | None = None,
    max_entries: int | None = None,
) -> list[Notification]:
    """The Change Notifications of an interval, in order; none if there are no changes.

    The intervals of a channel are contiguous: ``from_`` is the end of the last one, :meth:`Publisher.until`.

    :param capability_list: the URI of the Capability List of the set.
    :param max_bytes: maximum bytes of a payload; 1,000,000 by default.
    :param max_entries: maximum entries of a payload; 10,000 by default.
    :raises RefusedError: if a change has no datetime within the interval, or validation would report another finding.

    >>> from resourcesync import NotifiedChange, notify
    >>> created = NotifiedChange("https://example.com/1", "created", "2026-11-21T09:00:00Z")
    >>> [each.entries for each in notify.announce([created], "2026-11-21T08:55:00Z", "2026-11-21T09:05:00Z")]
    [1]
    """
    options = {"capabilityList": capability_list, "bytes": max_bytes, "entries": max_entries}
    made = _core.notify_announce(written(from_), written(until), list(changes), json.dumps(options))
    return [to_notification(json.loads(text), body or b"", None) for text, body in made]


def announce_documents(
    before: Iterable[PublishedDocument],
    after: Iterable[PublishedDocument],
    at: Moment | None = None,
    *,
    capability_list: str | None = None,
    source_description: str | None = None,
) -> list[Notification]:
    """The Framework Notifications about the documents changed between two publications of a set; none if there are none."""
    old, new = (json.dumps([each._plain() for each in documents]) for documents in (before, after))
    options = {"capabilityList": capability_list, "sourceDescription": source_description}
    made = _core.notify_announce_documents(old, new, None if at is None else written(at), json.dumps(options))
    return [to_notification(json.loads(text), body or b"", None) for text, body in made]


def topic_reply(topic: Topic, method: str, *, if_none_match: str | None = None, last: bytes | None = None) -> Reply:
    """The response of a topic: the last payload, or an empty body before the first."""
    text, body = _core.notify_topic_reply(json.dumps(topic._plain()), method, if_none_match, last)
    return to_reply(json.loads(text), body)


Send = Callable[[Request], "tuple[int, Headers, bytes]"]


def drive(
    machine: Publisher | Subscriber | Listener | Hub,
    turn: Turn,
    send: Send,
    keep: Callable[[Mapping[str, Any]], object],
) -> tuple[list[Event], Datetime | None]:
    """Sends the requests of a turn, and those that follow, one at a time. Returns the events, and the time to call ``tick``.

    :param send: sends one request, without following redirects, and returns status, header fields and body. It raises ``OSError`` if there is no
        response.
    :param keep: stores the values of a turn; called before the requests of that turn are sent.
    """
    events: list[Event] = []
    waiting: list[Request] = []
    while True:
        if turn.keep:
            keep(turn.keep)
        events.extend(turn.events)
        waiting.extend(turn.requests)
        if not waiting:
            return events, turn.wait_until
        request = waiting.pop(0)
        try:
            status, headers, body = send(request)
        except OSError as error:
            turn = machine.failed(request, " ".join(str(error).split())[:200] or type(error).__name__)
        else:
            turn = machine.responded(request, status, headers, body)


def _id(request: Request | int) -> int:
    return request if isinstance(request, int) else request.id


def _run(result: RunResult | SyncReport) -> dict[str, Any]:
    """The result of a run as plain values."""
    if isinstance(result, RunResult):
        changed, unfinished = result.changed, result.unfinished
    else:
        counts = result.counts
        changed = counts.created + counts.updated + counts.deleted
        unfinished = counts.failed + counts.deferred + counts.conflicts + counts.left
    return {"outcome": result.outcome, "asOf": result.as_of, "changed": changed, "unfinished": unfinished}


def _target(subscription: int | None, topic: str | None, host: str | None) -> dict[str, Any]:
    given = {"subscription": subscription, "topic": topic, "host": host}
    target = {name: value for name, value in given.items() if value is not None}
    if len(target) != 1:
        raise ConfigError("exactly one of subscription, topic and host is required")
    return target


def _request(method: str, path: str, query: str | bytes, headers: Headers, *, too_large: bool, stalled: bool) -> dict[str, Any]:
    """An incoming request as plain values."""
    text = query if isinstance(query, str) else query.decode("latin-1")
    request: dict[str, Any] = {"id": 1, "method": method, "path": path, "query": _text(text)}
    request["headers"] = _fields(headers)
    if too_large:
        request["tooLarge"] = True
    if stalled:
        request["stalled"] = True
    return request


def _fields(headers: Headers) -> list[tuple[str, str]]:
    return list(cast("Mapping[str, str]", headers).items() if isinstance(headers, Mapping) else headers)


def _text(text: str) -> str | dict[str, str]:
    """Bytes in the form of the JSON: text, or hexadecimal if they are not UTF-8."""
    if text.isascii():
        return text
    try:
        return {"hex": text.encode("latin-1").hex()}
    except UnicodeEncodeError:
        return {"hex": text.encode("utf-8", "surrogatepass").hex()}
