"""``manage.py resourcesync``: publishes the registered sets, shows their state, and follows other Sources."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from .... import _commands
from ...._outbox import PlatformPublished
from ...._report import Report
from ... import _follow, _publishing, _settings, _status


class Command(BaseCommand):
    """The command."""

    help = "Publishes the registered sets with ResourceSync, and follows other Sources."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Adds the subcommands."""
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=ArgumentParser)
        publish = commands.add_parser("publish", help="publish what changed since the last time; the first time everything")
        publish.add_argument("--watch", action="store_true", help="keep running, and publish changes when they are committed")
        publish.add_argument("--interval", type=float, default=0.2, metavar="SECONDS", help="how often --watch looks for changes (0.2)")
        reconcile = commands.add_parser("reconcile", help="compare all objects with what is published, and publish what signals missed")
        reconcile.add_argument("--max-delete", metavar="N|N%", help="permit this number of deletions")
        commands.add_parser("snapshot", help="publish, and write the Resource Lists")
        commands.add_parser("validate", help="check the published documents")
        commands.add_parser("status", help="show sets, the last publication, and what waits")
        follow = commands.add_parser("follow", help="apply the changes of a Source of RESOURCESYNC['FOLLOW']")
        follow.add_argument("name", metavar="NAME")
        follow.add_argument("--watch", action="store_true", help="keep running: follow after notifications, and every EVERY seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs a subcommand."""
        try:
            getattr(self, f"_{options['command']}")(options)
        except _commands.ERRORS as error:
            raise CommandError(_commands.message(error)) from error

    def _publish(self, options: dict[str, Any]) -> None:
        if options["watch"]:
            self._watch(options["interval"])
        else:
            self._report(_publishing.publish())

    def _reconcile(self, options: dict[str, Any]) -> None:
        self._report(_publishing.reconcile(max_delete=options["max_delete"]))

    def _snapshot(self, options: dict[str, Any]) -> None:
        self._report(_publishing.publish(snapshot="now"))

    def _validate(self, options: dict[str, Any]) -> None:
        def record(report: Report) -> None:
            _publishing.record("validate", [str(finding) for finding in report])

        _commands.check(_settings.read_to_publish().folder, self.stdout.write, record)

    def _status(self, options: dict[str, Any]) -> None:
        self.stdout.write(_status.read().to_text())

    def _follow(self, options: dict[str, Any]) -> None:
        if options["watch"]:
            _follow.watch(options["name"], self.stdout.write)
            return
        _commands.applied(_follow.follow(options["name"]), self.stdout.write)

    def _watch(self, interval: float) -> None:
        write, warn = self.stdout.write, self.stderr.write
        _commands.watch(_publishing.pending, _publishing.publish, connections.close_all, (DatabaseError,), interval, write, warn)

    def _report(self, done: PlatformPublished) -> None:
        _commands.finish(done, self.stdout.write, self.stderr.write)
