"""The values of :mod:`resourcesync.notify`, and how they are made from the JSON of the extension module."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Union

from ._errors import ConfigError
from ._parts import Reason
from ._report import Report
from ._sync import SyncOutcome
from ._values import Datetime

Channel = Literal["change-notification", "framework-notification"]
Algorithm = Literal["sha1", "sha256", "sha384", "sha512"]
SignatureError = Literal["missing", "unknown-algorithm", "weak-algorithm", "wrong"]
State = dict[str, Any]
Headers = Union[Mapping[str, str], Iterable[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of a channel, the hubs to subscribe with, and the Capability List of its set."""

    uri: str
    hubs: Sequence[str]
    capability_list: str | None = None

    def _plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"uri": self.uri, "hubs": list(self.hubs)}
        return plain if self.capability_list is None else {**plain, "capabilityList": self.capability_list}


@dataclass(frozen=True, slots=True)
class HubTopic:
    """A topic of a hub: its URI, what it announces, and the names of the Sources that may send its payloads.

    With ``serve`` the hub also answers requests for the topic, whose URI must then have the host of the hub.
    """

    uri: str
    publishers: Sequence[str]
    kind: Channel = "change-notification"
    serve: bool = False

    def _plain(self) -> dict[str, Any]:
        return {"uri": self.uri, "kind": self.kind, "publishers": list(self.publishers), "serve": self.serve}


@dataclass(frozen=True, slots=True)
class HubPublisher:
    """A Source of a hub, which authenticates with a bearer token, or with signatures by a shared secret: either the SHA-256 of the token in
    hexadecimal, or the secret."""

    name: str
    token_sha256: str | None = None
    hmac: str | None = field(default=None, repr=False)

    def _plain(self) -> dict[str, Any]:
        return {"name": self.name, "tokenSha256": self.token_sha256, "hmac": self.hmac}


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send: exactly one exchange, without following redirects. At most ``most`` bytes of the response's body are needed."""

    id: int
    method: Literal["GET", "HEAD", "POST"]
    uri: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    most: int
    purpose: Literal["verification", "delivery", "denial"] | None = None
    """What a hub sends it for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to an incoming request: its status, header fields and body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification document: its kind, interval, identity, and the document itself. ``report`` contains its errors, if there are any."""

    kind: Channel
    digest: str
    entries: int
    body: bytes
    from_: Datetime | None = None
    until: Datetime | None = None
    changes: tuple[Mapping[str, Any], ...] = ()
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class Notified:
    """A notification from a channel. Its entries are unverified: fetch them only within the scope of the Source."""

    channel: str
    source: str
    topic: str
    capability_list: str | None
    notification: Notification


@dataclass(frozen=True, slots=True)
class Pull:
    """Changes may have been missed: read the Change Lists of this set, from ``from_`` until ``until`` if these are known."""

    set: str
    why: Literal["subscribed", "gap", "invalid", "safety"]
    from_: Datetime | None = None
    until: Datetime | None = None


@dataclass(frozen=True, slots=True)
class RereadDocument:
    """A document that changed."""

    uri: str
    capability: str
    change: Literal["created", "updated", "deleted"]
    index: str | None = None


@dataclass(frozen=True, slots=True)
class Reread:
    """Documents of a set changed: read them again."""

    set: str
    documents: tuple[RereadDocument, ...]


Trigger = Literal["gap", "invalid", "notified", "reread", "safety", "start", "subscribed"]


@dataclass(frozen=True, slots=True)
class Sync:
    """The copy has to be synchronized; ``is_retry`` if the last run did not reach what was announced, so that caches should not be used. Pass the result to
    :meth:`Listener.ran`."""

    why: tuple[Trigger, ...]
    is_retry: bool


@dataclass(frozen=True, slots=True)
class Apply:
    """A notification has to be applied to the copy: its changes continue what the copy has. Pass the result to :meth:`Listener.ran`."""

    channel: str
    topic: str
    capability_list: str
    body: bytes


