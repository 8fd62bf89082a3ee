#!/usr/bin/env python3
"""From `resourcesync build` through `resourcesync hub serve` to three subscribers of the Python package: documents, signatures and Links are those
of the Source.

    tests/interop/build.py COMMAND
"""

import sys

from parties import Hub, OurSubscriber, eventually, expect


def main(command):
    subscribers = [OurSubscriber() for _ in range(3)]
    hub = Hub(command, [each.server.port for each in subscribers])
    try:
        # The first publication begins the intervals, and notifies nobody; a topic is empty before the first notification.
        hub.build("first")
        hub.build("second")
        sent = [hub.last()]
        for subscriber in subscribers:
            subscriber.follow(hub.topic)
            eventually("a subscriber is active", lambda own=subscriber: "active" in own.phases())
        for content in ("third", "fourth"):
            hub.build(content)
            sent.append(hub.last())
        signatures = set()
        for subscriber in subscribers:
            eventually("it is notified of what was built, in order", lambda own=subscriber: own.notified() == sent[1:])
            posts = [each for each in subscriber.server.requests if each[0] == "POST"]
            expect("every delivery is signed", all(headers["X-Hub-Signature"].startswith("sha256=") for _, _, headers, _ in posts))
            links = f'<{hub.topic}>; rel="self", <{hub.uri}>; rel="hub", <https://example.com/capabilitylist.xml>; rel="resourcesync"'
            expect("and has the Links of the topic", all(headers["Link"] == links for _, _, headers, _ in posts), [str(headers["Link"]) for _, _, headers, _ in posts])
            expect("nothing was found or pulled after the start", subscriber.of("Found") == [] and {each.why for each in subscriber.of("Pull")} == {"subscribed"}, subscriber.events)
            signatures.update(headers["X-Hub-Signature"] for _, _, headers, _ in posts)
        expect("every subscriber has a secret of its own", len(signatures) == 6, signatures)
    finally:
        hub.close()
        for each in subscribers:
            each.server.close()
    print("build, hub and three subscribers: all as expected")


if __name__ == "__main__":
    main(sys.argv[1])
