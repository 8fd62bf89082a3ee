"""Holds the report of every case, and reports of real runs, against the published schemas: ours, and that of SARIF."""

import json
import pathlib
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "docs/report.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)

reports = {path: path.read_text() for path in sorted((root / "target/corpus").rglob("report.json"))}
command = [sys.argv[1], "validate", "--no-config", "--format", "json", "tests/corpus/spec", "tests/no-such-file.xml"]
reports[pathlib.Path("a run over a folder")] = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout

wrong = 0
for path, text in reports.items():
    for error in validator.iter_errors(json.loads(text)):
        wrong += 1
        print(f"{path}: {error.json_path}: {error.message}", file=sys.stderr)
print(f"{len(reports)} reports against the schema, {wrong} faults")

sarif_schema = json.loads(pathlib.Path(sys.argv[2]).read_text())
sarif_validator = validator_for(sarif_schema)(sarif_schema)
with tempfile.TemporaryDirectory() as folder:
    target = pathlib.Path(folder) / "report.sarif"
    runs = 0
    for family in sorted(path for path in (root / "target/corpus").glob("*/*") if path.is_dir()):
        command = [sys.argv[1], "validate", "--no-config", "--format", "sarif", "--output", str(target), str(family)]
        subprocess.run(command, cwd=root, capture_output=True)
        runs += 1
        for error in sarif_validator.iter_errors(json.loads(target.read_text())):
            wrong += 1
            print(f"{family}: {error.json_path}: {error.message}", file=sys.stderr)
print(f"{runs} runs against the schema of SARIF, {wrong} faults")
sys.exit(1 if wrong or len(reports) < 1000 or runs < 200 else 0)
