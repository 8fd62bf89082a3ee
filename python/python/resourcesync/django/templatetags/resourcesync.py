"""``{% load resourcesync %}`` and ``{% resourcesync_links %}`` in the head of a page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from .. import _links

register = template.Library()


@register.simple_tag
def resourcesync_links() -> SafeString:
    """The elements ``<link rel="resourcesync">`` of all sets."""
    return format_html_join("\n", '<link rel="resourcesync" href="{}">', ((uri,) for uri in _links.capability_lists()))
