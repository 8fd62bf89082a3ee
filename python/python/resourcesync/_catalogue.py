"""The catalogue of codes: every requirement, why it matters, and how to fix violations."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from . import _core
from ._errors import ConfigError
from ._parts import Severity
from ._report import Lang


@dataclass(frozen=True, slots=True)
class Rule:
    """A code, and the rule that reports it.

    ``message`` and ``help`` are templates: ``{name}`` stands for an argument; :meth:`Diagnostic.message_in` fills them, and
    :func:`explanation` has all of it in words. ``wrong`` and ``right`` are example documents, if a single
    document can show the fault. ``detail`` is the name of an ``XML-nn``.
    """

    code: str
    rule: str
    severity: Severity
    message: str
    help: str
    what: str
    why: str
    fix: str
    detail: str | None = None
    level: str | None = None
    derived: bool | None = None
    section: str | None = None
    wrong: str | None = None
    right: str | None = None


def explain(code: str, *, lang: Lang = "en") -> tuple[Rule, ...]:
    """The explanation of a code, or of all codes of a rule.

    :raises ConfigError: if there is no such code, family or rule.

    >>> resourcesync.explain("RL-03")[0].rule
    'missing-at'
    """
    try:
        return _rules(_core.explain(code, lang))
    except ValueError as error:
        raise ConfigError(str(error)) from None


def explanation(code: str, *, lang: Lang = "en", format: Literal["text", "markdown"] = "text") -> str:
    """The explanation of a code or rule in words, as ``resourcesync explain`` prints it.

    :raises ConfigError: if there is no such code or rule.

    >>> print(resourcesync.explanation("RL-03").splitlines()[0])
    RL-03 missing-at
    """
    try:
        return _core.explanation(code, lang, format)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def rules(select: Iterable[str] = (), *, lang: Lang = "en") -> tuple[Rule, ...]:
    """All codes, or those selected by code, family or rule.

    :raises ConfigError: if there is no such code, family or rule.

    >>> {rule.rule for rule in resourcesync.rules(["AT-07"])}
    {'digest-length'}
    """
    if isinstance(select, str):
        raise ConfigError(f"select is a list of codes, such as [{select!r}]")
    try:
        return _rules(_core.rules(list(select), lang))
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _rules(text: str) -> tuple[Rule, ...]:
    return tuple(Rule(**row) for row in json.loads(text))
