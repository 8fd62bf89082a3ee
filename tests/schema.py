"""Validates the report of every case, and reports of real runs, with the published schemas: that of this project, and that of SARIF. The reports
that the corpus keeps as files have to show every shape that those of the cases have.
"""

import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for



class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *_):
        pass


root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "docs/report.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)

cases = {path: path.read_text() for path in sorted((root / "target/corpus").rglob("report.json"))}
reports = dict(cases)
command = [sys.argv[1], "validate", "--no-config", "--format", "json", "tests/corpus/spec", "tests/no-such-file.xml"]
reports[pathlib.Path("a run over a folder")] = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout

wrong = 0
for path, text in reports.items():
    for error in validator.iter_errors(json.loads(text)):
        wrong += 1
        print(f"{path}: {error.json_path}: {error.message}", file=sys.stderr)
print(f"{len(reports)} reports against the schema, {wrong} faults")

#: Values that are words of the format.
WORDS = {"verdict", "kind", "via", "severity", "level", "status", "profile", "role", "derived", "cutLeft", "cutRight"}


def parts(value, path=""):
    """The paths of a report, each with the word that is there, if it is one of the format."""
    if isinstance(value, dict):
        yield path
        for name, own in value.items():
            # Each code has its own arguments, which the lines of the case pin.
            yield from [f"{path}: {type(own).__name__}"] if path.endswith(".args") else parts(own, f"{path}.{name}")
    elif isinstance(value, list):
        yield f"{path}[]" if value else f"{path}[] empty"
        for own in value:
            yield from parts(own, f"{path}[]")
    else:
        is_word = path.rsplit(".", 1)[-1] in WORDS or path.endswith("cause.code")
        yield f"{path} {value}" if is_word else path


def shapes(text):
    """What a report shows of the format."""
    report = json.loads(text)
    yield from parts(report)
    for own in report["diagnostics"]:
        yield f"the family {own['code'].split('-')[0]}"
        yield from (f"no {name}" for name in ("span", "path", "entry", "excerpt", "level", "section") if name not in own)
        if any(related["input"] != own["input"] for related in own["related"]):
            yield "a related place in another input"
        if "loc" not in own.get("entry", {"loc": ""}):
            yield "an entry without loc"
        if not own.get("excerpt", {"text": ""})["text"].isascii():
            yield "an excerpt beyond ASCII"


kept = [path.read_text() for path in sorted((root / "tests/corpus").rglob("*.report.json"))]
lacking = {shape for text in cases.values() for shape in shapes(text)} - {shape for text in kept for shape in shapes(text)}
wrong += len(lacking)
for shape in sorted(lacking):
    print(f"no *.report.json of tests/corpus has this: {shape}", file=sys.stderr)
if len(kept) > 50:
    wrong += 1
    print(f"{len(kept)} *.report.json are kept; 50 are enough", file=sys.stderr)
print(f"{len(kept)} kept reports, {len(lacking)} shapes that they lack")

publish_validator = Draft202012Validator(json.loads((root / "docs/publish-report.schema.json").read_text()))
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / "files").mkdir()
    for number in range(3):
        (folder / f"files/{number}.txt").write_text(f"{number}")
    (folder / "a.csv").write_text("uri\nhttp://example.com/a\n")
    (folder / "b.csv").write_text("uri\nhttp://example.com/b\n")
    build = ["build", "files", "--base-uri", "https://example.com/", "--out", "public"]
    commands = [
        [*build, "--dry-run"], [*build, "--at", "2024-05-01T00:00:00Z"], build, [*build, "--verify-state"],
        [*build, "--expect-entries", "7"], [*build, "--at", "2023-05-01T00:00:00Z"],
        ["dump", "files", "--base-uri", "https://example.com/", "--out", "dump"], ["diff", "a.csv", "b.csv"],
        ["diff", "a.csv", "b.csv", "--up", "http://example.com/c", "--since", "2024-05-02T00:00:00Z",
         "--at", "2024-05-01T00:00:00Z", "--output", "changelist.xml"],
    ]
    results = []
    for arguments in commands:
        run = subprocess.run([sys.argv[1], *arguments, "--format", "json"], cwd=folder, capture_output=True, text=True)
        document = json.loads(run.stdout)
        results.append((run.returncode, document["result"]))
        for error in publish_validator.iter_errors(document):
            wrong += 1
            print(f"{arguments[0]}: {error.json_path}: {error.message}", file=sys.stderr)
    expected = [(0, "dry-run"), (0, "written"), (0, "unchanged"), (0, "verified"), (1, "refused"), (2, "failed"),
                (0, "written"), (0, "compared"), (1, "refused")]
    if results != expected:
        wrong += 1
        print("results of publishing:", results, file=sys.stderr)
