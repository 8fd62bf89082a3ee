//! Examples and exit statuses at the end of each help text.

pub(super) const COMMAND: &str = "\
Examples:
  resourcesync validate resourcelist.xml        one document
  resourcesync validate --follow https://example.com/   a whole Source
  resourcesync explain RL-03                    what a code means and how to fix it
  resourcesync build files/ --base-uri https://example.com/files/ --out public
                                                publish a folder; again: its changes
  resourcesync sync https://example.com/ copy   keep a copy; again: what changed
  resourcesync oai harvest https://repository.example/oai > records.jsonl

Exit status:
  1  the answer is no: a finding reaches --fail-on, something is refused, or differs
  2  otherwise, if something is undetermined or incomplete, could not be read or
     written, or was interrupted, or if the usage is wrong
  0  otherwise
The help of each subcommand says more.";

pub(super) const VALIDATE: &str = "\
Examples:
  resourcesync validate resourcelist.xml changelist.xml.gz
  resourcesync validate --expect source-description .well-known/resourcesync
  resourcesync validate --lang ja public/
  resourcesync validate https://example.com/resourcelist.xml https://example.com/part1.zip
  resourcesync validate --follow --from me@example.org --record answers.har https://example.com/
  curl -s https://example.com/resourcelist.xml | resourcesync validate --name resourcelist.xml -
  find . -name '*.xml' -print0 | resourcesync validate -0 --files-from -
  resourcesync validate --profile strict --ignore ADV --severity GEN-17=warning public/
  resourcesync validate --format sarif --output r.sarif --format junit --output r.xml public/
  resourcesync validate --format json --max-per-rule 0 public/ > before.json
  resourcesync validate --baseline before.json public/       only new findings

