"""Notifications: the transcripts that are also run in Rust, and the callback in web frameworks."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import hmac
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import resourcesync as rs
from conftest import CORPUS
from resourcesync import notify

TRANSCRIPTS = sorted((CORPUS / "notify").glob("**/*.transcript"))
PAYLOADS = {path.stem: path.read_bytes() for path in (CORPUS / "notify" / "payloads").glob("*.xml")}
NAMES = {payload: name for name, payload in PAYLOADS.items()}
CALLBACK = "https://me.example/rs/"
NOW = 1_795_251_600.0


class Player:
    """Runs a transcript: inputs, and outputs as JSON."""

    def __init__(self, line: str) -> None:
        self.kind, _, options = line.partition(" ")
        self.options: dict[str, Any] = json.loads(options or "{}")
        self.state: dict[str, Any] = {}
        self.now = 0.0
        self.counter = 0
        self.challenge = ""
        self.machine: Any = None
        self.restart()

    def random(self, count: int) -> bytes:
        made = bytes((self.counter + each) % 256 for each in range(count))
        self.counter = (self.counter + count) % 256
        return made

    def restart(self) -> None:
        settings: dict[str, Any] = {"state": self.state, "clock": lambda: self.now, "random": self.random}
        options = {snake(name): value for name, value in self.options.items()}
        if self.kind == "publisher":
            credentials = [(each["origin"], each["name"], each["value"]) for each in options.pop("credentials", ())]
            self.machine = notify.Publisher(credentials=credentials, **options, **settings)
        elif self.kind == "subscriber":
            self.machine = notify.Subscriber(options.pop("callback"), **options, **settings)
        elif self.kind == "listener":
            subscriber: dict[str, Any] = options.pop("subscriber")
            copy: dict[str, Any] | None = options.pop("copy", None)
            own = {snake(name): value for name, value in {**subscriber, **(copy or {})}.items()}
            self.machine = notify.Listener(own.pop("callback"), copy=copy is not None, **own, **settings)
        elif self.kind == "hub":
            topics = [notify.HubTopic(**each) for each in options.pop("topics")]
            publishers = [notify.HubPublisher(**{snake(name): value for name, value in each.items()}) for each in options.pop("publishers")]
            self.machine = notify.Hub(options.pop("public_uri"), topics, publishers, **options, **settings)

    def take(self, given: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
        ((name, said),) = given.items()
        if self.machine is None:
            return [verb(name, said)]
        if self.kind == "hub":
            return self.step(given)
        # What the methods are given is what the machine is given; here the order of outputs counts too.
        body = said.pop("body", None)
        content = None if body is None else as_bytes(body)
        try:
            turned = self.machine._inner.turn(round(self.now * 1000), self.random, json.dumps({name: said}), content)
        except rs.RefusedError as error:
            return [{"rejected": {"report": [each.code for each in error.diagnostics]}}]
        outputs: list[dict[str, Any]] = []
        for text, content in turned:
            output = json.loads(text)
            ((kind, value),) = output.items()
            if content:
                value["body"] = contracted(content)
            if kind == "notified":
                value["body"] = contracted(content)
            outputs.append(output)
        return outputs

    def step(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        """An input of the state machine of a hub alone: its transcripts name the subscriptions whose turn it is."""
        outputs: list[dict[str, Any]] = []
        for text, content in self.machine._inner.step(round(self.now * 1000), self.random, json.dumps(self.challenged(given))):
            output = json.loads(text)
            ((kind, value),) = output.items()
            if content:
                value["body"] = contracted(content)
            if kind == "send" and "hub.challenge=" in value["uri"]:
                self.challenge = value["uri"].split("hub.challenge=")[1].split("&")[0]
            outputs.append(output)
        return outputs

    def challenged(self, value: Any) -> Any:
        """With the challenge that the hub sent last."""
        if isinstance(value, str) and value.split(" ")[0] == "@challenge":
            return self.challenge + value.removeprefix("@challenge").removeprefix(" ")
        if isinstance(value, dict):
            return {name: self.challenged(each) for name, each in cast("dict[str, Any]", value).items()}
        return value


def snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def as_bytes(body: str | dict[str, str]) -> bytes:
    return bytes.fromhex(body["hex"]) if isinstance(body, dict) else body.encode()


def contracted(body: bytes) -> str | dict[str, str]:
    if body in NAMES:
        return f"@{NAMES[body]}"
    try:
        return body.decode()
    except UnicodeDecodeError:
        return {"hex": body.hex()}


def expanded(value: Any) -> Any:
    if isinstance(value, str) and value.startswith("@") and value.split(" ")[0] != "@challenge":
        parts = value[1:].split(" ")
        if parts[0] == "sign":
            return notify.sign(parts[1], parts[2].encode(), PAYLOADS[parts[3]])  # type: ignore[arg-type]
        return PAYLOADS[parts[0]].decode()
    values = cast("list[Any]", value)
    if isinstance(value, list):
        return [expanded(each) for each in values]
    if isinstance(value, dict):
        return {name: expanded(each) for name, each in cast("dict[str, Any]", value).items()}
    return value


def shown(value: Any) -> Any:
    """As transcripts write it: reports by their codes, what was kept by its name."""
    if isinstance(value, str):
        return contracted(value.encode()) if value.encode() in NAMES else value
    values = cast("list[Any]", value)
    if isinstance(value, list):
        return [shown(each) for each in values]
    if isinstance(value, dict):
        made: dict[str, Any] = {}
        for name, each in cast("dict[str, Any]", value).items():
            if name == "keep" and each["value"] is not None:
                made[name] = {"key": each["key"]}
            elif name == "report" and isinstance(each, dict):
                made[name] = [found["code"] for found in cast("dict[str, Any]", each)["diagnostics"]]
            else:
                made[name] = shown(each)
        return made
    return value


def plain(notification: notify.Notification) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": notification.kind, "digest": notification.digest, "entries": notification.entries}
    for name, moment in (("from", notification.from_), ("until", notification.until)):
        if moment is not None:
            made[name] = moment.raw
    if notification.changes:
        made["changes"] = list(notification.changes)
    if notification.report is not None:
        made["report"] = notification.report.to_dict()
    return made


def verb(name: str, said: dict[str, Any]) -> dict[str, Any]:
    """A function without a state machine."""
    if name == "sign":
        return {"signature": notify.sign(said["algorithm"], said["secret"].encode(), said["body"].encode())}
    if name == "verify":
        signed = (said["secret"].encode(), said["headers"], said["body"].encode())
        return {"verified": notify.verify(*signed) or notify.signature_error(*signed)}
    if name == "read":
        return {"read": plain(notify.read(said["body"].encode(), said["kind"]))}
    options = {snake(each): value for each, value in said.get("options", {}).items()}
    renamed = {"bytes": "max_bytes", "entries": "max_entries"}
    options = {renamed.get(each, each): value for each, value in options.items()}
    try:
        if name == "announce":
            changes = [rs.NotifiedChange(**{"type" if key == "type" else snake(key): value for key, value in each.items()}) for each in said["changes"]]
            made = notify.announce(changes, said["from"], said["until"], **options)
        elif name == "announceDocuments":
            before, after = ([notify.PublishedDocument(**each) for each in said[side]] for side in ("before", "after"))
            made = notify.announce_documents(before, after, said.get("datetime"), **options)
        else:
            topic = notify.Topic(said["topic"]["uri"], said["topic"]["hubs"], said["topic"].get("capabilityList"))
            last = said["last"].encode() if said.get("last") is not None else None
            reply = notify.topic_reply(topic, said["method"], if_none_match=said.get("ifNoneMatch"), last=last)
            replied: dict[str, Any] = {"id": 0, "status": reply.status, "headers": [list(each) for each in reply.headers]}
            return {"reply": {**replied, "body": reply.body.decode()} if reply.body else replied}
    except (rs.RefusedError, rs.ConfigError) as error:
        return {"refused": str(error)}
    return {"payloads": [{**plain(each), "body": each.body.decode()} for each in made]}


def difference(transcript: str) -> Iterator[tuple[Any, Any]]:
    """The differences between expected and actual output."""
    player: Player | None = None
    came: list[dict[str, Any]] = []
    for line in transcript.splitlines():
        word, _, rest = line.partition(" ")
        if word == "out":
            written, played = json.loads(rest), shown(came.pop(0)) if came else None
            if isinstance(written, dict) and "refused" in written and isinstance(written["refused"], str) and played:
                # An exception has the same finding, with its place in other words and how to fix it.
                finding = written["refused"].split(", entry ")[0]
                played = {"refused": written["refused"]} if str(played.get("refused")).startswith(finding) else played
            if written != played:
                yield written, played
            continue
        if came:
            yield None, came
        came = []
        if word == "machine":
            player = Player(rest)
        elif player is None or word in ("", "#"):
            continue
        elif word == "at":
            player.now = rs.Datetime.parse(rest).timestamp()
        elif word == "restart":
            player.options = json.loads(rest) if rest else player.options
            player.restart()
        elif word == "crash":
            player.take(expanded(json.loads(rest)))
            player.restart()
        elif word == "in":
            came = player.take(expanded(json.loads(rest)))
            for output in came:
                if "keep" in output:
                    key, value = output["keep"]["key"], output["keep"]["value"]
                    player.state.pop(key, None) if value is None else player.state.__setitem__(key, value)
            # The rows of a hub are not in its transcripts: what counts is that they suffice for a restart.
            if player.kind == "hub":
                came = [output for output in came if "keep" not in output]
    if came:
        yield None, came


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[path.stem for path in TRANSCRIPTS])
def test_transcripts_come_out_as_they_are_written(path: Path) -> None:
    assert list(difference(path.read_text(encoding="utf-8"))) == []


def test_signatures_are_those_of_the_standard_library() -> None:
    algorithms: tuple[notify.Algorithm, ...] = ("sha1", "sha256", "sha384", "sha512")
    for algorithm in algorithms:
        for secret, body in ((b"k", b""), (b"k" * 300, b"x" * 10_000), (bytes(range(256)), b"\x00\xff")):
            expected = f"{algorithm}={hmac.new(secret, body, getattr(hashlib, algorithm)).hexdigest()}"
            assert notify.sign(algorithm, secret, body) == expected
            assert notify.verify(secret, expected, body, algorithms=algorithms) == algorithm
            assert notify.verify(secret, expected, body + b"x", algorithms=algorithms) is None


def answer(request: notify.Request) -> tuple[int, list[tuple[str, str]], bytes]:
    """A Source and its hub."""
    if request.uri.endswith("capabilitylist.xml"):
        return 200, [("Content-Type", "application/xml")], PAYLOADS["capabilities-changes"]
    if request.method == "HEAD":
        return 200, [("Link", '<https://example.com/changes>; rel="self", <https://hub.example/>; rel="hub"')], b""
    return 202, [], b""


def subscribed() -> tuple[dict[str, Any], str, str]:
    """The state of a subscriber with a pending request, the path of its callback, and its secret."""
    subscriber = notify.Subscriber(CALLBACK, kinds=["change-notification"], clock=lambda: NOW)
    asked: list[notify.Request] = []

    def send(request: notify.Request) -> tuple[int, list[tuple[str, str]], bytes]:
        asked.append(request)
        return answer(request)

    kept: dict[str, Any] = {}
    events, until = notify.drive(subscriber, subscriber.follow("https://example.com/capabilitylist.xml"), send, kept.update)
    assert [type(each) for each in events] == [notify.Changed] and until is not None
    from urllib.parse import parse_qs, urlsplit

    form = parse_qs(asked[-1].body.decode())
    assert kept == subscriber.state
    return subscriber.state, urlsplit(form["hub.callback"][0]).path, form["hub.secret"][0]


def test_a_subscriber_is_verified_and_notified_across_restarts() -> None:
    state, path, secret = subscribed()
    clock: notify.Clock = lambda: NOW + 2  # noqa: E731
    query = "hub.mode=subscribe&hub.topic=https%3A%2F%2Fexample.com%2Fchanges&hub.challenge=c&hub.lease_seconds=864000"
    first = notify.Subscriber(CALLBACK, kinds=["change-notification"], state=state, clock=clock)
    turn = first.answer("GET", path, query)
    assert turn.reply is not None and (turn.reply.status, turn.reply.body) == (200, b"c")
    assert [each.why for each in turn.events if isinstance(each, notify.Pull)] == ["subscribed"]
    second = notify.Subscriber(CALLBACK, kinds=["change-notification"], state=first.state, clock=clock)
    body = PAYLOADS["changes-1"]
    turn = second.answer("POST", path, headers={"X-Hub-Signature": notify.sign("sha256", secret.encode(), body)}, body=body)
    assert turn.reply is not None and turn.reply.status == 202 and turn.keep
    (notified,) = (each for each in turn.events if isinstance(each, notify.Notified))
    assert notified.notification.body == body
    assert second.answer("POST", path, body=body).reply.status == 403  # type: ignore[union-attr]


def test_a_publisher_continues_from_its_state() -> None:
    topic = notify.Topic("https://example.com/changes", ["https://hub.example/"])
    one = notify.Publisher(clock=lambda: 0.0)
    (request,) = one.publish(topic, PAYLOADS["changes-1"]).requests
    assert (request.method, request.uri, request.body) == ("POST", "https://hub.example/", PAYLOADS["changes-1"])
    (postponed,) = one.failed(request, "connection refused").events
    assert isinstance(postponed, notify.Postponed) and postponed.reason.args == {"text": "connection refused"}
    two = notify.Publisher(state=one.state, clock=lambda: 1_000.0)
    (again,) = two.tick().requests
    assert again.body == request.body and two.waiting == 1
    (sent,) = two.responded(again, 200).events
    assert isinstance(sent, notify.Sent) and two.waiting == 0
    assert two.last(topic.uri) == PAYLOADS["changes-1"] and str(two.until(topic.uri)) == str(notify.read(PAYLOADS["changes-1"]).until)
    with pytest.raises(rs.RefusedError):
        two.publish(topic, b"<urlset/>")


def test_misuse_is_named() -> None:
    with pytest.raises(rs.ConfigError, match="slash"):
        notify.Subscriber("https://me.example/rs")
    with pytest.raises(rs.ConfigError, match="later"):
        notify.Publisher(state={"later": {"version": 1}})
    with pytest.raises(ValueError, match="another number"):
        subscriber = notify.Subscriber(CALLBACK, random=lambda count: b"")
        turn = subscriber.follow("https://example.com/capabilitylist.xml")
        notify.drive(subscriber, turn, answer, lambda keep: None)


# The hub.

HUB = "https://hub.example/"
TOPIC = "https://hub.example/t/changes"


def hub_of(state: dict[str, Any] | None = None, **options: Any) -> notify.Hub:
    topics, publishers = [notify.HubTopic(TOPIC, ["example"])], [notify.HubPublisher("example", hmac="s3cret")]
    return notify.Hub(HUB, topics, publishers, state=state, clock=lambda: NOW, **options)


def submit(hub: notify.Hub, name: str) -> notify.Turn:
    body = PAYLOADS[name]
    headers = {"Content-Type": "application/xml", "Link": f'<{TOPIC}>; rel="self", <{HUB}>; rel="hub"'}
    turn = hub.answer("198.51.100.7", "POST", "/", headers={**headers, "X-Hub-Signature": notify.sign("sha256", b"s3cret", body)}, body=body)
    assert turn.reply is not None and turn.reply.status == 200, turn.reply
    return turn


def subscribe(hub: notify.Hub, number: int, host: str = "me.example") -> None:
    from urllib.parse import parse_qs, urlencode, urlsplit

    form = urlencode({"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.callback": f"https://{host}/{number}"}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    (asked,) = hub.answer(f"198.51.100.{number}", "POST", "/", headers=headers, body=form).requests
    assert (asked.method, asked.purpose) == ("GET", "verification")
    hub.responded(asked, 200, (), parse_qs(urlsplit(asked.uri).query)["hub.challenge"][0].encode())


def test_a_hub_delivers_to_all_subscribers_in_order_and_to_one_host_some_at_a_time() -> None:
    hub = hub_of()
    # The limit of unverified requests to one host.
    for number in range(10):
        subscribe(hub, number)
    subscribe(hub, 10, "other.example")
    received: list[tuple[str, bytes]] = []
    waiting = [*submit(hub, "changes-1").requests, *submit(hub, "changes-2").requests]
    assert [each.uri.split("/")[2] for each in waiting].count("me.example") == 8 and len(waiting) == 9
    while waiting:
        request = waiting.pop(0)
        assert request.purpose == "delivery"
        received.append((request.uri, request.body))
        waiting.extend(hub.responded(request, 204).requests)
    assert len(received) == 22
    for callback in {uri for uri, _ in received}:
        assert [body for uri, body in received if uri == callback] == [PAYLOADS["changes-1"], PAYLOADS["changes-2"]]


def test_a_hub_continues_from_its_state() -> None:
    one = hub_of()
    subscribe(one, 1)
    (lost,) = submit(one, "changes-1").requests
    # The process ends before it knows the outcome; the rows went through a store.
    two = hub_of(json.loads(json.dumps(one.state)))
    late = two.responded(lost, 204)
    (again,) = late.requests
    assert late.events == () and (again.uri, again.body) == (lost.uri, lost.body)
    (event,) = two.responded(again, 500).events
    assert isinstance(event, notify.HubEvent) and (event.kind, event.detail) == ("failed", "payload 1, attempt 1: status 500")
    three = hub_of(two.state)
    assert three.tick().requests == ()
    assert three.tick().wait_until is not None


@pytest.mark.parametrize(("options", "again"), [({}, 0), ({"sent": True}, 0), ({"sent": False}, 1)])
def test_a_callback_that_may_have_received_a_verification_is_not_asked_again(options: dict[str, bool], again: int) -> None:
    from urllib.parse import urlencode

    now = [NOW]
    topics, publishers = [notify.HubTopic(TOPIC, ["example"])], [notify.HubPublisher("example", hmac="s3cret")]
    hub = notify.Hub(HUB, topics, publishers, clock=lambda: now[0])
    form = urlencode({"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.callback": "https://me.example/1"}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    (asked,) = hub.answer("198.51.100.7", "POST", "/", headers=headers, body=form).requests
    hub.failed(asked, "reset", **options)
    now[0] += 60
    assert len(hub.tick().requests) == again


def test_orders_to_a_hub_return_what_they_concerned() -> None:
    hub = hub_of()
    subscribe(hub, 1)
    (request,) = submit(hub, "changes-1").requests
    hub.responded(request, 200)
    replayed = hub.replay(1, topic=TOPIC)
    assert replayed.events[-1:] == (notify.Ordered(1),) or notify.Ordered(1) in replayed.events
    assert [each.body for each in replayed.requests] == [PAYLOADS["changes-1"]]
    assert notify.Ordered(None) in hub.replay(1, subscription=99).events
    hub.pause()
    assert submit(hub, "changes-2").requests == ()
    hub.responded(replayed.requests[0], 200)
    assert [each.body for each in hub.resume().requests] == [PAYLOADS["changes-2"]]
    denied = hub.deny("too slow", host="me.example:443")
    assert [each.purpose for each in denied.requests] == ["denial"] and "denied:me.example:443" in hub.state
    assert hub.allow("me.example:443").keep == {"denied:me.example:443": None}
    with pytest.raises(rs.ConfigError, match="exactly one"):
        hub.replay(1)


def test_a_hub_allows_public_addresses_and_what_the_application_allowed() -> None:
    hub = hub_of(allow=["10.1.0.0/16", "receiver.internal:9000"])
    assert hub.allows("https://me.example/", "93.184.215.14")
    assert not any(hub.allows("https://me.example/", each) for each in ("127.0.0.1", "::ffff:7f00:1", "169.254.169.254", "10.2.0.1", "nonsense"))
    assert not hub.allows("https://me.example:22/", "93.184.215.14")
    assert hub.allows("https://me.example/", "10.1.2.3") and hub.allows("http://receiver.internal:9000/", "192.168.0.1")


def test_a_hub_in_flask_delivers_what_a_source_sends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("flask")
    import http.server
    import threading
    from urllib.parse import parse_qs, urlencode, urlsplit

    received: list[bytes] = []
    got = threading.Event()

    class Callback(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(parse_qs(urlsplit(self.path).query)["hub.challenge"][0].encode())

        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()
            got.set()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Callback)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name, value in (("HUB", HUB), ("HUB_TOKEN", "t"), ("HUB_STORE", str(tmp_path / "hub.sqlite")), ("HUB_ALLOW", f"127.0.0.1:{server.server_port}")):
        monkeypatch.setenv(name, value)
    monkeypatch.delitem(sys.modules, "flask_hub", raising=False)
    import flask_hub

    client = flask_hub.app.test_client()
    form = urlencode({"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.callback": f"http://127.0.0.1:{server.server_port}/1"})
    assert client.post("/", data=form, content_type="application/x-www-form-urlencoded").status_code == 202
    threading.Thread(target=flask_hub.own.send, daemon=True).start()
    wait = functools.partial(threading.Event().wait, 0.01)
    while "subscription:2" not in flask_hub.own.hub.state:
        wait()
    headers = {"Link": f'<{TOPIC}>; rel="self", <{HUB}>; rel="hub"', "Authorization": "Bearer t"}
    assert client.post("/", data=PAYLOADS["changes-1"], content_type="application/xml", headers=headers).status_code == 200
    assert got.wait(60) and received == [PAYLOADS["changes-1"]]
    assert client.get("/t/changes").data == PAYLOADS["changes-1"]
    server.shutdown()
    server.server_close()


# The callback in web frameworks.

Ask = Callable[[str, str, "dict[str, str]", bytes], "tuple[int, list[tuple[str, str]], bytes]"]


@pytest.fixture(autouse=True)
def examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(Path(__file__).resolve().parents[1] / "examples"), *sys.path])
    monkeypatch.setenv("SUBSCRIPTIONS", str(tmp_path / "subscriptions.sqlite"))
    monkeypatch.setenv("CALLBACK", CALLBACK)
    for name in ("callback_store", "flask_callback", "django_callback", "starlette_callback"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def flask() -> Ask:
    pytest.importorskip("flask")
    import flask_callback

    client = flask_callback.app.test_client()

    def ask(method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        told = client.open(target, method=method, headers=headers, data=body)
        return told.status_code, list(told.headers.items()), told.data

    return ask


def django() -> Ask:
    pytest.importorskip("django")
    import django_callback
    from django.test import Client

    client = Client()

    def ask(method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        assert django_callback.urlpatterns
        kind = headers.get("Content-Type", "")
        told = client.generic(method, target, body, content_type=kind, headers={name: value for name, value in headers.items() if name != "Content-Type"})
        return told.status_code, list(told.headers.items()), told.content

    return ask


def starlette() -> Ask:
    pytest.importorskip("starlette")
    httpx = pytest.importorskip("httpx")
    import starlette_callback

    async def asked(method: str, target: str, headers: dict[str, str], body: bytes) -> Any:
        transport = httpx.ASGITransport(starlette_callback.app)
        async with httpx.AsyncClient(transport=transport, base_url="https://me.example") as client:
            return await client.request(method, target, headers=headers, content=body)

    def ask(method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        told = asyncio.run(asked(method, target, headers, body))
        return told.status_code, list(told.headers.multi_items()), told.content

    return ask


def callback_transcript() -> tuple[dict[str, Any], float, list[tuple[dict[str, Any], dict[str, Any]]]]:
    """The state before the first request to a callback, the time, and the requests with their replies."""
    requests: list[dict[str, Any]] = []
    replies: list[dict[str, Any]] = []
    state: dict[str, Any] | None = None
    player: Player | None = None
    for line in (CORPUS / "notify" / "S-19-callback.transcript").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "machine":
            player = Player(rest)
        assert player is not None or word == "#"
        if word == "at" and player is not None:
            player.now = rs.Datetime.parse(rest).timestamp()
        if word == "in" and player is not None:
            given = expanded(json.loads(rest))
            if "request" in given:
                state = dict(player.state) if state is None else state
                requests.append(given["request"])
                continue
            for output in player.take(given):
                if "keep" in output:
                    player.state[output["keep"]["key"]] = output["keep"]["value"]
        if word == "out" and "reply" in (said := json.loads(rest)):
            replies.append(said["reply"])
    assert state is not None and player is not None and len(requests) > 8
    assert [each["id"] for each in requests] == [each["id"] for each in replies]
    return state, player.now, list(zip(requests, replies))


@pytest.mark.parametrize("framework", [flask, django, starlette])
def test_a_callback_in_a_framework_replies_as_the_transcript_says(framework: Callable[[], Ask], monkeypatch: pytest.MonkeyPatch) -> None:
    state, now, exchanges = callback_transcript()
    monkeypatch.setattr(notify, "Subscriber", functools.partial(notify.Subscriber, clock=lambda: now))
    ask = framework()
    import callback_store

    callback_store.keep(state)
    for request, reply in exchanges:
        target = request["path"] + (f"?{request['query']}" if "query" in request else "")
        status, headers, body = ask(request["method"], target, dict(request.get("headers", ())), request.get("body", "").encode())
        # The length is the only field that a framework adds.
        fields = sorted((name.lower(), value) for name, value in headers if name.lower() != "content-length")
        expected = sorted((name.lower(), value) for name, value in reply["headers"])
        assert (status, fields, body) == (reply["status"], expected, reply.get("body", "").encode()), request["id"]
    assert [each["kind"] for each in callback_store.queued()] == ["pull", "notified", "pull"]


@pytest.mark.parametrize("framework", [flask, django, starlette])
def test_a_framework_passes_on_a_delivery_of_megabytes(framework: Callable[[], Ask], monkeypatch: pytest.MonkeyPatch) -> None:
    state, now, _ = callback_transcript()
    monkeypatch.setattr(notify, "Subscriber", functools.partial(notify.Subscriber, clock=lambda: now))
    ask = framework()
    import callback_store

    callback_store.keep(state)
    (channel,) = (key.removeprefix("channel:") for key in state if key.startswith("channel:"))
    # Without a signature it is the subscriber that rejects it, unless it is longer than 8 MiB.
    for size, expected in ((3_000_000, 403), (8 * 1024 * 1024, 403), (8 * 1024 * 1024 + 1, 413)):
        status, _, _ = ask("POST", f"/rs/{channel}", {"Content-Type": "application/xml"}, b"x" * size)
        assert status == expected, size


def test_a_response_that_is_cut_is_not_one() -> None:
    import http.server
    import threading

    class Cut(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "10")
            self.end_headers()
            self.wfile.write(b"0123456" if self.path == "/cut" else b"0123456789")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cut)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    request = functools.partial(notify.Request, 1, "GET", headers=(), body=b"", purpose=None)
    fetcher = rs.HttpFetcher(allow=[base])
    assert fetcher.exchange(request(uri=f"{base}/whole", most=100))[2] == b"0123456789"
    # No more is asked for than these: what follows does not matter.
    assert fetcher.exchange(request(uri=f"{base}/cut", most=5))[2] == b"01234"
    with pytest.raises(ConnectionError, match="3 bytes before"):
        fetcher.exchange(request(uri=f"{base}/cut", most=100))
    server.shutdown()
