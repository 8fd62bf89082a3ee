"""Holds every expected report of the corpus, and reports of real runs, against the published schemas."""

import json
import pathlib
import subprocess
import sys

from jsonschema import Draft202012Validator

root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "docs/report.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)

reports = {path: path.read_text() for path in sorted((root / "tests/corpus").rglob("expected.json"))}
command = [sys.argv[1], "validate", "--no-config", "--format", "json", "tests/corpus/spec", "tests/no-such-file.xml"]
reports[pathlib.Path("a run over a folder")] = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout

wrong = 0
for path, text in reports.items():
    for error in validator.iter_errors(json.loads(text)):
        wrong += 1
        print(f"{path}: {error.json_path}: {error.message}", file=sys.stderr)
print(f"{len(reports)} reports against the schema, {wrong} faults")
sys.exit(1 if wrong or len(reports) < 1000 else 0)
