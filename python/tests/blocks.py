"""The code blocks of the pages of the documentation site, and the tests that run those of some pages."""

from __future__ import annotations

import re
import runpy
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from conftest import ROOT

_FENCE = re.compile(r"^( *)(`{3,})(\S*)\n(.*?)^ *\2$", re.DOTALL | re.MULTILINE)
#: Why a block is not run, in a comment before it.
_REASON = re.compile(r"<!-- not run: ([^\n]+) -->\s*$")


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    #: The part of the page.
    section: str
    kind: str
    text: str
    #: Why it is not run.
    reason: str | None

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def plain(self) -> str:
        """The text without comments, which are in the language of the page."""
        return re.sub(r"(^| +)#(?!!)[^\n]*", "", self.text, flags=re.MULTILINE).strip()

    @property
    def is_translated(self) -> bool:
        """A block of the page in English, whose test runs it."""
        return self.page.endswith(".ja.md") and self.plain in {each.plain for each in blocks(ROOT / self.page.replace(".ja.md", ".md"))}


def pages() -> list[Path]:
    """The pages of the site, and of these what scripts/docs has written, if it was run."""
    places = runpy.run_path(str(ROOT / "site" / "stage.py"))["places"]
    return [page for lang in ("en", "ja") for page in places(lang)]


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in _FENCE.finditer(text):
        before = text[: found.start()]
        reason = _REASON.search(before)
        line = before.count("\n") + 1
        # Headings are not looked for in blocks, whose comments look like them.
        headings = re.findall(r"^## (.*)$", _FENCE.sub("", before), re.MULTILINE)
        name = page.relative_to(ROOT).as_posix()
        yield Block(name, line, headings[-1] if headings else "", found[3], textwrap.dedent(found[4]), reason and reason[1])


def indented(page: Path) -> list[str]:
    """Lines that Markdown shows as code without a fence: what they are is not stated, so that no test finds them."""
    lines = _FENCE.sub("", page.read_text("utf-8")).splitlines()
    in_list = False
    found: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        in_list = bool(re.match(r" *(?:[-*]|\d+\.) ", line)) or in_list and (not line.strip() or line.startswith(" "))
        if line.startswith("    ") and not before.strip() and not in_list:
            found.append(line)
    return found


#: Tests that take the blocks from their page: the pages, the kinds, what begins the section and the text, and the file with the test. Other commands are run
#: by tests/test_pages.py. What scripts/docs writes is in no other place than the code.
ELSEWHERE = [
    ("README*.md", "sh", "Quick start|クイックスタート", "cli/tests/command/readme.rs"),
    ("README.md", "python", "", "python/tests/test_docs.py"),
    ("README.md", "js", "", "wasm/tests/docs.test.mjs"),
    ("docs/build*.md", "sh csv", "\n", "cli/tests/command/readme.rs"),
    ("docs/oai.md", "sh", "Examples\nresourcesync", "cli/tests/command/oai/stories.rs"),
    ("docs/javascript.md", "js", "", "wasm/tests/docs.test.mjs"),
    ("docs/page.md", "json", "", "web/test/first.test.mjs"),
    ("docs/page.md", "text", "", "web/test/policy.test.mjs"),
    ("docs/notifications.md", "python", "", "python/tests/test_docs.py"),
    ("docs/python/django.md", "sh python html", "", "python/tests/test_django.py"),
    ("docs/python/flask.md", "sh python", "", "python/tests/test_flask.py"),
    ("docs/python/invenio.md", "sh python sql", "", "python/tests/test_invenio.py"),
    ("docs/python*.md", "python", "", "python/tests/test_docs.py"),
    ("docs/sidecars.md", "sh sql ini crontab dockerfile yaml nginx apache", "(?!Search)", "python/tests/test_sidecars.py"),
    ("docs/scale.md", "python", "Sources as tables", "python/tests/test_docs.py"),
    ("docs/scale.md", "python", "Apache Spark", "python/spark-tests/test_spark.py"),
]
#: What scripts/docs writes, and the tests of the texts in the code.
GENERATED = [
    ("docs/rules/*.md", "xml", "", "tests/suites/rules.rs"),
    ("docs/python/reference.md", "python pycon", "", "python/tests/test_docs.py"),
    ("docs/javascript/reference.md", "ts js", "", "wasm/tests/docs.test.mjs"),
]


def runner(block: Block) -> str | None:
    """The file with the test that runs a block."""
    for name, kinds, begins, file in [*GENERATED, *ELSEWHERE]:
        if fnmatch(block.page, name) and block.kind in kinds.split() and re.match(begins, f"{block.section}\n{block.text}"):
            return file
    return None
