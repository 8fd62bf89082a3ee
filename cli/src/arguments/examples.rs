//! Examples and exit statuses at the end of each help text.

pub(super) const COMMAND: &str = "\
Examples:
  resourcesync validate resourcelist.xml        one document
  resourcesync validate public/                 every document in a folder
  resourcesync list part1.zip                   what is in a dump package
  resourcesync explain RL-03                    what a code means and how to fix it
  resourcesync rules --format json              all rules as data

Exit status:
  1  a finding reaches --fail-on (default: error)
  2  otherwise, if anything is undetermined, unreadable, unwritten or interrupted,
     or the usage is wrong
  0  otherwise";

pub(super) const VALIDATE: &str = "\
Examples:
  resourcesync validate resourcelist.xml changelist.xml.gz
  resourcesync validate --expect source-description .well-known/resourcesync
  resourcesync validate --lang ja public/
  resourcesync validate https://example.com/resourcelist.xml https://example.com/part1.zip
  resourcesync validate --follow --from me@example.org --record answers.jsonl https://example.com/
  curl -s https://example.com/resourcelist.xml | resourcesync validate --name resourcelist.xml -
  find . -name '*.xml' -print0 | resourcesync validate -0 --files-from -
  resourcesync validate --profile strict --ignore ADV --severity GEN-17=warning public/
  resourcesync validate --format sarif --output r.sarif --format junit --output r.xml public/
  resourcesync validate --format json --max-per-rule 0 public/ > before.json
  resourcesync validate --baseline before.json public/       only what is new