@dataclass(frozen=True, slots=True)
class End:
    """There is nothing left to listen to."""

    why: Literal["noChannel", "denied", "unsubscribed", "unconfirmed"]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run on a copy: its outcome, the time of the state that the copy has, the resources that changed, and those that it could not
    bring up to date. A notification was applied completely if the outcome is ``incomplete``, since no list was read, and nothing is unfinished."""

    outcome: SyncOutcome
    as_of: str | None = None
    changed: int = 0
    unfinished: int = 0


@dataclass(frozen=True, slots=True)
class Changed:
    """A subscription changed; ``until`` is the end of its lease."""

    channel: str
    source: str
    topic: str
    hub: str
    kind: Channel
    phase: str
    until: Datetime | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A finding for the operator, by its code, such as ``HUB-05``."""

    code: str
    uri: str
    message: str
    channel: str | None = None
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A payload sent to a hub, by its number and the SHA-256 of its bytes."""

    topic: str
    hub: str
    payload: int
    digest: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A hub accepted a payload; ``odd_status`` is its status, if that is not 200 (WS-13)."""

    delivery: Delivery
    odd_status: int | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A hub refused a payload, and later payloads of the topic wait for it (HUB-01)."""

    delivery: Delivery
    status: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Postponed:
    """A hub could not be reached or accept a payload, which is sent again later (HUB-02)."""

    delivery: Delivery
    until: Datetime
    reason: Reason
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """The intervals of a topic have a gap (HUB-05) or overlap (HUB-06)."""

    topic: str
    expected: str
    from_: str


HubEventKind = Literal[
    "accepted",
    "repeated",
    "refused",
    "gap",
    "overlap",
    "subscribed",
    "ended",
    "unverified",
    "delivered",
    "failed",
    "dead-letter",
    "expired",
    "not-allowed",
    "unknown-topic",
]


@dataclass(frozen=True, slots=True)
class HubEvent:
    """Something for the logs of a hub. It has no secret, and of a callback only its host and a digest."""

    kind: HubEventKind
    topic: str | None = None
    callback: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Ordered:
    """The result of an order to a hub: how many subscriptions, topics or payloads it concerned; ``None`` if there is no such one."""

    count: int | None


Event = Union[Notified, Pull, Reread, Sync, Apply, End, Changed, Found, Sent, Refused, Postponed, Broken, HubEvent, Ordered]


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of one input.

    First store all of ``keep``: values by name, ``None`` to remove one. Then send ``requests`` and ``reply``, and pass ``events`` on. Call ``tick``
    at ``wait_until``, unless there is another input before.
    """

    keep: Mapping[str, Any] = field(default_factory=dict[str, Any])
    requests: tuple[Request, ...] = ()
    reply: Reply | None = None
    events: tuple[Event, ...] = ()
    wait_until: Datetime | None = None


@dataclass(frozen=True, slots=True)
class PublishedDocument:
    """A published document: its capability, its URI, the SHA-256 of its bytes in hexadecimal, and the index that lists it."""

    capability: str
    uri: str
    sha256: str
    index: str | None = None

    def _plain(self) -> dict[str, Any]:
        plain = {"capability": self.capability, "uri": self.uri, "sha256": self.sha256}
        return plain if self.index is None else {**plain, "index": self.index}


# Tracebacks show the public names.
for _class in (
    *(Topic, Request, Reply, Notification, Turn, PublishedDocument, HubTopic, HubPublisher, HubEvent, Ordered),
    *(Sync, Apply, End, RunResult),
    *(Notified, Pull, RereadDocument, Reread, Changed, Found, Delivery, Sent, Refused, Postponed, Broken),
):
    _class.__module__ = "resourcesync.notify"


def _moment(said: Mapping[str, Any], name: str) -> Datetime | None:
    return Datetime.parse(said[name]) if said.get(name) is not None else None


def _why(said: Mapping[str, Any]) -> Reason | None:
    given: str | dict[str, Any] | None = said.get("reason")
    if isinstance(given, str):
        return Reason("other", {"text": given})
    return None if given is None else Reason(given["code"], given.get("args", {}))


def to_reply(said: Mapping[str, Any], body: bytes | None) -> Reply:
    """A reply of the extension module."""
    return Reply(said["status"], tuple((each[0], each[1]) for each in said["headers"]), body or b"")


def to_notification(said: Mapping[str, Any], body: bytes, report: str | None) -> Notification:
    """A notification of the extension module, with its bytes and the JSON of its report."""
    return Notification(
        said["kind"],
        said["digest"],
        said["entries"],
        body,
        _moment(said, "from"),
        _moment(said, "until"),
        tuple(said.get("changes", ())),
        None if report is None else Report._of(report.encode(), "en"),
    )


def to_event(kind: str, said: dict[str, Any], body: bytes | None) -> Event:
    """An event of the extension module, of this kind."""
    if kind == "notified":
        found = to_notification(said, body or b"", None)
        return Notified(said["channel"], said["source"], said["topic"], said.get("capabilityList"), found)
    if kind == "pull":
        return Pull(said["set"], said["why"], _moment(said, "from"), _moment(said, "until"))
    if kind == "reread":
        names = ("uri", "capability", "change", "index")
        return Reread(said["set"], tuple(RereadDocument(**{name: each.get(name) for name in names}) for each in said["documents"]))
    if kind == "sync":
        return Sync(tuple(said["why"]), said["isRetry"])
    if kind == "apply":
        return Apply(said["channel"], said["topic"], said["capabilityList"], body or b"")
    if kind == "end":
        return End(said["why"])
    if kind == "changed":
        own = {name: said[name] for name in ("channel", "source", "topic", "hub", "kind", "phase")}
        return Changed(**own, until=_moment(said, "until"), reason=_why(said))
    if kind == "found":
        report = Report._of(json.dumps(said["report"]).encode(), "en") if "report" in said else None
        return Found(said["code"], said["uri"], said["message"], said.get("channel"), report)
    if kind == "event":
        return HubEvent(said["kind"], said.get("topic"), said.get("callback"), said.get("detail"))
    if kind == "ordered":
        return Ordered(said["count"])
    if kind == "broken":
        return Broken(said["topic"], said["expected"], said["from"])
    delivery = Delivery(said["topic"], said["hub"], said["payload"], said["digest"])
    if kind == "sent":
        return Sent(delivery, said.get("oddStatus"))
    why = _why(said) or Reason("other")
    if kind == "refused":
        return Refused(delivery, said["status"], why)
    if kind == "postponed":
        return Postponed(delivery, Datetime.parse(said["until"]), why, said.get("status"))
    raise ConfigError(f"`{kind}` is of a newer version")
