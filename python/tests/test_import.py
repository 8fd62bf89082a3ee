"""What importing the package loads, and when the rest is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest
import resourcesync

#: Modules that take long to load and that most programs do not need.
HEAVY = {"ssl", "http.client", "email", "lzma", "bz2", "zipfile", "tempfile", "asyncio", "concurrent.futures", "pyarrow"}


def loaded(program: str) -> set[str]:
    code = f"import sys; before = set(sys.modules)\n{program}\nprint(*(set(sys.modules) - before))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_nothing_else() -> None:
    added = loaded("import resourcesync")
    # Only the standard library's `typing`, which programs with annotations have anyway, and what that needs.
    assert not {name for name in added if name.startswith("resourcesync.")} and not added & HEAVY
    assert len(added - loaded("import typing")) <= 2


@pytest.mark.parametrize(
    "program",
    [
        "resourcesync.validate(b'<urlset/>')",
        "list(resourcesync.iter_diagnostics(b'<urlset/>'))",
        "resourcesync.read(b'<urlset/>')",
        "resourcesync.ResourceList('http://example.com/c.xml', '2024-05-01T00:00:00Z').to_bytes()",
        "resourcesync.Crawler('http://example.com/').poll()",
    ],
)
def test_common_calls_load_neither_networking_nor_compression(program: str) -> None:
    assert not loaded(f"import resourcesync\n{program}") & HEAVY


def test_every_name_is_there() -> None:
    assert set(resourcesync.__all__) <= set(dir(resourcesync))
    for name in resourcesync.__all__:
        assert getattr(resourcesync, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        getattr(resourcesync, "nothing")
