"""The datetimes of documents, and the numbers and headers of options."""

from __future__ import annotations

import datetime as _datetime
from collections.abc import Mapping
from enum import Enum
from typing import Any, cast

from . import _core
from ._errors import ConfigError


class Precision(str, Enum):
    """The precision of a datetime."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MINUTE = "minute"
    SECOND = "second"
    FRACTION = "fraction"


class Datetime(_datetime.datetime):
    """A datetime of a document: an aware :class:`datetime.datetime` with its original text.

    For a day, month or year it is the start of it in UTC; see :attr:`precision`. Arithmetic returns a datetime with a precision
    of a second or finer.

    >>> at = Datetime.parse("2013-01-03T09:00:00+09:00")
    >>> at.isoformat(), at.raw, at.precision.value
    ('2013-01-03T09:00:00+09:00', '2013-01-03T09:00:00+09:00', 'second')
    >>> Datetime.parse("2013-01").precision is Precision.MONTH
    True
    """

    _raw: str | None = None
    _precision: str | None = None

    @classmethod
    def parse(cls, text: str) -> Datetime:
        """Parses a W3C Datetime as leniently as in a document.

        Raises :class:`ConfigError` if the text is not a datetime, or in the year 0000, which Python does not support.
        """
        moment = _core.parse_datetime(text)
        if moment is None:
            raise ConfigError(f"`{text}` is not a W3C Datetime")
        return moment

    @classmethod
    def _read(
        cls,
        year: int,
        month: int,
        day: int,
        hour: int,
        minute: int,
        second: int,
        microsecond: int,
        zone: _datetime.tzinfo,
        raw: str,
        precision: str,
    ) -> Datetime:
        moment = cls(year, month, day, hour, minute, second, microsecond, zone)
        moment._raw = raw
        moment._precision = precision
        return moment

    @property
    def raw(self) -> str:
        """The text as written in the document, or as it would be written."""
        return self._raw if self._raw is not None else written(self)

    @property
    def precision(self) -> Precision:
        """The precision."""
        if self._precision is not None:
            return Precision(self._precision)
        return Precision.FRACTION if self.microsecond else Precision.SECOND

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        zone = self.tzinfo or _datetime.timezone.utc
        parts = (self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond, zone)
        return Datetime._read, (*parts, self.raw, self.precision.value)


def written(moment: _datetime.datetime | _datetime.date | str) -> str:
    """Formats a time as in the standard: in UTC with ``Z``, a date as a date, text unchanged."""
    if isinstance(moment, str):
        return moment
    if isinstance(moment, Datetime) and moment._raw is not None:
        return moment._raw
    # pandas has a datetime that is not a time; it is not equal to itself.
    if moment != moment:
        raise ConfigError(f"{moment!r} is not a time; use None")
    if not isinstance(moment, _datetime.datetime):
        if not isinstance(moment, _datetime.date):
            raise TypeError(f"expected a datetime, a date or text, not {type(moment).__name__}")
        return moment.isoformat()
    if moment.tzinfo is None:
        raise ConfigError(f"{moment!r} has no time zone; give it one, such as datetime.timezone.utc")
    utc = moment.astimezone(_datetime.timezone.utc).replace(tzinfo=None)
    # The nanoseconds that pandas has in addition to the microseconds.
    nanoseconds = getattr(moment, "nanosecond", 0)
    if nanoseconds:
        return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond:06}{nanoseconds:03}Z"
    # A plain datetime, since isoformat of a Datetime would call this class again.
    return _datetime.datetime.isoformat(utc) + "Z"


def whole(name: str, value: object, least: int = 0) -> int:
    """A whole number of an option; the error names the option if it is none, or out of range."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: expected a whole number, not {type(value).__name__}")
    if value < least:
        raise ConfigError(f"{name}: {value} is negative" if value < 0 else f"{name}: {value} is less than {least}")
    if value >= 1 << 64:
        raise ConfigError(f"{name}: {value} is too large")
    return value


def headers(option: str, value: object) -> dict[str, dict[str, str]]:
    """Headers by origin and name. Values are secret, so that no error repeats any."""
    given: Any = value
    if not isinstance(value, Mapping) or not all(isinstance(own, Mapping) for own in given.values()):
        raise ConfigError(f"{option}: expected headers by origin, such as {{'https://example.com': {{'Authorization': 'Bearer …'}}}}")
    made: dict[str, dict[str, str]] = {str(origin): dict(own) for origin, own in given.items()}
    if wrong := [name for own in made.values() for name, text in own.items() if not isinstance(cast("Any", text), str)]:
        raise ConfigError(f"{option}: the value of {wrong[0]} is no text")
    return made
