//! What `-h` shows: the options that most runs need. `--help` shows all of them.

use clap::Command;

/// The last line of `-h`.
const MORE: &str = "More: --help (all options, examples), `resourcesync help http`, `resourcesync help limits`";

/// The options that `-h` shows. Subcommands that are not listed here show all but those of HTTP.
const SHOWN: &[(&str, &[&str])] = &[
    (
        "validate",
        &[
            "follow",
            "base-uri",
            "resources",
            "format",
            "output",
            "lang",
            "max-per-rule",
            "baseline",
            "quiet",
            "profile",
            "ignore",
            "fail-on",
        ],
    ),
    (
        "build",
        &[
            "base-uri",
            "lang",
            "from-csv",
            "hash",
            "out",
            "documents-uri",
            "set",
            "dump",
            "gzip",
            "max-delete",
            "dry-run",
            "format",
            "quiet",
            "hub",
        ],
    ),
    (
        "dump",
        &[
            "base-uri",
            "lang",
            "from-csv",
            "from-jsonl",
            "hash",
            "include",
            "exclude",
            "out",
            "documents-uri",
            "format",
            "quiet",
        ],
    ),
    ("listen", &["callback", "listen", "state", "sync", "exec", "stop", "format", "lang", "quiet", "poll", "direct"]),
    (
        "sync",
        &[
            "dry-run",
            "full",
            "watch",
            "format",
            "output",
            "lang",
            "quiet",
            "include",
            "exclude",
            "no-delete",
            "max-delete",
            "adopt",
        ],
    ),
    (
        "oai bridge",
        &[
            "base-uri",
            "out",
            "form",
            "documents-uri",
            "watch",
            "hub",
            "prefix",
            "set",
            "format",
            "lang",
            "quiet",
            "from",
        ],
    ),
    (
        "oai harvest",
        &[
            "repositories",
            "prefix",
            "set",
            "since",
            "into",
            "store",
            "max-delete",
            "fail-on",
            "dry-run",
            "format",
            "lang",
            "quiet",
            "from",
        ],
    ),
    (
        "oai validate",
        &["format", "output", "lang", "max-per-rule", "baseline", "quiet", "ignore", "fail-on", "replay", "from"],
    ),
];

/// Hides the other options from the short help of a command and its subcommands, and names the rest of the help.
pub(super) fn shorten(command: Command) -> Command {
    shortened(command, "")
}

fn shortened(mut command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    for name in names {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(name, |own| shortened(own, path.trim_start()));
    }
    let shown = SHOWN.iter().find(|(name, _)| *name == path).map(|(_, shown)| *shown);
    let command = command.mut_args(|option| {
        let is_hidden = match (shown, option.get_long()) {
            (Some(shown), Some(long)) => !shown.contains(&long),
            _ => option.get_help_heading() == Some(super::http::HTTP),
        };
        if is_hidden { option.hide_short_help(true) } else { option }
    });
    match command.get_after_long_help() {
        Some(_) => command.after_help(MORE),
        // There is nothing more.
        None => command,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Cli;

    #[test]
    fn every_option_of_the_short_help_exists() {
        let mut command = Cli::command();
        command.build();
        for (path, shown) in SHOWN {
            let found = path.split(' ').try_fold(&command, |found, name| found.find_subcommand(name));
            let Some(found) = found else {
                assert!(cfg!(not(feature = "hub")) && *path == "listen", "{path}");
                continue;
            };
            for long in *shown {
                assert!(found.get_arguments().any(|own| own.get_long() == Some(long)), "--{long} of {path}");
            }
        }
    }
}
