"""Publishes the events of each line, and answers."""

import json
import sys

import resourcesync as rs

for line in sys.stdin:
    task = json.loads(line)
    try:
        source = rs.Source(task["folder"], task["base"], rotate=task["rotate"], hubs=task["hubs"])
        with source.batch() as batch:
            for verb, uri, length in task["events"]:
                batch.delete(uri) if verb == "delete" else batch.upsert(rs.Resource(uri, length=length))
        source.publish(snapshot=task["snapshot"])
        print("published", flush=True)
    except Exception as error:
        print(repr(error), flush=True)
