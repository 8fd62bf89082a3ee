"""Publishes the rows of an application with Flask and SQLAlchemy, and follows other Sources."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import Context
from typing import Any, ClassVar, TypeVar, Union, cast
from urllib.parse import urlsplit

import click
from flask import Blueprint, Flask, Response, current_app, has_app_context, request
from flask.cli import AppGroup
from sqlalchemy import event, insert, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, SessionTransaction, scoped_session, sessionmaker
from werkzeug.test import EnvironBuilder

from .. import _commands, _following, _outbox, _serving, _settings, notify
from .._entries import Related, Resource
from .._destination import AppliedChange
from .._errors import ConfigError
from .._outbox import PlatformPublished, SetCounts
from . import _tables
from ._sets import ContentOf, ResourceSet, Rows, Yielded
from ._tables import metadata

__all__ = ["PlatformPublished", "Related", "Resource", "ResourceSync", "SetCounts", "metadata"]

logger = logging.getLogger("resourcesync")

T = TypeVar("T")
F = TypeVar("F", bound="Callable[[], Iterable[Resource]]")
Sessions = Union["scoped_session[Any]", "sessionmaker[Any]"]

_PREFIX = "RESOURCESYNC_"
#: Bytes that are read of the body of a notification: more than are accepted.
_BODY = 9 << 20


class ResourceSync:
    """The extension. Its settings are keys of ``app.config`` that begin with ``RESOURCESYNC_``.

    :param session: the sessions of the application: a ``sessionmaker``, a ``scoped_session``, or ``db.session`` of Flask-SQLAlchemy.
    """

    _kind: ClassVar[type[_settings.Settings]] = _settings.Settings

    def __init__(self, app: Flask | None = None, session: Sessions | None = None) -> None:
        self._sets: dict[str, ResourceSet] = {}
        self._session: Sessions | None = None
        self._app: Flask | None = None
        #: Serves the published documents at their URLs, before other rules; all other URLs are left to these.
        self.blueprint = Blueprint("resourcesync", __name__)
        self.blueprint.before_app_request(self._document)
        if app is not None:
            self.init_app(app, session)

    def init_app(self, app: Flask, session: Sessions | None = None) -> None:
        """Connects the extension with an application."""
        self._app = app
        self._session = session
        app.extensions["resourcesync"] = self
        app.cli.add_command(_group(self))
        if session is not None:
            event.listen(session, "after_flush", self._flushed)
            event.listen(session, "after_commit", self._committed)
            event.listen(session, "after_soft_rollback", self._rolled_back)

    # What is published.

    def resource_set(self, name: str) -> Callable[[F], F]:
        """Registers a function that yields the resources of a set. Its changes are found by ``reconcile`` only."""

        def decorate(function: F) -> F:
            self._register(name, Yielded(function))
            return function

        return decorate

    def model(
        self,
        model: type[T],
        *,
        uri: Callable[[T], str],
        set: str | None = None,
        lastmod: str | None = None,
        where: Any = None,
        links: Callable[[T], Iterable[Related]] | None = None,
        content: Callable[[T], ContentOf] | None = None,
        media_type: str | None = None,
        options: Sequence[Any] = (),
    ) -> None:
        """Registers the rows of a model.

        :param uri: returns the URI of a row, or its path, which is joined to ``RESOURCESYNC_BASE_URI``.
        :param set: the name of the set, and of its folder; by default that of the table.
        :param lastmod: the attribute with the time of the last change; a time without a zone is in UTC.
        :param where: a criterion; a row that it no longer selects is published as deleted.
        :param content: the bytes under the URI, or the path of their file: length and digest are published.
        :param options: loader options of the query, such as ``selectinload``.
        """
        mapper: Any = inspect(model)
        name = set or str(mapper.local_table.name)
        self._register(name, Rows(model, self.settings.BASE_URI, uri, lastmod, where, links, content, media_type, options))

    def _register(self, name: str, own: ResourceSet) -> None:
        if name in self._sets:
            raise ConfigError(f"two sets are registered as {name!r}")
        self._sets[name] = own

    # Publishing.

    @property
    def app(self) -> Flask:
        """The application."""
        if self._app is None:
            raise ConfigError("init_app() was not called")
        return self._app

    @property
    def settings(self) -> _settings.Settings:
        """The settings."""
        config = dict[str, Any](self.app.config)
        given = {key.removeprefix(_PREFIX): value for key, value in config.items() if key.startswith(_PREFIX)}
        return _settings.read(given, self._kind)

    def publish(self, *, snapshot: str | None = None) -> PlatformPublished:
        """Publishes what is in the outbox; ``snapshot="now"`` also writes the Resource Lists. A set that was never published is reconciled."""
        with self._publisher() as publisher:
            return publisher.publish(snapshot=snapshot)

    def reconcile(self, *, max_delete: int | str | None = None) -> PlatformPublished:
        """Compares all records with what is published, and publishes what the outbox missed.

        :raises GuardError: if more would be deleted than ``max_delete`` allows.
        """
        with self._publisher() as publisher:
            return publisher.reconcile(max_delete=max_delete)

    def changed(self, rows: Iterable[Any]) -> int:
        """Publishes rows that were changed without the unit of work, such as by ``update()``; returns their number."""
        given = list(rows)
        for row in given:
            state: Any = inspect(row)
            if None in (state.identity or state.mapper.primary_key_from_instance(row)):
                remedy = "pass rows that were read from the database, since bulk_save_objects() does not set the key"
                raise ValueError(f"a row of {type(row).__name__} has no primary key; {remedy}")
        with self._new_session() as session, session.begin():
            written = self._write(session, given, self._registered())
        self._wake(bool(written))
        return written

    def create_tables(self) -> None:
        """Creates the tables, and the indexes that an earlier version did not have, if migrations do not."""
        with self._new_session() as session, session.begin():
            _tables.create(session.connection())

    @contextmanager
    def _publisher(self, context: AbstractContextManager[object] | None = None) -> Generator[_outbox.Publisher]:
        own = self.settings.to_publish()
        sets = self._registered()
        if not sets:
            raise ConfigError("no set is registered")
        # url_for() works in the functions of the application.
        with context or self.app.test_request_context(base_url=own.BASE_URI), self._new_session() as session:
            records = {name: each.within(session) for name, each in sets.items()}
            yield _outbox.Publisher(own.source(), own.FOLDER, _tables.Tables(self._new_session, sets), records, wait=own.WAIT)

    def _new_session(self) -> Session:
        if self._session is None:
            raise ConfigError("ResourceSync has no session: pass that of SQLAlchemy as ResourceSync(app, session)")
        factory = self._session.session_factory if isinstance(self._session, scoped_session) else self._session
        return cast(Session, factory())

    # Events.

    def _registered(self) -> dict[str, ResourceSet]:
        """The sets, by their names."""
        return self._sets

    def _recorded(self) -> dict[str, ResourceSet]:
        """The sets whose changes this extension records: not those of the extension of the current application, such as a second one of a factory, which
        records them itself in the same sessions."""
        own = self._registered()
        other = current_app.extensions.get("resourcesync") if has_app_context() else None
        if not isinstance(other, ResourceSync) or other is self or other._session is not self._session:
            return own
        others = other._registered()
        return {name: each for name, each in own.items() if name not in others}

    def _write(self, session: Session, rows: Sequence[Any], sets: Mapping[str, ResourceSet]) -> int:
        """Writes rows of the outbox in the transaction of a session, and returns their number."""
        written = 0
        for name, own in sets.items():
            found = [_tables.row(name, key) for key in own.touched(session, rows)]
            if found:
                session.connection(bind_arguments={"mapper": own.mapper}).execute(insert(_tables.outbox), found)
                written += len(found)
        return written

    def _flushed(self, session: Session, _: object) -> None:
        changed = (*session.new, *(each for each in session.dirty if session.is_modified(each)), *session.deleted)
        if self._write(session, changed, self._recorded()):
            # Marks the session: this extension has written a row of the outbox in it.
            session.info[self] = True

    def _committed(self, session: Session) -> None:
        if not session.in_nested_transaction():
            info: Any = session.info
            self._wake(bool(info.pop(self, False)))

    def _rolled_back(self, session: Session, ended: SessionTransaction) -> None:
        # A savepoint has a parent; what was written before it stays.
        if ended.parent is None:
            session.info.pop(self, None)

    def _wake(self, is_written: bool) -> None:
        kind = self.settings.PUBLISH
        if not is_written or kind == "watch":
            return
        try:
            if kind == "inline":
                # The commit, and often a request, are not over: what the application closes at the end of a context is not theirs in another thread.
                with ThreadPoolExecutor(1) as apart:
                    apart.submit(Context().run, self._publish_inline).result()
            elif kind == "celery":
                from .celery import publish

                publish.delay()
            else:
                raise ConfigError("PUBLISH = 'tasks' is for Django")
        except Exception:
            # The transaction is committed; what was not published stays in the outbox.
            logger.exception("not published")

    def _publish_inline(self) -> None:
        context = self.app.app_context()
        # That of a request, without one: the functions of the application for the end of a request are not called.
        environ = EnvironBuilder(base_url=self.settings.BASE_URI).get_environ()
        context.url_adapter = self.app.create_url_adapter(self.app.request_class(environ))
        with self._publisher(context) as publisher:
            publisher.publish()

    # Serving.

    def _document(self) -> Response | None:
        own = self.settings.to_publish()
        base = urlsplit(own.BASE_URI).path.rstrip("/") + "/"
        # With the prefix below which a server has mounted the application.
        whole = f"{request.root_path.rstrip('/')}{request.path}"
        path = whole.removeprefix(base)
        if request.method not in ("GET", "HEAD") or not whole.startswith(base) or _serving.found(own.folder, path) is None:
            return None
        served = _serving.serve(own.folder, path, request.method, request.headers.get, sendfile=own.SENDFILE)
        response = Response(served.pieces(), served.status, direct_passthrough=True)
        response.call_on_close(served.close)
        response.headers.clear()
        response.headers.extend(served.fields)
        return response

    # Following.

    def follow(self, name: str) -> _following.Applied:
        """Applies what changed in a Source of ``RESOURCESYNC_FOLLOW`` since the last run. ``APPLY`` is called with a session and the change."""
        from werkzeug.utils import import_string

        own = self.settings.followed(name)
        apply = None if own.APPLY is None else import_string(own.APPLY)
        with self._place(name) as place:
            place.due(False)

        # The session of the transaction in which a change is applied.
        sessions: list[Session] = []

        @contextmanager
        def transaction() -> Generator[_following.Place]:
            with self._place(name) as found:
                sessions[:] = [found.session]
                yield found

        def within(change: AppliedChange) -> None:
            if apply is not None:
                apply(sessions[0], change)

        with self.app.app_context():
            return _following.follow(name, own.SOURCE, own.STATE, own.OPTIONS, transaction, within)

    def answer(self, name: str) -> Response:
        """Answers a request of a hub of this Source, in one transaction: for a view at the path of ``CALLBACK``."""
        callback = self.settings.followed(name).CALLBACK or ""
        body = bytearray()
        while len(body) < _BODY and (piece := request.stream.read(_BODY - len(body))):
            body += piece
        with self._place(name) as place:
            reply, values, is_due = _following.answer(
                callback, place.state(), request.method, request.path, request.query_string, request.headers.items(), bytes(body)
            )
            place.keep(values)
            if is_due:
                place.due(True)
        response = Response(reply.body, reply.status)
        # Without the Content-Type of HTML, which Flask adds to an empty body too.
        response.headers.clear()
        response.headers.extend(list(reply.headers))
        return response

    def _place(self, name: str) -> AbstractContextManager[_tables.Place]:
        return _tables.place(self._new_session, name)

    def _subscribing(self, name: str) -> _following.Subscribing | None:
        own = self.settings.followed(name)
        if own.CALLBACK is None:
            return None

        def load() -> notify.State:
            with self._place(name) as place:
                return place.state()

        def swap(key: str, before: Any, after: Any) -> None:
            with self._place(name) as place:
                if place.state().get(key) == before:
                    place.keep({key: after})

        return _following.Subscribing(own.CALLBACK, own.SOURCE, load, swap, own.OPTIONS.get("allow_host", ()))

    def _watch_source(self, name: str) -> None:
        subscribing = self._subscribing(name)

        def is_due() -> bool:
            with self._place(name) as place:
                return bool(place.is_due())

        _commands.watch_source(
            name,
            self.settings.followed(name).EVERY,
            None if subscribing is None else subscribing.run,
            is_due,
            lambda: self.follow(name),
            lambda: None,
            (SQLAlchemyError,),
            click.echo,
        )


def _group(own: ResourceSync) -> AppGroup:
    group = AppGroup("resourcesync", help="Publishes the registered sets with ResourceSync, and follows other Sources.")

    def command(name: str, help: str) -> Callable[[Callable[..., None]], click.Command]:
        def decorate(function: Callable[..., None]) -> click.Command:
            def run(**options: Any) -> None:
                try:
                    function(**options)
                except _commands.ERRORS as error:
                    raise click.ClickException(_commands.message(error)) from error

            run.__name__ = function.__name__
            run.__dict__.update(function.__dict__)
            return group.command(name, help=help)(run)

        return decorate

    def report(done: PlatformPublished) -> None:
        _commands.finish(done, click.echo, _warn)

    @command("init", "Create the tables, if migrations do not.")
    def init() -> None:
        own.create_tables()

    @command("publish", "Publish what changed since the last time; the first time everything.")
    @click.option("--watch", is_flag=True, help="Keep running, and publish changes when they are committed.")
    @click.option("--interval", default=0.2, show_default=True, help="How often --watch looks for changes, in seconds.")
    def publish(watch: bool, interval: float) -> None:
        if watch:
            pending = _tables.Tables(own._new_session, own._registered()).last
            _commands.watch(pending, own.publish, lambda: None, (SQLAlchemyError,), interval, click.echo, _warn)
        else:
            report(own.publish())

    @command("reconcile", "Compare all records with what is published, and publish what events missed.")
    @click.option("--max-delete", metavar="N|N%", help="Permit this number of deletions.")
    def reconcile(max_delete: str | None) -> None:
        report(own.reconcile(max_delete=max_delete))

    @command("snapshot", "Publish, and write the Resource Lists.")
    def snapshot() -> None:
        report(own.publish(snapshot="now"))

    @command("validate", "Check the published documents.")
    def documents() -> None:
        _commands.check(own.settings.to_publish().folder, click.echo)

    @command("check", "Check the settings, and the sets.")
    def check() -> None:
        mistakes = list(own.settings.to_publish().mistakes(own._registered()))
        mistakes += [mistake for each in own._registered().values() if isinstance(each, Rows) for mistake in each.mistakes()]
        for mistake in mistakes:
            click.echo(str(mistake))
        if any(mistake.is_error for mistake in mistakes):
            raise _commands.Incomplete("nothing can be published with these settings")

    @command("status", "Show the sets, and what waits.")
    def status() -> None:
        settings, names = own.settings.to_publish(), list(own._registered())
        tables = _tables.Tables(own._new_session, names)
        sets = [_commands.SetStatus(name, *tables.numbers(name)) for name in names]
        click.echo("\n".join(_commands.status(settings.BASE_URI, str(settings.folder), sets, tables.lag())))

    @command("follow", "Apply the changes of a Source of RESOURCESYNC_FOLLOW.")
    @click.argument("name")
    @click.option("--watch", is_flag=True, help="Keep running: follow after notifications, and every EVERY seconds.")
    def follow(name: str, watch: bool) -> None:
        if watch:
            own._watch_source(name)
            return
        _commands.applied(own.follow(name), click.echo)

    _ = (init, publish, reconcile, snapshot, documents, check, status, follow)
    return group


def _warn(text: str) -> None:
    click.echo(text, err=True)
