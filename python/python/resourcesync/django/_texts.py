"""Texts in English and Japanese, chosen by the language of the request."""

from __future__ import annotations

from typing import Any, cast

from django.utils.functional import lazy
from django.utils.translation import get_language


def chosen(english: str, japanese: str) -> str:
    """The text in the active language."""
    return japanese if (get_language() or "").startswith("ja") else english


def both(english: str, japanese: str) -> Any:
    """A text that is chosen when it is shown."""
    return cast(Any, lazy(chosen, str)(english, japanese))
