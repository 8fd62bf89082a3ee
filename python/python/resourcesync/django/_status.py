"""The state of the publication, for ``manage.py resourcesync status`` and the admin page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from . import _publishing, _settings
from ._sets import registry
from .models import Item, Outbox, Publication


@dataclass(frozen=True, slots=True)
class SetStatus:
    """A set: the number of URIs that are published, and of changes that wait."""

    name: str
    published: int
    waiting: int


@dataclass(frozen=True, slots=True)
class PublicationStatus:
    """The sets, the last publication and validation, and the age of the oldest change that waits."""

    base_uri: str
    folder: str
    sets: tuple[SetStatus, ...]
    last: Publication | None
    validated: Publication | None
    lag: timedelta

    @property
    def waiting(self) -> int:
        """The number of changes that wait."""
        return sum(each.waiting for each in self.sets)

    def to_text(self) -> str:
        """Lines for people."""
        lines = [f"{self.base_uri} in {self.folder}"]
        lines += [f"{each.name}: {each.published} published, {each.waiting} waiting" for each in self.sets]
        lines.append(f"lag: {self.lag.total_seconds():.1f} s" if self.waiting else "lag: none, nothing waits")
        last = self.last
        text = "never" if last is None else f"{last.at:%Y-%m-%d %H:%M:%S} ({last.kind}: {last.created} created, {last.updated} updated, {last.deleted} deleted)"
        lines.append(f"last publication: {text}")
        if last is not None:
            lines += [f"not published: {problem}" for problem in last.problems]
            lines += [f"{last.waiting} notifications wait for a hub"] if last.waiting else []
        checked = self.validated
        lines.append(f"last validation: {'never' if checked is None else f'{checked.at:%Y-%m-%d %H:%M:%S}, {len(checked.problems)} findings'}")
        return "\n".join(lines)


def read() -> PublicationStatus:
    """Reads it."""
    own, using = _settings.read_to_publish(), _publishing.database()
    waiting, items = Outbox.objects.using(using), Item.objects.using(using)
    oldest = waiting.order_by("id").first()
    return PublicationStatus(
        own.BASE_URI,
        str(own.folder),
        tuple(SetStatus(name, items.filter(set=name).count(), waiting.filter(set=name).count()) for name in registry),
        Publication.objects.using(using).exclude(kind="validate").first(),
        Publication.objects.using(using).filter(kind="validate").first(),
        timedelta(0) if oldest is None else datetime.now(timezone.utc) - oldest.moment,
    )
