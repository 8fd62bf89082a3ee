/** The help text of the command. */

export const HELP = {
  all: `Validate ResourceSync documents and dump packages

Usage: resourcesync COMMAND …

  validate  Validate documents, packages, folders and standard input
  explain   Explain a code or rule: what, why it matters, how to fix it
  rules     List every rule and code

resourcesync COMMAND --help says more. This is the command as npm has it; URLs, --follow, configuration files
and all other commands are in the native one.
`,
  validate: `Usage: resourcesync validate [OPTIONS] PATH…

PATH is a document, a gzip-packed document, a dump package (ZIP), a folder, or \`-\` for standard input.

      --format FORMAT       {formats}; repeatable
  -o, --output FILE         write the --format before it to FILE
      --lang LANG           en or ja
      --max-per-rule N      findings shown and stored for each code and input; 0 for all
      --baseline REPORT     report only what an earlier JSON report does not have
      --color WHEN          auto, always or never
  -q, --quiet               no text when the exit status is 0
      --expect KIND         the kind every document has to be
      --no-fixity           do not unpack the members of packages
      --profile PROFILE     standard, strict or search-engines
      --select CODES        report only these
      --ignore CODES        do not report these
      --severity CODE=LEVEL make a code an error, warning or info
      --fail-on SEVERITY    exit with 1 from this severity on: error or warning
      --limit NAME=VALUE    move a limit, as in document_bytes=2000000000
      --name NAME           what to call the input (a single one)
      --uri URI             where the input is published (a single one)

Exit status: 1 if a finding reaches --fail-on, else 2 if anything could not be checked, else 0.
`,
  explain: `Usage: resourcesync explain [OPTIONS] CODE|RULE

      --format FORMAT   text, json or markdown
      --lang LANG       en or ja
`,
  rules: `Usage: resourcesync rules [OPTIONS]

      --format FORMAT   text or json
      --select CODES    only these codes, families or rules
      --lang LANG       en or ja
`,
} as const;
