"""OAI-PMH repositories as Sources."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from . import _core
from ._cancel import cancellation
from ._oai_harvest import Names, Proof, config_of, names_of, options_given
from ._parts import accepted
from ._publish import PublishedRecords, options_of, published_changes


@dataclass(frozen=True, slots=True)
class BridgeResult:
    """What :func:`bridge` did. ``proof`` is that of the harvest, if there was one; ``withheld`` is the status of a harvest that was not published since
    it is not complete; ``published`` what was published, also if nothing had changed."""

    proof: Proof | None
    withheld: str | None
    published: PublishedRecords


def bridge(
    target: str | os.PathLike[str],
    base_uri: str,
    out: str | os.PathLike[str],
    *,
    form: Literal["files", "dump", "pointers"] = "files",
    collections: bool = False,
    describes: str | None = None,
    publish_incomplete: bool = False,
    dump: bool = False,
    hash: Names = "sha-256",
    documents_uri: str | None = None,
    rotate: int | str | None = None,
    keep: int | None = None,
    keep_generations: int = 0,
    gzip: bool = False,
    hubs: Iterable[str] | None = None,
    topics_uri: str | None = None,
    notify: Literal["now", "later"] = "now",
    header: Mapping[str, Mapping[str, str]] | None = None,
    wait: float = 0.0,
    prefix: Names = "oai_dc",
    set: Names = (),
    since: str | None = None,
    contact: str | None = None,
    reconcile: str | int | None = None,
    max_delete: str | int | None = None,
    tolerance: str | int | None = None,
    repair: str | None = None,
    allow_quarantine: int = 0,
    delay: float | None = None,
    max_wait: int | None = None,
    limits: Mapping[str, int] | None = None,
    allow_host: Iterable[str] = (),
) -> BridgeResult:
    """Publishes a repository as a ResourceSync Source, and in later calls what changed, as ``resourcesync oai bridge`` does.

    :param target: the base URL of a repository, which is harvested first, or the folder of a store.
    :param base_uri: the URI below which the records are served.
    :param out: the published folder. The harvest of a URL is in the folder ``harvest`` next to it, in ``OUT.resourcesync``.
    :param form: ``files``; ``dump`` for packages only, without a file for each record; or ``pointers`` to the GetRecord URLs of the
        repository, without digests.
    :param publish_incomplete: publishes although the harvest is not complete.
    :raises HarvestError: if the store cannot be used.
    :raises PublishError: if the folder cannot be published; it is unchanged then.
    """
    is_url = isinstance(target, str) and target.lower().startswith(("http://", "https://"))
    options = options_given(
        prefix=prefix,
        set=set,
        since=since,
        reconcile=reconcile,
        max_delete=max_delete,
        tolerance=tolerance,
        repair=repair,
        allow_quarantine=allow_quarantine,
        delay=delay,
        max_wait=max_wait,
        limits=limits,
    )
    wanted = options_of(
        out,
        base_uri,
        documents_uri=documents_uri,
        describedby=None,
        rotate=rotate,
        keep=keep,
        keep_generations=keep_generations,
        gzip=gzip,
        ignore=(),
        hubs=hubs,
        topics_uri=topics_uri,
        notify=notify,
        header=header,
        wait=wait,
    )
    wanted |= {
        "at": None,
        "max_delete": None if max_delete is None else "100%" if max_delete == "all" else str(max_delete),
        "expect_entries": None,
        "form": form,
        "collections": collections,
        "describes": describes,
        "publish_incomplete": publish_incomplete,
        "dump": dump,
        "hash": names_of(hash),
        "config": config_of(cast(str, target), options, contact) if is_url else None,
        "servers": {"from": contact, "allow_host": list(allow_host)},
    }
    text = _core.oai_bridge(os.fspath(target), json.dumps(wanted), json.dumps(options), secrets.randbits(64), cancellation())
    done = json.loads(text)
    counts = done["counts"]
    published = PublishedRecords(
        done["at"],
        done["changed"],
        done["resources"],
        counts.get("created", 0),
        counts.get("updated", 0),
        counts.get("deleted", 0),
        0,
        tuple(done["written"]),
        tuple(done["kept"]),
        tuple(done["warnings"]),
        accepted(done["accepted"]),
        published_changes(done["changes"]),
        tuple(done["withdrawn"]),
        done["waiting"],
    )
    proof = None if done["proof"] is None else Proof(done["proof"])
    return BridgeResult(proof, done["withheld"], published)
