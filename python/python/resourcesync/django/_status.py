"""The state of the publication, for ``manage.py resourcesync status`` and the admin page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from .. import _commands
from .._commands import SetStatus
from . import _publishing, _settings
from ._sets import registry
from .models import Item, Publication


@dataclass(frozen=True, slots=True)
class PublicationStatus:
    """The sets, the last publication and validation, and the age of the oldest change that waits."""

    base_uri: str
    folder: str
    sets: tuple[SetStatus, ...]
    last: Publication | None
    validated: Publication | None
    lag: timedelta | None

    def to_text(self) -> str:
        """Lines for people."""
        lines = _commands.status(self.base_uri, self.folder, self.sets, self.lag)
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
    waiting, items = _publishing.waiting(using), Item.objects.using(using)
    oldest = waiting.order_by("id").first()
    return PublicationStatus(
        own.BASE_URI,
        str(own.folder),
        tuple(SetStatus(name, items.filter(set=name).count(), waiting.filter(set=name).count()) for name in registry),
        _publishing.last(),
        Publication.objects.using(using).filter(kind="validate").first(),
        None if oldest is None else datetime.now(timezone.utc) - oldest.moment,
    )
