"""Checks that every link between pages of the repository leads to a file, and to a heading that it has. Pages that scripts/docs writes have to be there."""

import functools
import pathlib
import re
import subprocess
import sys
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent


def prose(path):
    """The text of a page without its code."""
    text = re.sub(r"^(```+).*?^\1", "", path.read_text(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda code: code[0].replace("](", "] ("), text)


@functools.cache
def anchors(path):
    """The anchors of the headings of a page, as GitHub makes them."""
    found = {}
    for heading in re.findall(r"^#+ +(.*?) *#*$", prose(path), flags=re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {f"{name}-{at}" if at else name for name, count in found.items() for at in range(count + 1)}


kept = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=root, capture_output=True, text=True, check=True).stdout
pages = {root / name for name in kept.split("\0") if name} | set((root / "docs").rglob("*.md"))
count, wrong = 0, []
for page in sorted(path for path in pages if path.exists()):
    for link in re.findall(r"\]\(([^()\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        count += 1
        place, _, anchor = link.partition("#")
        target = page.parent / urllib.parse.unquote(place) if place else page
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: no {link}")
        elif anchor and target.suffix == ".md" and urllib.parse.unquote(anchor) not in anchors(target):
            wrong.append(f"{page.relative_to(root)}: no heading {link}")
print(f"{count} links between {len(pages)} pages, {len(wrong)} lead nowhere")
print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
sys.exit(1 if wrong else 0)
