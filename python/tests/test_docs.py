"""The examples in docstrings and in the README, and the generated reference."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
import resourcesync
from conftest import LIST, ROOT

NAMES = [name for name in resourcesync.__all__ if ">>>" in (getattr(resourcesync, name).__doc__ or "")]


@pytest.mark.parametrize("name", ["", *NAMES])
def test_examples_do_what_they_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "to_arrow":
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    Path("resourcelist.xml").write_bytes(LIST)
    content = b"x" * 8
    entry = resourcesync.Bitstream("http://example.com/res1", "/resources/res1", "text/plain")
    resourcesync.create_package("part1.zip", [(entry, content)], up="http://example.com/c.xml", at="2024-05-01T00:00:00Z")
    value = getattr(resourcesync, name) if name else resourcesync
    names = {"resourcesync": resourcesync, "Datetime": resourcesync.Datetime, "Precision": resourcesync.Precision}
    test = doctest.DocTestParser().get_doctest(value.__doc__ or "", names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    told: list[str] = []
    runner.run(test, out=told.append)
    assert test.examples and not told, "".join(told)


def test_the_examples_of_the_readme_run_as_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.startswith("invalid 1\nhttps://example.com/files/stations.csv 2024-04-02 09:00:00+00:00 ")


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="signatures are written differently by other versions")
def test_the_reference_is_up_to_date() -> None:
    script = ROOT / "python" / "reference.py"
    told = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
