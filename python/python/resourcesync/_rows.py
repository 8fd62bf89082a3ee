"""The entries of one document as batches of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from . import _core
from ._arrow import ROWS, batch_of, pyarrow
from ._errors import DocumentError

#: Bytes read at a time.
_WINDOW = 1 << 18


def rows(body: _core.DocumentBody, columns: _core.Columns, kinds: Collection[str], schema: Any, around: Mapping[str, str | None]) -> Iterator[Any]:
    """The rows of a document of one of these kinds; none of others. Those of a damaged document come before the exception.

    :raises InputError, DocumentError: if it cannot be read to the end, or no longer has the entries of the slice.
    """
    piece = b" "
    while piece:
        piece, fault = body.read(_WINDOW), None
        try:
            columns.push(piece or None)
        except DocumentError as error:
            fault = error
        # A document without a kind is none of ours, such as a plain sitemap.
        is_ours, is_last = columns.kind() in kinds, fault or not piece or columns.is_over()
        if is_ours and columns.rows() and (is_last or columns.rows() >= ROWS):
            yield batch_of(pyarrow(), schema, columns.rows(), columns.take(), around)
        if columns.is_over():
            break
        if fault:
            raise fault
        if not is_ours and (is_last or columns.kind()):
            break
    columns.check()
