"""The entries of one document as batches of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import _core
from ._arrow import ROWS, batch_of, pyarrow
from ._errors import DocumentError

#: Bytes read at a time.
_WINDOW = 1 << 18
#: Bytes of texts in one batch.
_BYTES = 64 << 20


def rows(body: _core.DocumentBody, columns: _core.Columns, kind: str, is_claimed: bool, schema: Any, around: Mapping[str, str | None]) -> Iterator[Any]:
    """The rows of a document of this kind; none of others. Those of a damaged document come before the exception.

    :param is_claimed: whether the document should be of this kind.
    :raises InputError, DocumentError: if it cannot be read to the end, no longer has the entries of the slice, or is not what it should be.
    """
    piece = b" "
    while piece:
        piece, fault = body.read(_WINDOW), None
        try:
            columns.push(piece or None)
        except DocumentError as error:
            fault = error
        # A document without a kind is none of ours, such as a plain sitemap.
        is_ours, is_last = columns.kind() == kind, fault or not piece or columns.is_over()
        if is_ours and columns.rows() and (is_last or columns.rows() >= ROWS or columns.text_bytes() >= _BYTES):
            yield batch_of(pyarrow(), schema, columns.rows(), columns.take(), around)
        if columns.is_over():
            break
        if fault:
            raise fault
        if not is_ours and (is_last or columns.kind()):
            break
    columns.check(str(around["document"]), kind if is_claimed else None)