Configuration (resourcesync.toml in the working folder or one of its parents):
  lang = \"ja\"
  limits = { document_bytes = 2000000000 }
  [validate]
  profile = \"strict\"
  select = [\"GEN\", \"RL\"]
  ignore = [\"ADV-06\"]
  fail-on = \"warning\"
  severity = { GEN-17 = \"warning\" }

Ctrl-C stops reading and reports what was found so far; the verdict is then invalid or
undetermined. A second Ctrl-C exits immediately. If standard output is closed, the rest is not
written and the exit status does not change.

Exit status:
  1  a finding reaches --fail-on (default: error)
  2  otherwise, if something is undetermined, could not be read or written, or was
     interrupted, or if the usage is wrong
  0  otherwise: every input was checked to the end";

pub(super) const MERGE: &str = "\
Examples:
  resourcesync validate --format json part1.xml > 1.json     on one machine
  resourcesync validate --format json part2.xml > 2.json     on another one
  resourcesync merge 1.json 2.json > all.json                as if one had validated both
  resourcesync merge --format text 1.json 2.json
  find reports -name '*.json' -print0 | sort -z | resourcesync merge -0 --files-from - > all.json

The merged report is, byte for byte, that of one run over the same inputs in the same order. It
is a report as any other: it can be merged again, or be a baseline.

Exit status, as of validate:
  1  a finding reaches --fail-on (default: error)
  2  otherwise, if something is undetermined, or could not be read, merged or written, or if
     the usage is wrong
  0  otherwise";

pub(super) const BUILD: &str = "\
Examples:
  resourcesync build files/ --base-uri https://example.com/files/ \\
      --documents-uri https://example.com/ --out public --hash md5,sha-256
  resourcesync build files/ --base-uri https://example.com/ --out public --dry-run
  resourcesync build files/ --base-uri https://example.com/ --out public \\
      --dump --rotate 7d --keep 10
  resourcesync build files/ --base-uri https://example.com/ --out public \\
      --set theses=theses/ --set data='*.csv'
  resourcesync build files/ --base-uri https://example.com/ --out public \\
      --hub https://hub.example/ --token https://hub.example=env:HUB_TOKEN
  psql --csv -c 'select uri, length, md5, lastmod from items' |
      resourcesync build --from-csv - --base-uri https://example.com/ --out public
  resourcesync build --changes events.csv --out public
  resourcesync build --snapshot now --out public
  resourcesync build files/ --watch --base-uri https://example.com/ --out public
  resourcesync build --from-sitemap https://example.com/sitemap.xml --fetch \\
      --base-uri https://example.com/ --out public

The first run publishes Resource Lists, a Capability List and a Source Description. Each later run
compares with the previous one and publishes created, updated and deleted resources in the open
Change List. Each run writes a complete generation and exchanges it atomically with --out, so
harvesters see either the old or the new one, even if the run fails. If nothing has changed,
nothing is published.

With --changes only the stated resources are compared, and only the open Change List is written,
until the next snapshot of the Resource List is due (--snapshot). With --watch the same holds for
the files of a folder that change while the command runs.

With --hub the Source has notification channels, and hubs are notified of every publication but
the first.

Exit status:
  1  a document would not have been valid, or more would have been deleted than --max-delete allows,
     and nothing was published; or a hub rejected a notification
  2  something could not be read or written, or another run is active, and nothing was published; or
     there are pending notifications, or the output could not be printed
  0  otherwise
With --watch the status is that of the last run.";

pub(super) const NOTIFY: &str = "\
Examples:
  resourcesync notify public                    send what `build --hub` could not send
  resourcesync notify --for 10m public          retry for ten minutes
  resourcesync notify --hub https://hub.example/ --topic https://example.com/changes.xml n.xml

Pending notifications are in an outbox next to the published folder. The payloads of a topic are
sent in order and with identical bytes on every attempt; hubs are independent of each other.
`build` also sends pending ones.

Exit status:
  1  a document is not a valid notification, or a hub rejected a payload
  2  payloads are pending, something could not be read or written, or the usage is wrong
  0  otherwise: every hub accepted every payload";

#[cfg(feature = "hub")]
pub(super) const LISTEN: &str = "\
Examples:
  resourcesync listen https://example.com/ --callback https://me.example/rs/ --sync mirror/
  resourcesync listen https://example.com/ --callback https://me.example/rs/ --sync mirror/ --direct
  resourcesync listen https://example.com/ --callback https://me.example/rs/ --state state/ \\
      --exec ./on-change.sh --listen 127.0.0.1:8081
  resourcesync listen https://example.com/ --callback https://me.example/rs/ --state state/ \\
      --log changes.ndjson
  resourcesync listen --state state/ --stop     unsubscribe from everything

A notification is a reason to read the Change Lists, not a replacement for them: with --sync, the
folder is synchronized 2 seconds after the last notification, after every gap, at the start, and
once per --poll. Hubs must reach --callback, usually through a reverse proxy with TLS that passes
requests on to --listen.

--exec runs a program for each event, one at a time, with the event as one line of JSON on
standard input and in part in the environment (RESOURCESYNC_EVENT, RESOURCESYNC_SET,
RESOURCESYNC_TOPIC). If it fails, it is run again later; later events wait. --log appends these
lines to a file. Events that were accepted from a hub survive a kill; one may then be passed on
again, with the same `id`.

Exit status:
  1  the hubs denied all subscriptions
  2  no notification channel was found, another process uses the state, or the usage is wrong; or
     a second signal ended the process at once
  0  otherwise: stopped by SIGTERM or SIGINT, and the state was saved";

#[cfg(feature = "hub")]
pub(super) const HUB: &str = "\
Examples:
  resourcesync hub token example                create a token for a Source
  resourcesync hub check                        check its table [hub] of resourcesync.toml
  resourcesync hub serve                        run the hub
  resourcesync hub status --config /etc/resourcesync/resourcesync.toml
  resourcesync hub failures                     what is not delivered, and why
  resourcesync hub replay --subscription 7 --first 120
  resourcesync hub deny --host slow.example:443 --reason 'too slow'
  resourcesync hub lift --host harvester.example:443   lift its limit
  resourcesync hub migrate hub.sqlite postgres://hub@db.example/hub

A hub accepts the payloads of registered topics from authenticated Sources, stores them, and
delivers them to all subscribers in order. A payload that was answered with 200 is on disk. The
store is a SQLite file, or a PostgreSQL database (`--store postgres://USER@HOST/DATABASE`) that
several processes may use at the same time. `server/contrib/` has a configuration and a systemd
unit.

Exit status:
  2  the configuration is wrong, an address or the store is in use, a running hub cannot be reached
     or refuses an order, a second signal ended the hub, or the usage is wrong
  0  otherwise: the hub stopped after a signal, or did what was ordered";

#[cfg(feature = "hub")]
pub(super) const HUB_SERVE: &str = "\
Examples:
  resourcesync hub serve                        with resourcesync.toml of the working folder
  resourcesync hub serve --config /etc/resourcesync/resourcesync.toml
  resourcesync hub serve --listen 127.0.0.1:8090 --store hub.sqlite";

#[cfg(feature = "hub")]
pub(super) const HUB_CHECK: &str = "\
Examples:
  resourcesync hub check --config /etc/resourcesync/resourcesync.toml";

#[cfg(feature = "hub")]
pub(super) const HUB_TOKEN: &str = "\
Examples:
  resourcesync hub token example                the token, and what to add to the configuration";

#[cfg(feature = "hub")]
pub(super) const HUB_STATUS: &str = "\
Examples:
  resourcesync hub status
  resourcesync hub status --format json | jq .
  resourcesync hub status --admin 127.0.0.1:8091 --admin-token env:ADMIN_TOKEN";

#[cfg(feature = "hub")]
pub(super) const HUB_TOPICS: &str = "\
Examples:
  resourcesync hub topics";

#[cfg(feature = "hub")]
pub(super) const HUB_SUBSCRIPTIONS: &str = "\
Examples:
  resourcesync hub subscriptions
  resourcesync hub subscriptions --host harvester.example:443 --reveal";

#[cfg(feature = "hub")]
pub(super) const HUB_FAILURES: &str = "\
Examples:
  resourcesync hub failures                     what is not delivered, and why";

#[cfg(feature = "hub")]
pub(super) const HUB_REPLAY: &str = "\
Examples:
  resourcesync hub replay --subscription 7 --first 120
  resourcesync hub replay --host harvester.example:443 --first 1";

#[cfg(feature = "hub")]
pub(super) const HUB_DENY: &str = "\
Examples:
  resourcesync hub deny --subscription 7
  resourcesync hub deny --host slow.example:443 --reason 'too slow'
  resourcesync hub deny --host slow.example:443 --undo";

#[cfg(feature = "hub")]
pub(super) const HUB_LIFT: &str = "\
Examples:
  resourcesync hub lift --host harvester.example:443";

#[cfg(feature = "hub")]
pub(super) const HUB_PAUSE: &str = "\
Examples:
  resourcesync hub pause                        all topics
  resourcesync hub pause --topic https://example.com/changelist.xml";

#[cfg(feature = "hub")]
pub(super) const HUB_RESUME: &str = "\
Examples:
  resourcesync hub resume                       all topics
  resourcesync hub resume --topic https://example.com/changelist.xml";

#[cfg(feature = "hub")]
pub(super) const HUB_PRUNE: &str = "\
Examples:
  resourcesync hub prune --older-than 24h";

#[cfg(feature = "hub")]
pub(super) const HUB_BACKUP: &str = "\
Examples:
  resourcesync hub backup copy.sqlite
  resourcesync hub backup --store hub.sqlite copy.sqlite";

#[cfg(feature = "hub")]
pub(super) const HUB_MIGRATE: &str = "\
Examples:
  resourcesync hub migrate hub.sqlite postgres://hub@db.example/hub";

pub(super) const DUMP: &str = "\
Examples:
  resourcesync dump files/ --base-uri https://example.com/files/ \\
      --documents-uri https://example.com/dump/ --out dump --package-bytes 1000000000
  resourcesync dump --from-csv items.csv --base-uri https://example.com/ --out dump

Packages are split by size and number of bitstreams. Each contains its manifest, and a copy of the
manifest is published next to it. `build --dump` publishes packages as part of a Source, and
changes as Change Dumps.

Exit status:
  1  a document or package would not have been valid; nothing was written
  2  something could not be read or written; nothing was written
  0  otherwise";

pub(super) const SERVE: &str = "\
Examples:
  resourcesync build files/ --base-uri http://127.0.0.1:8018/ --out public
  resourcesync serve public
  resourcesync serve public --listen 127.0.0.1:0      any free port, which is printed

It serves what is in DIR: the documents of a Source, but not the files that they list, unless a link
inside DIR leads to files in DIR. It has no TLS, no log and no limits of rates. Use a web server for
a Source that others read.

Exit status:
  2  if the folder or the address cannot be used
  0  otherwise, when it is interrupted";

pub(super) const DIFF: &str = "\
Examples:
  resourcesync diff resourcelist-2024-01.xml resourcelist-2024-02.xml
  resourcesync diff old.csv new.csv
  curl -s https://example.com/resourcelist.xml | resourcesync diff old.xml - --format ndjson
  resourcesync diff old/ new/ --up https://example.com/capabilitylist.xml --output changelist.xml

Resources are matched by URI. If both sides have a digest by the same algorithm, the digests decide
whether the bitstream has changed; otherwise length and lastmod do.

Exit status:
  1  the Change List would not have been valid, e.g. because of more than 50,000 changes;
     with --exit-code also if there are changes
  2  something could not be read or written
  0  otherwise";

pub(super) const FIX: &str = "\
Examples:
  resourcesync fix changelist.xml                      show the diff, write nothing
  resourcesync fix changelist.xml --output fixed.xml
  resourcesync fix --in-place --zone +09:00 resourcelist.xml
  curl -s https://example.com/resourcelist.xml | resourcesync fix - --output - > fixed.xml

Repairs: names from old drafts and misspellings of capabilities, relations, kinds of change and
algorithms; digests in base64; spaces and non-ASCII characters in URIs; a missing slash in `path`;
datetimes with a space instead of `T`, and root datetimes that are not in UTC; prefixed
attributes; misspelt namespaces; the order of changes; root elements after the entries. All other
bytes are preserved. Repairs and remaining findings are printed to standard error, the diff to
standard output.

Exit status:
  0  the result is valid
  1  errors remain
  2  the document could not be read, checked to the end, or written";

pub(super) const LIST: &str = "\
Examples:
  resourcesync list part1.zip
  resourcesync list --no-fixity part1.zip                       fast, without unpacking
  resourcesync list --no-fixity https://example.com/part1.zip   fetches directory and manifest only
  resourcesync list --format json part1.zip |
      jq -r '.members[] | select(.state != \"verified\") | .name'

States:
  verified    listed in the manifest, and matches both manifest and archive
  sound       matches the archive, and cannot be in the manifest (the manifest itself, folders)
  unlisted    not listed in the manifest
  unchecked   not unpacked because of --no-fixity or a limit
  differs     does not match the manifest (length or the named digest)
  damaged     does not match the archive
  refused     must not be unpacked (encrypted, a link, a repeated or dangerous name …)
  missing     listed in the manifest, but not in the package
  unpackaged  listed in the manifest without a bitstream, e.g. a deletion

Exit status:
  1  the package is not valid
  2  otherwise, if something could not be checked, read or written, or the usage is wrong
  0  otherwise";

pub(super) const SYNC: &str = "\
Examples:
  resourcesync sync https://example.com/ copy            the first run: everything that is listed
  resourcesync sync copy                                 later runs: what changed since
  resourcesync sync --watch=10m copy                     keep following, until it is stopped
  resourcesync sync --plan list copy                     compare with the Resource Lists
  resourcesync sync --dry-run https://example.com/ copy  what would be done
  resourcesync sync --max-delete 500 copy                allow up to 500 deletions
  resourcesync sync --adopt https://example.com/ copy    take over files that are there already
  resourcesync sync --include 'theses/**' --type application/pdf https://example.com/ copy
  resourcesync sync --place https://example.com/files/=data https://example.com/ copy
  resourcesync sync --config sources.toml                several Sources, a table [[source]] each

Each file is verified by the listed digests and length before it gets its name. What is no longer
listed is moved to copy/.resourcesync/trash, and removed from there by the next run that ends in
step. Nothing is deleted if a list could not be read to its end. Later runs read only the Change
Lists, if these continue where the last run ended. Of several Sources, one that fails does not
end the others; the status is 1 before 2 before 0.

Exit status:
  0  in step: everything listed is held, and verified as far as anything is listed
  1  refused: too many deletions, an older list, files of others in the way
  2  incomplete: something failed, or was not read; locked, interrupted, no space, or wrong usage
     A dry run ends with 0 if the plan is complete, whether there is anything to do or not.";

pub(super) const AUDIT: &str = "\
Examples:
  resourcesync audit https://example.com/ copy    the copy against the lists of its Source
  resourcesync audit copy                         the same; the folder remembers its Source
  resourcesync audit --repair copy                and bring it in step if it differs
  resourcesync audit --offline copy               the files as verified when they were stored
  resourcesync audit --via --allow-host a.example copy    also with the originals of `via` links
  resourcesync audit --quick copy                 by size and time; no file is read

Signs:
  -  the resource is listed, and its file is missing, or no run could store it
  +  the resource is held, and not listed
  *  the Source lists another state, or the file has other bytes than those that were verified
  ?  cannot be compared, mostly as nothing is listed; --download compares the bytes
  !  the file could not be read
  ~  a file that is not of the copy (counted; named with --verbose)

Exit status:
  0  no difference
  1  differences
  2  no difference was found, and something could not be compared; or the folder is no copy";

pub(super) const INVENTORY: &str = "\
Examples:
  resourcesync inventory --format sha256sum copy | sha256sum --check --quiet
  resourcesync inventory --format csv copy > held.csv
  resourcesync inventory --base-uri https://mirror.example/ copy > held.jsonl
  resourcesync build --from-jsonl held.jsonl --base-uri https://mirror.example/ --out public

File names begin with DIR as it is named. What is printed is what was verified when it was stored;
`resourcesync audit --offline` tells whether the files are still the same.

Exit status:
  0  everything was printed
  2  the folder is no copy, or its state cannot be read";

pub(super) const EXTRACT: &str = "\
Examples:
  resourcesync extract part1.zip out/
  resourcesync extract https://example.com/part1.zip out/   by range requests, where supported
  resourcesync extract --uri 'https://example.com/res/*' part1.zip out/
  resourcesync extract --dry-run part1.zip out/             print what would be written

The whole package is verified first. If it is not valid, the findings are printed and nothing is
written. Members are unpacked to temporary files, verified again, and moved into place when all of
them are complete. Symbolic links in DIR are never followed, and files are not replaced without
--overwrite; those that have the right bytes already are left as they are, so that the same command
completes a run that was killed. Members that the manifest does not list are skipped. manifest.xml
is extracted, too, unless --uri is given.

Exit status:
  1  nothing was written because of a finding
  2  nothing was written because something could not be checked or written, a file exists already,
     no resource has a matching URI, or the usage is wrong
  0  everything was written";

pub(super) const EXPLAIN: &str = "\
Examples:
  resourcesync explain RL-03
  resourcesync explain missing-at --lang ja
  resourcesync explain XML-07
  resourcesync explain GEN-10 --format markdown

Exit status:
  2  if the code or rule is unknown, 0 otherwise";

pub(super) const RULES: &str = "\
Examples:
  resourcesync rules
  resourcesync rules --select CL,CLI --lang ja
  resourcesync rules --format json | jq -r '.[] | select(.severity == \"error\") | .code'

In the text output, * marks a derived level: the standard does not state the requirement but
implies it.

Exit status:
  2  if a selector is unknown, 0 otherwise";

pub(super) const COMPLETIONS: &str = "\
Examples:
  resourcesync completions bash > ~/.local/share/bash-completion/completions/resourcesync
  resourcesync completions zsh > ~/.zfunc/_resourcesync
  resourcesync completions fish > ~/.config/fish/completions/resourcesync.fish";

pub(super) const HELP: &str = "\
Examples:
  resourcesync help validate
  resourcesync help oai harvest
  resourcesync help http                        proxies, tokens, certificates, recordings
  resourcesync help limits                      every limit with its default and purpose";

pub(super) const MAN: &str = "\
Examples:
  resourcesync man | man -l -
  resourcesync man validate > resourcesync-validate.1
  resourcesync man oai harvest > resourcesync-oai-harvest.1";

pub(super) const OAI: &str = "\
Examples:
  resourcesync oai identify https://repository.example/oai
  resourcesync oai harvest https://repository.example/oai > records.jsonl
  resourcesync oai harvest https://repository.example/oai --into repository --from me@example.org
  resourcesync oai harvest repository           an incremental harvest, or the rest of one
  resourcesync oai validate https://repository.example/oai
  resourcesync oai bridge https://repository.example/oai --base-uri https://rs.example.org/ \\
    --out public                                publish it as a ResourceSync Source";

pub(super) const OAI_IDENTIFY: &str = "\
Examples:
  resourcesync oai identify https://repository.example/oai
  resourcesync oai identify --format json https://repository.example/oai";

pub(super) const OAI_LIST: &str = "\
Examples:
  resourcesync oai list --sets https://repository.example/oai
  resourcesync oai list --formats https://repository.example/oai
  resourcesync oai list --prefix jpcoar_2.0 --set theses https://repository.example/oai
  resourcesync oai list repository              the records of a store
  resourcesync oai list --quarantined repository";

pub(super) const OAI_GET: &str = "\
Examples:
  resourcesync oai get https://repository.example/oai oai:repository.example:1
  resourcesync oai get --standalone https://repository.example/oai oai:repository.example:1 > 1.xml";

pub(super) const OAI_BRIDGE: &str = "\
Examples:
  resourcesync oai bridge https://repository.example/oai --base-uri https://rs.example.org/ \\
    --out public --from me@example.org          harvest, publish; again: what changed
  resourcesync oai bridge repository --base-uri https://rs.example.org/ --out public
  resourcesync oai bridge https://repository.example/oai --base-uri https://rs.example.org/ \\
    --out public --form pointers                the URLs of the repository itself
  resourcesync oai bridge --repositories all.csv --base-uri https://rs.example.org/ \\
    --out public --form dump                    a Source each, in packages only
  resourcesync oai bridge https://repository.example/oai --base-uri https://rs.example.org/ \\
    --out public --watch=30m --hub https://hub.example.org/

Exit status: the worse of that of the harvest and that of the publication
  1  refused, as by --max-delete, or a note of the harvest reaches --fail-on
  2  otherwise, if a harvest is not complete, so that nothing was published, or another failure
  0  otherwise";

pub(super) const OAI_HARVEST: &str = "\
Examples:
  resourcesync oai harvest https://repository.example/oai > records.jsonl
  resourcesync oai harvest --into repository --from me@example.org https://repository.example/oai
  resourcesync oai harvest repository                           an incremental harvest
  resourcesync oai harvest --set theses --since 2026-01-01 https://repository.example/oai
  resourcesync oai harvest --dry-run https://repository.example/oai
  resourcesync oai harvest --into all --prefix all --store jsonl https://repository.example/oai
  resourcesync oai harvest --into weekly --repositories all.csv --lang ja --format markdown

With --output FILE, the records of an incomplete harvest are written to FILE.part.

Exit status:
  1  more records are missing than --max-delete allows, or a note reaches --fail-on
  2  otherwise, if a harvest is suspect or incomplete, or the usage is wrong
  0  otherwise";

pub(super) const OAI_VALIDATE: &str = "\
Examples:
  resourcesync oai validate https://repository.example/oai
  resourcesync oai validate --format markdown --lang ja https://repository.example/oai > report.md
  resourcesync oai validate --ignore OAI-28 --fail-on warning https://repository.example/oai
  resourcesync oai validate --record check.har https://repository.example/oai
  resourcesync oai validate --replay check.har https://repository.example/oai   without network
  resourcesync oai validate response.xml        one response, by itself

A check sends about 45 requests, at most one a second, some of them invalid on purpose, and changes
nothing. It ends at the first 403, and before a wait that is longer than --max-wait.

Exit status:
  1  there is a finding of --fail-on or above
  2  otherwise, if something could not be checked, or the usage is wrong
  0  otherwise";

#[cfg(test)]
mod tests {
    #[test]
    fn no_line_of_help_is_wrapped_again() {
        for line in include_str!("examples.rs").lines().filter(|line| !line.starts_with("#[")) {
            let printed = line.trim_end_matches("\";").replace("\\\\", "\\").replace("\\\"", "\"");
            assert!(printed.chars().count() <= 100, "{printed}");
        }
    }
}
