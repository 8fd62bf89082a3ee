"""The admin page: sets, the last publication, lag, findings and what waits; read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from .._errors import ConfigError
from . import _publishing, _status
from ._sets import registry
from ._texts import both, chosen
from .models import Publication

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Publication]
else:
    _Admin = admin.ModelAdmin

#: Changes that are shown.
_SHOWN = 20


@admin.register(Publication)
class PublicationAdmin(_Admin):
    """Publications, below the state of the sets."""

    change_list_template = "admin/resourcesync/publication/change_list.html"
    list_display = ("at", "kind", "created", "updated", "deleted", "unchanged", "waiting", "findings")
    list_filter = ("kind",)
    date_hierarchy = "at"

    @admin.display(description=both("findings", "指摘"))
    def findings(self, publication: Publication) -> int:
        """The number of findings."""
        return len(publication.problems)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Publication]:
        """The publications in the database of the sets, if there are any."""
        found = super().get_queryset(request)
        return found.using(_publishing.database()) if registry else found

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Read only."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Read only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Read only."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The state, and all publications."""
        context: dict[str, Any] = {"title": "ResourceSync", "words": _words()}
        try:
            outbox = _publishing.waiting(_publishing.database())
            context |= {"status": _status.read(), "outbox": outbox.order_by("id")[:_SHOWN]}
        except ConfigError as error:
            context["problem"] = str(error)
        return super().changelist_view(request, {**context, **(extra_context or {})})


def _words() -> dict[str, str]:
    """The words of the template."""
    return {
        "source": chosen("Source", "ソース"),
        "folder": chosen("folder", "フォルダ"),
        "set": chosen("set", "リソースセット"),
        "published": chosen("published", "公開中"),
        "waiting": chosen("waiting", "未公開の変更"),
        "lag": chosen("lag", "遅延"),
        "seconds": chosen("s", "秒"),
        "none": chosen("none, nothing waits", "なし（すべて公開済みです）"),
        "last": chosen("last publication", "最後の公開"),
        "never": chosen("never", "まだありません"),
        "validated": chosen("last validation", "最後の検証"),
        "findings": chosen("findings", "指摘"),
        "clean": chosen("no findings", "指摘はありません"),
        "outbox": chosen("Changes that wait", "公開を待つ変更"),
        "object": chosen("object", "オブジェクト"),
        "time": chosen("time", "日時"),
    }
