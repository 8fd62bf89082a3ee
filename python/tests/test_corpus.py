"""The conformance corpus: every report is byte for byte that of the Rust code."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, cast

import pytest
import resourcesync
from conftest import CORPUS, SAMPLE, Case

#: Cases of whole Sources have another format.
CASES = sorted(path for path in CORPUS.rglob("*.case") if path.relative_to(CORPUS).parts[0] != "set")


def keywords(options: dict[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {name: options[name] for name in ("expect", "profile", "limits") if name in options}
    return {**known, "fixity": not options.get("no_fixity", False)}


def test_the_corpus_is_there() -> None:
    assert len(CASES) > 1500


@pytest.mark.parametrize("path", CASES[::SAMPLE], ids=lambda path: path.relative_to(CORPUS).as_posix())
def test_every_face_of_a_case_gives_the_expected_bytes(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case.load(path)
    content, expected, options = case.content(), case.report(), case.json("options")
    name, given = options.get("name", case.file), keywords(options)
    if options.get("via") == "folder":
        monkeypatch.chdir(tmp_path)
        Path(name).write_bytes(content)
        found = resourcesync.validate(".", **given).to_json()
        assert found.replace(f'"./{name}"'.encode(), f'"{name}"'.encode()) == expected
        return
    check = resourcesync.verify_package if case.is_package else resourcesync.validate
    assert check(content, name=name, **given).to_json() == expected
    path = tmp_path / "input"
    path.write_bytes(content)
    with path.open("rb") as file:
        assert check(file, name=name, **given).to_json() == expected
    assert check(path, name=name, **given).to_json() == expected
    if not case.is_package:
        pieces = (content[start : start + 1009] for start in range(0, len(content), 1009))
        if not content:
            # An iterator that gives nothing was read before.
            with pytest.raises(resourcesync.InputError):
                resourcesync.validate(pieces, name=name, **given)
            return
        assert resourcesync.validate(pieces, name=name, **given).to_json() == expected


@pytest.mark.parametrize("path", CASES[:: 7 * SAMPLE], ids=lambda path: path.relative_to(CORPUS).as_posix())
def test_reports_have_every_part_typed(path: Path) -> None:
    written = Case.load(path).report()
    report = resourcesync.Report(written)
    plain = json.loads(written)
    assert as_json(tuple(report.diagnostics)) == plain["diagnostics"]
    assert as_json(report.inputs) == plain["inputs"]
    assert as_json(report.groups) == plain["groups"]
    assert as_json(report.summary) == plain["summary"]
    assert report.to_text()


def as_json(value: Any) -> Any:
    """A part of a report in the form of the JSON."""
    if isinstance(value, tuple):
        return [as_json(part) for part in cast("tuple[object, ...]", value)]
    if dataclasses.is_dataclass(value):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        camel = {"cut_left": "cutLeft", "cut_right": "cutRight"}
        return {camel.get(name, name): as_json(part) for name, part in fields.items() if part is not None}
    return value