Configuration, as resourcesync.toml in the working folder or above it:
  profile = \"strict\"
  select = [\"GEN\", \"RL\"]
  ignore = [\"ADV-06\"]
  fail-on = \"warning\"
  lang = \"ja\"
  severity = { GEN-17 = \"warning\" }
  [limits]
  document_bytes = 2000000000

Interrupting (Ctrl-C) stops reading; what was found until then is still reported, with a verdict
of undetermined at best. A second Ctrl-C ends at once. If the reader of standard output goes away,
the rest is not written and the status stays.

Exit status:
  1  a finding reaches --fail-on (default: error)
  2  otherwise, if anything is undetermined, unreadable, unwritten or interrupted,
     or the usage is wrong
  0  otherwise: everything given was checked to its end";

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

The first run publishes Resource Lists, a Capability List and the Source Description; each run after it
compares with the run before and publishes what was created, updated and deleted in the open Change List.
A complete generation is made beside --out and takes its place in one step: harvesters see the old one or
the new one, whatever becomes of the run. If nothing changed, nothing is published.

With --hub the Source has notification channels, and hubs are notified of every publication but the first.

Exit status:
  1  a document would have been wrong, and nothing was published; or a hub refused a notification
  2  something could not be read or written, or another run is at work, and nothing was published; or
     notifications wait to be sent
  0  otherwise";

pub(super) const NOTIFY: &str = "\
Examples:
  resourcesync notify public                    send what `build --hub` could not send
  resourcesync notify --for 10m public          and try for ten minutes
  resourcesync notify --hub https://hub.example/ --topic https://example.com/changes.xml n.xml

What waits is in an outbox beside the published folder. The payloads of a topic are sent in order, the same
bytes at every try, and hubs do not wait for each other. `build` sends what waits, too.

Exit status:
  1  a document is not a valid notification, or a hub refused a payload
  2  payloads wait, something could not be read or written, or the usage is wrong
  0  otherwise: every hub accepted every payload";

pub(super) const DUMP: &str = "\
Examples:
  resourcesync dump files/ --base-uri https://example.com/files/ \\
      --documents-uri https://example.com/dump/ --out dump --package-bytes 1000000000
  resourcesync dump --from-csv items.csv --base-uri https://example.com/ --out dump

Packages are split by size and count; each has its manifest inside and a copy beside it. `build --dump`
publishes packages as part of a Source, and what changed as Change Dumps.

Exit status:
  1  a document or package would have been wrong, and nothing was written
  2  something could not be read or written; nothing was written
  0  otherwise";

pub(super) const DIFF: &str = "\
Examples:
  resourcesync diff resourcelist-2024-01.xml resourcelist-2024-02.xml
  resourcesync diff old.csv new.csv
  resourcesync diff old/ new/ --up https://example.com/capabilitylist.xml --output changelist.xml

Two resources are the same if their URIs are. Where both sides have a digest by the same algorithm it says
whether the bitstream changed; else length and lastmod do.

Exit status:
  1  the Change List would have been wrong, such as one of more than 50,000 changes
  2  something could not be read or written
  0  otherwise";

pub(super) const FIX: &str = "\
Examples:
  resourcesync fix changelist.xml                      show the difference, write nothing
  resourcesync fix changelist.xml --output fixed.xml
  resourcesync fix --in-place --zone +09:00 resourcelist.xml
  curl -s https://example.com/resourcelist.xml | resourcesync fix - --output - > fixed.xml

What is repaired: names of old drafts and other spellings of capabilities, relations, kinds of change
and algorithms; digests in base64; blanks and characters beyond ASCII in URIs; the slash of `path`;
datetimes with a blank for `T`, and times of the head in UTC; prefixed attributes; namespace names that
are nearly right; the order of changes; a head that stands after the entries. Everything else stays
to the byte. The repairs and the findings that remain go to standard error, the difference to
standard output.

Exit status:
  0  the result is valid
  1  errors remain
  2  the document could not be read or written, or not be judged to its end";

pub(super) const LIST: &str = "\
Examples:
  resourcesync list part1.zip
  resourcesync list --no-fixity part1.zip                       at once, without unpacking
  resourcesync list --format json part1.zip | jq -r '.members[] | select(.state != \"verified\") | .name'

States:
  verified    listed in the manifest, and all that archive and manifest say of it is true
  sound       what the archive says of it is true; the manifest says nothing of it (itself, folders)
  unlisted    not listed in the manifest
  unchecked   not unpacked: --no-fixity, or a limit was met
  differs     not what the manifest says: length, or the digest that is named
  damaged     not what the archive says
  refused     must not be unpacked: encrypted, a link, two of one name, a dangerous name ...
  missing     listed in the manifest, not in the package
  unpackaged  listed in the manifest without a bitstream, as deletions are

Exit status:
  1  the package is not valid
  2  otherwise, if anything could not be checked, read or written, or the usage is wrong
  0  otherwise";

pub(super) const EXTRACT: &str = "\
Examples:
  resourcesync extract part1.zip out/
  resourcesync extract --uri 'https://example.com/res/*' part1.zip out/
  resourcesync extract --dry-run part1.zip out/                 what would be written

The whole package is verified first. If it is not valid nothing is written, and what was found is
printed. Members are unpacked beside their places, verified once more, and moved there only when
all of them are whole. No symbolic link in DIR is followed, and nothing is replaced without
--overwrite. Members that the manifest does not list are left out; manifest.xml is written too,
unless --uri chooses.

Exit status:
  1  nothing was written because of a finding
  2  nothing was written because something could not be checked or written, was in the way, no
     bitstream belongs to the URI, or the usage is wrong
  0  all that was asked for is written";

pub(super) const EXPLAIN: &str = "\
Examples:
  resourcesync explain RL-03
  resourcesync explain missing-at --lang ja
  resourcesync explain XML-07
  resourcesync explain GEN-10 --format markdown

Exit status:
  2  if there is no such code or rule, 0 otherwise";

pub(super) const RULES: &str = "\
Examples:
  resourcesync rules
  resourcesync rules --select CL,CLI --lang ja
  resourcesync rules --format json | jq -r '.[] | select(.severity == \"error\") | .code'

In the text, a level followed by * is derived: the standard does not say it in words, but it
follows from what is said.

Exit status:
  2  if a selector is not known, 0 otherwise";

pub(super) const COMPLETIONS: &str = "\
Examples:
  resourcesync completions bash > ~/.local/share/bash-completion/completions/resourcesync
  resourcesync completions zsh > ~/.zfunc/_resourcesync
  resourcesync completions fish > ~/.config/fish/completions/resourcesync.fish";

pub(super) const MAN: &str = "\
Examples:
  resourcesync man | man -l -
  resourcesync man validate > resourcesync-validate.1";

pub(super) const OAI: &str = "\
Examples:
  resourcesync oai identify https://repository.example/oai
  resourcesync oai harvest https://repository.example/oai > records.jsonl
  resourcesync oai harvest https://repository.example/oai --into repository --from me@example.org
  resourcesync oai harvest repository           an incremental harvest, or the rest of one";

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

pub(super) const OAI_HARVEST: &str = "\
Examples:
  resourcesync oai harvest https://repository.example/oai > records.jsonl
  resourcesync oai harvest --into repository --from me@example.org https://repository.example/oai
  resourcesync oai harvest repository                           an incremental harvest
  resourcesync oai harvest --set theses --since 2026-01-01 https://repository.example/oai
  resourcesync oai harvest --dry-run https://repository.example/oai
  resourcesync oai harvest --into all --prefix all --store jsonl https://repository.example/oai
  resourcesync oai harvest --into weekly --repositories all.csv --lang ja --format markdown

Exit status:
  1  more records are missing than --max-delete allows, or a note reaches --fail-on
  2  otherwise, if a harvest is suspect or incomplete, or the usage is wrong
  0  otherwise";
