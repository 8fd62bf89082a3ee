#!/usr/bin/env python3
"""Mutates documents of the corpus and compares well-formedness according to resourcesync and expat.

    scripts/xml-differential.py COMMAND [COUNT [NUMBER]]

COMMAND is the resourcesync program. Documents with a DOCTYPE are skipped, since they are rejected on purpose. Exits with 1 if a document that expat
rejects is well-formed for resourcesync, or one that expat accepts is rejected for a reason not listed below.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from xml.parsers import expat

BATCH = 500
# Requirements of Namespaces 1.0 and of the standard that expat does not check.
STRICTER = {
    "XML-35": "a version that is not 1.0",
}
# A character beyond Latin-1 in a name, or where expat looks for one.
FIFTH = re.compile(r"[<:\s/?&][\w:.-]*[^\x00-\xff][\w:.-]*[\s=>/?;]")
PARTS = [b"<", b">", b"&", b"&amp;", b"&#0;", b"&#x1F600;", b"]]>", b"<![CDATA[", b"<!--", b"--", b"-->", b"<?x y?>", b"<?xml?>", b'"', b"'", b"=",
         b" xmlns=''", b" xmlns:a='b'", b" xmlns:a=''", b" xml:lang='ja'", b"a:b", b":", b"</url>", b"<url/>", b"\x00", b"\x0b", b"\xff", b"\xc3\xa9",
         b"\xef\xbf\xbe", b"\xed\xa0\x80", b"\r", b"\t", b" ", b"/", b"xmlns:xml='http://www.w3.org/XML/1998/namespace'", b" a='1' a='2'"]


def mutated(seed, other, rnd):
    data = bytearray(seed)
    for _ in range(rnd.choice([1, 1, 1, 2, 3])):
        at = rnd.randrange(len(data) + 1)
        kind = rnd.randrange(6)
        if kind == 0 and at < len(data):
            data[at] = rnd.randrange(256)
        elif kind == 1:
            del data[at:at + rnd.choice([1, 1, 2, 8])]
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            start = rnd.randrange(len(other) + 1)
            data[at:at] = other[start:start + rnd.randrange(1, 40)]
        else:
            data[at:at] = rnd.choice(PARTS)
    return bytes(data)


def by_expat(data):
    """None if it is well-formed, otherwise the message of expat."""
    # A separator that no document can contain: expat rejects namespace names with it.
    parser = expat.ParserCreate(namespace_separator="\f")
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        return str(error)


def is_half_a_pair(data):
    """True for UTF-16 with a lone surrogate: expat does not check the second half of a pair."""
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff") or len(data) % 2:
        return False
    try:
        data.decode("utf-16")
    except UnicodeDecodeError:
        return True
    return False


def main():
    command, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    rnd = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    corpus = pathlib.Path(__file__).resolve().parent.parent / "target/corpus"
    seeds = [path.read_bytes() for path in sorted(corpus.rglob("*.xml"))]
    seeds = [seed for seed in seeds if len(seed) < 4000 and b"<!DOCTYPE" not in seed]
    tally, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        for first in range(0, count, BATCH):
            documents = []
            while len(documents) < min(BATCH, count - first):
                data = mutated(rnd.choice(seeds), rnd.choice(seeds), rnd)
                if b"<!DOCTYPE" not in data and not data.startswith(b"\x1f\x8b"):
                    documents.append(data)
            names = [str(path / f"{number}.xml") for number in range(len(documents))]
            for name, data in zip(names, documents):
                pathlib.Path(name).write_bytes(data)
            run = subprocess.run([command, "validate", "--no-config", "--format", "json", *names], capture_output=True)
            report = json.loads(run.stdout)
            ours = collections.defaultdict(list)
            for found in report["diagnostics"]:
                if re.match(r"GEN-01|INP|LIM|GEN-22", found["code"]):
                    ours[found["input"]].append(found)
            for own in report["inputs"]:
                data, reasons = documents[own["id"]], ours[own["id"]]
                refusals = (found for found in reasons if found["code"] in ("GEN-01", "GEN-22") and found["severity"] == "error")
                fault = next(refusals, None)
                # An unsupported encoding or a limit does not decide about well-formedness.
                beyond = any(re.match("INP|LIM|GEN-22", found["code"]) for found in reasons)
                theirs = by_expat(data)
                if theirs and fault:
                    tally["both refuse"] += 1
                elif not theirs and not fault:
                    tally["both accept" if not beyond else "beyond what is read"] += 1
                elif theirs and (beyond or re.search("encoding", theirs)):
                    tally["beyond what is read"] += 1
                elif fault and fault["code"] == "GEN-22":
                    tally["not UTF-8"] += 1
                elif fault and fault["args"].get("detail") in STRICTER:
                    tally["stricter: " + STRICTER[fault["args"]["detail"]]] += 1
                elif fault and is_half_a_pair(data):
                    tally["stricter: half a surrogate pair in UTF-16"] += 1
                elif theirs and re.search("token", theirs) and FIFTH.search(data.decode("utf-8", "replace")):
                    tally["names of the fifth edition, which expat does not know"] += 1
                else:
                    wrong += 1
                    said = f"{fault['args'].get('detail')} {fault['message']}" if fault else "well-formed"
                    print(f"resourcesync: {said}\nexpat: {theirs or 'well-formed'}\n{data!r}\n", file=sys.stderr)
    for what, number in tally.most_common():
        print(f"{number:8} {what}")
    print(f"{wrong:8} differ")
    sys.exit(1 if wrong else 0)


main()