print(f"{len(commands)} reports against the schema of publishing, {wrong} faults")

sync_validator = Draft202012Validator(json.loads((root / "docs/sync-report.schema.json").read_text()))
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    files, copy = folder / "served/files", folder / "copy"
    files.mkdir(parents=True)
    for number in range(30):
        (files / f"{number}.txt").write_text(f"{number}")
    handler = functools.partial(Quiet, directory=folder / "served")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/"

    def publish(minute):
        build = ["build", files, "--out", folder / "served/docs", "--max-delete", "100", "--at", f"2024-05-01T00:{minute:02}:00Z"]
        uris = ["--base-uri", f"{base}files/", "--documents-uri", f"{base}docs/"]
        subprocess.run([sys.argv[1], *build, *uris], check=True, capture_output=True)

    def sync(*options):
        fast = ["--limit", "http_requests_per_second=0", "--format", "json"]
        start = f"{base}docs/.well-known/resourcesync"
        return subprocess.run([sys.argv[1], "sync", *fast, *options, start, copy], capture_output=True, text=True)

    def audit(*options):
        fast = ["--limit", "http_requests_per_second=0", "--format", "json"]
        return subprocess.run([sys.argv[1], "audit", *fast, *options, copy], capture_output=True, text=True)

    publish(0)
    runs = [sync("--dry-run"), sync(), sync()]
    audits = [audit(), audit("--offline")]
    (files / "0.txt").write_text("x")
    (files / "1.txt").unlink()
    publish(1)
    (files / "0.txt").write_text("y")
    runs.append(sync())
    audits.append(audit("--verbose"))
    for number in range(2, 28):
        (files / f"{number}.txt").unlink()
    publish(2)
    runs += [sync(), sync("--no-delete")]
    config = folder / "sources.toml"
    table = "[[source]]\nuri = '%s'\ndir = '%s'\nlimit = { http_requests_per_second = 0 }\n"
    config.write_text("".join(table % row for row in [(f"{base}docs/.well-known/resourcesync", copy), (base, folder / "served/files/29.txt")]))
    many = subprocess.run([sys.argv[1], "sync", "--config", config, "--no-delete", "--format", "json"], capture_output=True, text=True)
    if many.returncode != 2:
        wrong += 1
        print("status of several Sources:", many.returncode, file=sys.stderr)
    server.shutdown()
    # Connections are refused then, instead of waiting.
    server.server_close()
    runs.append(sync())
    audits.append(audit())
    if [run.returncode for run in runs] != [0, 0, 0, 2, 1, 0, 2]:
        wrong += 1
        print("statuses of sync:", [run.returncode for run in runs], file=sys.stderr)
    several = json.loads(many.stdout)
    if {name: several[name] for name in several if name != "reports"} != {"format": "resourcesync-sync-reports", "formatVersion": 1}:
        wrong += 1
        print("not the format of several reports:", list(several), file=sys.stderr)
    for report in [json.loads(run.stdout) for run in runs] + several["reports"]:
        for error in sync_validator.iter_errors(report):
            wrong += 1
            print(f"sync: {error.json_path}: {error.message}", file=sys.stderr)
    audit_validator = Draft202012Validator(json.loads((root / "docs/audit-report.schema.json").read_text()))
    if [run.returncode for run in audits] != [0, 0, 1, 2]:
        wrong += 1
        print("statuses of audit:", [run.returncode for run in audits], file=sys.stderr)
    for run in audits:
        for error in audit_validator.iter_errors(json.loads(run.stdout)):
            wrong += 1
            print(f"audit: {error.json_path}: {error.message}", file=sys.stderr)
print(f"{len(runs) + len(audits)} reports against the schemas of sync and audit, {wrong} faults")

sarif_schema = json.loads(pathlib.Path(sys.argv[2]).read_text())
sarif_validator = validator_for(sarif_schema)(sarif_schema)
runs = 0
for family in sorted(path for path in (root / "target/corpus").glob("*/*") if path.is_dir()):
    command = [sys.argv[1], "validate", "--no-config", "--format", "sarif", str(family)]
    report = subprocess.run(command, cwd=root, capture_output=True).stdout
    runs += 1
    for error in sarif_validator.iter_errors(json.loads(report)):
        wrong += 1
        print(f"{family}: {error.json_path}: {error.message}", file=sys.stderr)
print(f"{runs} runs against the schema of SARIF, {wrong} faults")
sys.exit(1 if wrong or len(reports) < 1000 or runs < 200 else 0)
