"""Writes the reference in docs/python.md from the docstrings of the package; with ``--check`` only says whether it is up to date."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from enum import Enum
from pathlib import Path
from types import GetSetDescriptorType
from typing import Any

import resourcesync as rs

PAGE = Path(__file__).resolve().parents[1] / "docs" / "python.md"
MARK = "<!-- The rest is written by python/reference.py. -->\n"

GROUPS = {
    "Validate": "validate validate_all is_valid iter_diagnostics verify_package Report Diagnostic Progress OnProgress explain rules Rule",
    "Read": "read iter_entries Document Entry Link Metadata Datetime Precision to_arrow ArrowStream",
    "Build": "Builder SourceDescription SourceDescriptionIndex CapabilityList ResourceList ResourceListIndex ResourceDump ResourceDumpIndex "
    "ResourceDumpManifest ChangeList ChangeListIndex ChangeDump ChangeDumpIndex ChangeDumpManifest ChangeNotification FrameworkNotification "
    "Resource ResourceChange NotifiedChange FrameworkChange Bitstream ChangedBitstream Package ChangePackage SnapshotEntry IntervalEntry "
    "CapabilityEntry CapabilityListEntry SourceDescriptionEntry Related",
    "Publish": "Publication Published PublishedSet ChangeHistory DumpHistory Store diff Difference",
    "Packages": "open_package OpenPackage Member PackagedResource create_package PackageFacts",
    "Whole Sources": "crawl Crawler Fetch Request Response HttpFetcher",
    "Notifications": "notify",
    "Exceptions": "ResourceSyncError InputError ConfigError DocumentError MemberError RefusedError InvalidReportError SkippedError",
    "Parts of a report": "Tool Run Summary Input SetSummary Skipped Reason Group Point Span Place Excerpt Elsewhere",
    "Types": "ByteSource BinaryFile SeekableFile Target WritableFile Moment Kind Profile Lang Severity Verdict Status",
}


def prose(text: str | None) -> str:
    """A docstring as Markdown."""
    lines = inspect.cleandoc(text or "").splitlines()
    out: list[str] = []
    is_code = False
    for line in lines:
        if line.startswith(">>>") and not is_code:
            out.append("```pycon")
            is_code = True
        elif is_code and not line:
            out.append("```")
            is_code = False
        out.append(line)
    if is_code:
        out.append("```")
    joined = "\n".join(out)
    joined = re.sub(r"(?<!`)``([^`\n]+)``(?!`)", r"`\1`", joined)
    joined = re.sub(r":(?:class|func|meth|attr):`(?:resourcesync\.)?([^`]+)`", r"`\1`", joined)
    joined = re.sub(r"^:param (\w+): ", r"- `\1`: ", joined, flags=re.M)
    return re.sub(r"^:raises (\w+): ", r"- raises `\1` ", joined, flags=re.M)


def signature(name: str, function: Any) -> str:
    """How it is called, one parameter a line where there are many."""
    try:
        text = str(inspect.signature(function))
    except (TypeError, ValueError):
        return name
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    text = text.replace("(self, ", "(").replace("(self)", "()").replace("<factory>", "{}")
    if len(text) > 90 and "(" in text:
        inner, _, end = text[1:].rpartition(")")
        parts = re.split(r", (?=[\w*]+(?:[:=,]|$))", inner)
        text = "(\n    " + ",\n    ".join(parts) + ",\n)" + end
    return name + text


def members(cls: type) -> list[str]:
    """The public properties and methods of a class."""
    lines: list[str] = []
    for name in sorted(dir(cls)):
        member = inspect.getattr_static(cls, name)
        first = prose(inspect.getdoc(member)).split("\n\n")[0].replace("\n", " ")
        if name.startswith("_") or not first:
            continue
        if isinstance(member, (property, GetSetDescriptorType)):
            lines.append(f"- `{name}`: {first}")
        elif callable(getattr(cls, name)) and not isinstance(member, type):
            call = re.sub(r"\s+", " ", signature(name, getattr(cls, name))).replace("( ", "(").replace(", )", ")")
            lines.append(f"- `{call}`: {first}")
    return lines


def entry(name: str, module: Any = rs) -> str:
    """One name of the package, or of a module of it."""
    value: Any = getattr(module, name)
    label = name if module is rs else f"notify.{name}"
    if inspect.ismodule(value):
        public = [each for each, own in vars(value).items() if getattr(own, "__module__", None) == value.__name__ and not each.startswith("_")]
        return "\n".join([f"### {name}\n", prose(value.__doc__) + "\n", *(entry(each, value) for each in public)])
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        text = str(value).replace("typing.", "").replace("collections.abc.", "").replace("resourcesync._sources.", "")
        return f"### {name}\n\n`{text}`\n"
    parts = [f"### {label}\n"]
    is_called = inspect.isfunction(value) or not (issubclass(value, Exception) or value.__module__ == "resourcesync")
    is_protocol = getattr(value, "_is_protocol", False)
    if is_called and not is_protocol and not issubclass(value if inspect.isclass(value) else object, Enum):
        parts.append(f"```python\n{signature(name, value)}\n```\n")
    if value.__doc__ and not value.__doc__.startswith(f"{name}("):
        parts.append(prose(value.__doc__) + "\n")
    if inspect.isclass(value):
        if issubclass(value, Enum):
            parts.append(", ".join(f"`{each.name}`" for each in value) + "\n")
        elif not dataclasses.is_dataclass(value) or value.__name__ in ("Member",):
            own = members(value)
            inherited = members(value.__mro__[1]) if value.__name__ not in ("Builder",) else []
            is_plain = value.__mro__[1].__module__.startswith("resourcesync")
            parts.append("\n".join(line for line in own if not (is_plain and line in inherited)) + "\n")
            base = value.__mro__[1].__name__
            if is_plain and base in ("Metadata", "Builder"):
                parts.append(f"And all that `{base}` has.\n")
    return "\n".join(part for part in parts if part.strip())


def reference() -> str:
    """All of it."""
    named = " ".join(GROUPS.values()).split()
    missing = set(rs.__all__) - {"__version__"} - set(named)
    if missing:
        raise SystemExit(f"in no group of the reference: {', '.join(sorted(missing))}")
    groups = (f"## {title}\n\n" + "\n".join(map(entry, names.split())) for title, names in GROUPS.items())
    return "\n".join(groups).rstrip() + "\n"


def main() -> None:
    """Writes, or checks."""
    page = PAGE.read_text(encoding="utf-8")
    wanted = page.partition(MARK)[0] + MARK + "\n" + reference()
    if "--check" in sys.argv:
        sys.exit(0 if page == wanted else "docs/python.md is not up to date: run python python/reference.py")
    PAGE.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
