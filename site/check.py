"""Checks that every link of the built site leads to a file of it, and to an anchor that it has: ``check.py SITE``."""

from __future__ import annotations

import functools
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            if value and (name == "src" or name == "href" and tag in ("a", "link")):
                self.links.append(value)


def main(site: Path) -> int:
    page = functools.cache(Page)
    count, wrong = 0, []
    pages = [path for path in sorted(site.rglob("*.html")) if "validator" not in path.parts and path.name != "404.html"]
    for path in pages:
        for link in page(path).links:
            if re.match(r"[a-z]+:|//", link):
                continue
            count += 1
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                wrong.append(f"{path.relative_to(site)}: no {link}")
            elif parts.fragment and target.suffix == ".html" and "validator" not in target.parts and unquote(parts.fragment) not in page(target).anchors:
                wrong.append(f"{path.relative_to(site)}: no place {link}")
    print(f"{count} links of {len(pages)} pages, {len(wrong)} lead nowhere")
    print(*wrong[:50], sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
