"""Stages the pages of the documentation for each language, with a navigation by user: ``stage.py FOLDER``.

The pages are those of the repository. A link to a page of the site becomes one to its copy, in the same language if there is one; a link to another file
leads to the repository, whose address is ``repository`` in Cargo.toml, and is plain text while that is the placeholder.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "ja")
IMAGES = ROOT / "docs" / "images"
#: Pages outside ``docs``, by their place in the site.
OTHERS = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "conformance/README.md": "conformance.md"}


def places(lang: str) -> dict[Path, Path]:
    """Where the pages of a language are in the site. Rules have a folder for Japanese, other pages an ending."""
    found: dict[Path, Path] = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        relative = page.relative_to(ROOT / "docs")
        is_rule = relative.parts[0] == "rules"
        name = relative.as_posix()
        if (name.startswith("rules/ja/") or name.endswith(".ja.md")) != (lang == "ja"):
            continue
        place = name.replace("rules/ja/", "rules/") if is_rule else name.replace(".ja.md", ".md")
        found[page] = Path(re.sub(r"README\.md$", "index.md", place))
    for name, place in OTHERS.items():
        page = ROOT / (name if lang == "en" else name.replace(".md", ".ja.md"))
        if page.exists():
            found[page] = Path(place)
    return found


class Stage:
    def __init__(self, folder: Path, repository: str | None) -> None:
        self.folder, self.repository = folder, repository
        self.places = {lang: places(lang) for lang in LANGUAGES}

    def target(self, lang: str, page: Path, link: str) -> str | None:
        """The link in the site; None if it leads to nothing that readers of the site have."""
        path, anchor = re.match(r"([^#]*)(#.*)?$", link).groups(default="")  # type: ignore[union-attr]
        if not path:
            return link
        file = (page.parent / unquote(path)).resolve()
        here = Path(lang) / self.places[lang][page].parent
        for other in (lang, *LANGUAGES):
            if place := self.places[other].get(file):
                return Path(os.path.relpath(Path(other) / place, here)).as_posix().removesuffix(".md") + ".html" + anchor if other != lang else Path(os.path.relpath(place, self.places[lang][page].parent)).as_posix() + anchor
        if file.suffix == ".json" and file.parent == ROOT / "docs":
            return os.path.relpath(Path(file.name), self.places[lang][page].parent)
        if file.parent == IMAGES:
            return os.path.relpath(file.relative_to(ROOT / "docs"), self.places[lang][page].parent)
        name = file.relative_to(ROOT).as_posix()
        return f"{self.repository}/{'tree' if file.is_dir() else 'blob'}/main/{name}{anchor}" if self.repository else None

    def text(self, lang: str, page: Path) -> str:
        def link(found: re.Match[str]) -> str:
            if re.match(r"[a-z]+:", found[2]):
                return found[0]
            target = self.target(lang, page, found[2])
            # What is no page of this language is no document for Sphinx.
            if target and re.search(r"\.(html|json)\b", target) and not target.startswith("http"):
                return f'<a href="{target}">{found[1]}</a>'
            return f"[{found[1]}]({target})" if target else found[1]

        parts = re.split(r"(^```+.*?^```+[^\n]*$)", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        return "".join(part if part.startswith("```") else re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)", link, part) for part in parts)

    def language(self, lang: str) -> None:
        for page, place in self.places[lang].items():
            target = self.folder / lang / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.text(lang, page), encoding="utf-8")
        shutil.copytree(IMAGES, self.folder / lang / IMAGES.name)
        (self.folder / lang / "extra").mkdir()
        for schema in (ROOT / "docs").glob("*.json"):
            shutil.copy(schema, self.folder / lang / "extra")
        # Tests read the list of the pages, and do not have this package.
        import yaml

        there = {place.as_posix() for place in self.places[lang].values()}
        sections = yaml.safe_load((ROOT / "site" / "sections.yml").read_text(encoding="utf-8"))
        contents = [self.section(entry, lang, there) for entry in sections]
        self.append(lang, "index.md", contents)
        # Pages of a folder with an index are below it, not in the navigation.
        for index in (place for place in there if place.endswith("/index.md")):
            below = sorted(place for place in there if place.startswith(index.removesuffix("index.md")) and place != index)
            self.append(lang, index, ["\n".join(["```{toctree}", ":hidden:", "", *(Path(place).name for place in below), "```", ""])])

    def append(self, lang: str, place: str, contents: list[str]) -> None:
        with (self.folder / lang / place).open("a", encoding="utf-8") as page:
            page.write("\n" + "\n".join(contents))

    @staticmethod
    def section(entry: dict[str, Any], lang: str, there: set[str]) -> str:
        """The part of the navigation, without the pages that the language lacks."""
        lines: list[str] = []
        for page in entry["pages"]:
            if page.endswith("/"):
                lines += sorted(place for place in there if place.startswith(page) and place != f"{page}index.md")
            elif page in there:
                lines.append(page)
        return "\n".join(["```{toctree}", ":hidden:", f":caption: {entry[lang]}", "", *lines, "```", ""]) if lines else ""


def main(folder: Path) -> None:
    package = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    repository = package["repository"]
    stage = Stage(folder, None if (urlsplit(repository).hostname or "").endswith(".example") else repository)
    shutil.rmtree(folder, ignore_errors=True)
    for lang in LANGUAGES:
        stage.language(lang)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
