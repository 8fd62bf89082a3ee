"""A project of Django that follows a Source: its changes are applied exactly once, and its hubs are answered."""

from __future__ import annotations

import functools
import io
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "library.settings"
django.setup()

import resourcesync as rs
from django.core.management import CommandError, call_command
from django.test import Client
from django.test.utils import override_settings
from resourcesync import notify
from resourcesync.django.models import Followed, Held, Subscription

Thesis: Any = __import__("theses.models", fromlist=["Thesis"]).Thesis
partner: Any = __import__("theses.partner", fromlist=["apply"])
source, state, transcript = sys.argv[1:]
applied: list[str] = []
original = partner.apply


def apply(change: rs.AppliedChange) -> None:
    applied.append(f"{change.change} {change.uri.rpartition('/')[2]}")
    original(change)


partner.apply = apply
CALLBACK = "https://me.example/rs/"
FOLLOW = {"SOURCE": source, "STATE": state, "APPLY": "theses.partner.apply", "OPTIONS": {"max_delete": "100%", "limits": {"http_requests_per_second": 0}}}
SETTINGS = {"FOLLOW": {"partner": FOLLOW, "hub": {"SOURCE": source, "STATE": f"{state}2", "CALLBACK": CALLBACK}}}


def told(word: str) -> str:
    """The next state of the Source, which the test publishes."""
    print(word, flush=True)
    return sys.stdin.readline().strip()


def follow() -> list[str]:
    applied.clear()
    call_command("resourcesync", "follow", "partner", stdout=io.StringIO())
    return sorted(applied)


class Killed(BaseException):
    pass


with override_settings(RESOURCESYNC=SETTINGS):
    told("first")
    assert follow() == ["created a", "created b"] and follow() == []
    assert {held.uri.rpartition("/")[2] for held in Held.objects.all()} == {"a", "b"} and Thesis.objects.count() == 2

    # Killed between the transaction and its acknowledgement: the change is returned again, and not applied again.
    told("second")
    acknowledge = rs.Changes.done

    def killed(self: rs.Changes, changes: Iterable[rs.AppliedChange]) -> None:
        raise Killed

    setattr(rs.Changes, "done", killed)
    try:
        follow()
    except Killed:
        pass
    else:
        raise AssertionError
    assert sorted(applied) == ["created c", "updated a"]
    setattr(rs.Changes, "done", acknowledge)
    assert follow() == [] and Thesis.objects.count() == 3

    # An exception rolls back, and the next run applies.
    told("third")

    def failing(change: rs.AppliedChange) -> None:
        apply(change)
        raise ValueError("full")

    partner.apply = failing
    try:
        follow()
    except ValueError:
        pass
    else:
        raise AssertionError
    partner.apply = apply
    assert Thesis.objects.count() == 3 and Held.objects.count() == 3
    assert follow() == ["deleted b"] and Thesis.objects.count() == 2 and Held.objects.count() == 2

    # A database that was restored from an older backup lacks changes.
    newest = Followed.objects.get(name="partner").sequence
    Followed.objects.update(sequence=newest - 1)
    try:
        follow()
    except CommandError as error:
        assert "the database is older than" in str(error), error
    else:
        raise AssertionError
    Followed.objects.update(sequence=newest)
    assert follow() == []

    # Another state folder: everything is applied again.
    FOLLOW["STATE"] = f"{state}-new"
    assert follow() == ["created a", "created c"] and Thesis.objects.count() == 2

    # A Source that is away.
    told("gone")
    try:
        follow()
    except CommandError as error:
        assert "not in step" in str(error), error
    else:
        raise AssertionError

    # The callback, as the transcript says, in a store of the database.
    with open(transcript) as file:
        begin, now, exchanges = json.load(file)
    for key, value in begin.items():
        Subscription.objects.create(name="hub", key=key, value=value)
    notify.Subscriber = functools.partial(notify.Subscriber, clock=lambda: now)  # type: ignore[assignment, misc]
    client = Client()
    with override_settings(ROOT_URLCONF="library.acts", MIDDLEWARE=[], ALLOWED_HOSTS=["*"], DATA_UPLOAD_MAX_MEMORY_SIZE=9 << 20):
        for request, reply in exchanges:
            target = request["path"] + (f"?{request['query']}" if "query" in request else "")
            headers = dict(request.get("headers", ()))
            kind = headers.pop("Content-Type", "")
            answer = client.generic(request["method"], target, request.get("body", "").encode(), content_type=kind, headers=headers)
            fields = sorted((name.lower(), value) for name, value in answer.headers.items() if name.lower() != "content-length")
            expected = sorted((name.lower(), value) for name, value in reply["headers"])
            assert (answer.status_code, fields) == (reply["status"], expected), (request, answer.status_code, fields)
            assert answer.content == reply.get("body", "").encode()
    assert Followed.objects.get(name="hub").is_due
