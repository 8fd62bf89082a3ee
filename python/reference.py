"""Generates docs/python/reference.md from the docstrings of the package."""

from __future__ import annotations

import dataclasses
import inspect
import re
from enum import Enum
from pathlib import Path
from types import GenericAlias, GetSetDescriptorType
from typing import Any, TypeGuard

import resourcesync as rs
from resourcesync import _core

PAGE = Path(__file__).resolve().parents[1] / "docs" / "python" / "reference.md"
HEAD = "# Reference of the Python package\n\nGenerated from the docstrings by `scripts/docs`; do not edit.\n"

GROUPS = {
    "Validate": "validate validate_all is_valid iter_diagnostics verify_package Report merge Diagnostic Progress OnProgress explain explanation rules Rule",
    "Asynchronous": "avalidate aread aiter_entries acrawl apublish PublishOptions AsyncSource SourceOptions async_sync AsyncDestination AsyncChanges AsyncByteSource AsyncFile FetchAsync",
    "Read": "read iter_entries read_sitemap Document Entry Link Metadata Datetime Precision to_arrow ArrowStream",
    "Datasets": "dataset Dataset Partition ServerOptions",
    "Build": "Builder SourceDescription SourceDescriptionIndex CapabilityList ResourceList ResourceListIndex ResourceDump ResourceDumpIndex "
    "ResourceDumpManifest ChangeList ChangeListIndex ChangeDump ChangeDumpIndex ChangeDumpManifest ChangeNotification FrameworkNotification "
    "Resource ResourceChange NotifiedChange FrameworkChange Bitstream ChangedBitstream Package ChangePackage SnapshotEntry IntervalEntry "
    "CapabilityEntry CapabilityListEntry SourceDescriptionEntry Related Accepted",
    "Publish": "publish read_sitemap PublishedRecords PublishedChange Source EventBatch PublishedEvents Publication Published PublishedSet ChangeHistory DumpHistory Store diff Difference",
    "Packages": "open_package OpenPackage Member PackagedResource create_package PackageFacts",
    "Whole Sources": "crawl Crawler Fetch Request Response HttpFetcher",
    "Copies": "sync SyncReport SyncItem SyncProgress OnSyncProgress audit AuditReport AuditDifference Destination SyncOptions AuditOptions Changes AppliedChange HeldResource "
    "Copies",
    "Change Lists without a copy": "ChangeFollower FollowRequest FollowedChanges LastChange MissingChanges OlderDocument AheadDocument",
    "Notifications": "notify",
    "OAI-PMH": "oai",
    "Exceptions": "ResourceSyncError InputError ConfigError DocumentError MemberError RefusedError PublishError GuardError SyncError HarvestError InvalidReportError SkippedError",
    "Parts of a report": "Tool Run RunOptions Summary Input SetSummary Skipped Reason Group Point Span Place Excerpt Elsewhere",
    "Parts of the report of a copy": "SyncDocument SyncPlan SyncPackages SyncCounts SyncVerified SyncHeld SyncFinding Seen AuditCounts",
    "Types": "ByteSource BinaryFile SeekableFile Target WritableFile Moment Kind Profile Lang Severity Verdict Status SyncOutcome",
}

#: What the options of a run do, as the command says it.
HELP = {name: f": {text}" for name, text in _core.sync_options()}


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
    # A table of a docstring is shown as it is.
    joined = re.sub(r"^(=+ +=[= ]*\n.*\n=[= ]*)$", r"```text\n\1\n```", joined, flags=re.M | re.S)
    joined = re.sub(r"(?<!`)``([^`\n]+)``(?!`)", r"`\1`", joined)
    joined = re.sub(r":(?:class|func|meth|attr):`(?:resourcesync\.)?([^`]+)`", r"`\1`", joined)
    joined = re.sub(r"^:param (\w+): ", r"- `\1`: ", joined, flags=re.M)
    return re.sub(r"^:raises (\w+): ", r"- raises `\1` ", joined, flags=re.M)


def signature(name: str, function: Any) -> str:
    """Its signature, with one parameter per line if there are many."""
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


def attributes(cls: type) -> list[str]:
    """The attributes that the initializer documents."""
    try:
        source = inspect.getsource(getattr(cls, "__init__"))
    except (OSError, TypeError):
        return []
    found = re.findall(r"#: (.*)\n\s+self\.([a-z]\w*)", source)
    return [f"- `{name}`: {prose(text)}" for text, name in found]


def methods(cls: type) -> list[str]:
    """The methods and properties of a class whose fields are in its signature."""
    fields = set(getattr(cls, "__dataclass_fields__", ()))
    return [line for line in members(cls) if re.match(r"- `(\w+)", line)[1] not in fields]  # type: ignore[index]  # pyright: ignore[reportOptionalSubscript]


def is_class(value: Any) -> TypeGuard[type[Any]]:
    """True for a class; for CPython 3.10 an alias such as ``Callable[[Request], Response]`` is one, too."""
    return inspect.isclass(value) and not isinstance(value, GenericAlias)


def entry(name: str, module: Any = rs) -> str:
    """One name of the package, or of a module of it."""
    value: Any = getattr(module, name)
    label = name if module is rs else f"{module.__name__.rpartition('.')[2]}.{name}"
    if inspect.ismodule(value):
        public = [each for each in value.__all__ if getattr(getattr(value, each), "__module__", None) == value.__name__]
        return "\n".join([f"### {name}\n", prose(value.__doc__) + "\n", *(entry(each, value) for each in public)])
    if not (is_class(value) or inspect.isfunction(value)):
        text = str(value).replace("typing.", "").replace("collections.abc.", "").replace("resourcesync._sources.", "")
        return f"### {name}\n\n`{text}`\n"
    parts = [f"### {label}\n"]
    is_called = inspect.isfunction(value) or not (issubclass(value, Exception) or value.__module__ == "resourcesync")
    is_protocol = getattr(value, "_is_protocol", False)
    if is_called and not is_protocol and not issubclass(value if is_class(value) else object, Enum):
        called = signature(name, value)
        if "(" in called:
            parts.append(f"```python\n{called}\n```\n")
    if value.__doc__ and not value.__doc__.startswith(f"{name}("):
        parts.append(prose(value.__doc__) + "\n")
    if is_class(value):
        if issubclass(value, Enum):
            parts.append(", ".join(f"`{each.name}`" for each in value) + "\n")
        elif issubclass(value, dict):
            parts.append("\n".join(f"- `{each}`{HELP.get(each, '')}" for each in value.__annotations__) + "\n")
        elif dataclasses.is_dataclass(value):
            parts.append("\n".join(methods(value)) + "\n")
        else:
            own = [*attributes(value), *members(value)]
            inherited = members(value.__mro__[1]) if value.__name__ not in ("Builder",) else []
            is_plain = value.__mro__[1].__module__.startswith("resourcesync")
            parts.append("\n".join(line for line in own if not (is_plain and line in inherited)) + "\n")
            base = value.__mro__[1].__name__
            if is_plain and base in ("Metadata", "Builder"):
                parts.append(f"And all that `{base}` has.\n")
    return "\n".join(part for part in parts if part.strip())


def reference() -> str:
    """The whole reference."""
    named = " ".join(GROUPS.values()).split()
    missing = set(rs.__all__) - {"__version__"} - set(named)
    if missing:
        raise SystemExit(f"in no group of the reference: {', '.join(sorted(missing))}")
    groups = (f"## {title}\n\n" + "\n".join(map(entry, names.split())) for title, names in GROUPS.items())
    return "\n".join(groups).rstrip() + "\n"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(HEAD + "\n" + reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
