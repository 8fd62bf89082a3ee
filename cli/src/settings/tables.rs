//! The options of subcommands that a configuration file may set. Their values are read as those of the command line are.

use std::ffi::OsString;

use clap::{Arg, Command, Id};
use resourcesync::edit_distance::unknown;
use toml::de::{DeTable, DeValue};

use super::{
    file::{Complaint, Value},
    sources::{self, SOURCE},
    values::{Key, check, in_order, pairs, texts},
};

/// The options that stand outside of tables, for every subcommand that has them. So do the limits.
const SHARED: &[&str] = &["lang", "from", "robots"];
const LIMITS: &str = "limits";
/// The table of a hub has keys of its own.
const HUB: &str = "hub";

/// The tables of subcommands, and the options that may stand in each. The file may come with the folder that is checked:
/// none of them names hosts, credentials, programs, or files to read or write.
const TABLES: &[(&str, &str)] = &[
    ("validate", "profile select ignore severity fail-on max-per-rule no-fixity max-time jobs"),
    (
        "build",
        "hash include exclude hidden set dump gzip rotate keep keep-generations ignore fail-on max-delete expect-entries jobs",
    ),
    ("dump", "hash include exclude hidden package-entries package-bytes ignore fail-on jobs"),
    (
        "sync",
        "plan require-hash max-age newer wait include exclude type collection max-length with-metadata alternates \
         no-delete max-delete trash history layout durability whole max-bytes max-time max-listed",
    ),
    ("audit", "include exclude type collection max-length max-listed"),
    (
        "listen",
        "kind poll include exclude type collection max-length with-metadata alternates require-hash no-delete max-delete trash",
    ),
    (
        "oai harvest",
        "prefix set window overlap reconcile max-delete repair allow-quarantine tolerance on-loop fail-on jobs delay \
         max-wait max-time post",
    ),
    ("oai validate", "profile select ignore severity fail-on max-per-rule delay max-wait max-time"),
    (
        "oai bridge",
        "prefix set window overlap reconcile max-delete repair allow-quarantine tolerance on-loop fail-on delay max-wait post \
         form collections describes hash dump gzip rotate snapshot keep keep-generations",
    ),
];

/// What a file sets for one subcommand.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The values of options by their id, which those of the command line replace.
    defaults: Vec<(Id, Vec<String>)>,
    /// Options such as `--limit NAME=VALUE`, to which the command line adds.
    pub(super) pairs: Vec<OsString>,
}

impl Given {
    /// What a file sets for the subcommand with this path. The other keys are checked, too.
    pub(super) fn read(root: &DeTable<'_>, command: &Command, path: &str) -> Result<Given, Complaint> {
        let mut given = Given::default();
        for (key, value) in in_order(root) {
            let name: &str = key.get_ref();
            if let Some(option) = SHARED.iter().find(|known| **known == name) {
                let own = found(command, path, option);
                given.option(option, own.or(found(command, "validate", option)), own.is_some(), value)?;
            } else if name == LIMITS {
                given.limits(command, path, value)?;
            } else if name == SOURCE {
                sources::read(value, command)?;
            } else if name != HUB {
                given.table("", key, value, command, path)?;
            }
        }
        Ok(given)
    }

    /// The command with these values as defaults of a subcommand.
    pub(super) fn apply(self, command: Command, path: &[String]) -> Command {
        match path {
            [] => self
                .defaults
                .into_iter()
                .fold(command, |command, (option, texts)| command.mut_arg(option, |arg| arg.default_values(texts))),
            [first, rest @ ..] => command.mut_subcommand(first, |command| self.apply(command, rest)),
        }
    }

    /// A table of a subcommand, or one with tables of subcommands.
    fn table(
        &mut self,
        above: &str,
        key: &Key<'_>,
        value: &Value<'_>,
        command: &Command,
        path: &str,
    ) -> Result<(), Complaint> {
        let name = format!("{above}{}", key.get_ref());
        let below = format!("{name} ");
        let Some((own, options)) = TABLES.iter().find(|(own, _)| *own == name || own.starts_with(&below)) else {
            let tables = TABLES.iter().filter_map(|(own, _)| own.strip_prefix(above)?.split(' ').next());
            let others = [LIMITS, HUB, SOURCE].into_iter().chain(SHARED.iter().copied()).filter(|_| above.is_empty());
            return Err((key.span().start, unknown("key", key.get_ref(), others.chain(tables))));
        };
        let DeValue::Table(table) = value.get_ref() else {
            return Err((value.span().start, format!("expected a table `{}`", name.replace(' ', "."))));
        };
        for (key, value) in in_order(table) {
            if *own != name {
                self.table(&below, key, value, command, path)?;
                continue;
            }
            let Some(option) = options.split(' ').find(|option| *option == key.get_ref().as_ref()) else {
                return Err((key.span().start, unknown("key", key.get_ref(), options.split(' '))));
            };
            self.option(option, found(command, own, option), *own == path, value)?;
        }
        Ok(())
    }

    /// The value of an option.
    fn option(
        &mut self,
        option: &'static str,
        of: Option<(&Command, &Arg)>,
        is_wanted: bool,
        value: &Value<'_>,
    ) -> Result<(), Complaint> {
        // A build without a subcommand has nobody who reads its table.
        let Some((command, arg)) = of else { return Ok(()) };
        let is_pair = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('=')));
        let texts = if is_pair { pairs(value)? } else { texts(arg, value)? };
        for (at, text) in &texts {
            check(command, arg, text).map_err(|words| (*at, words))?;
        }
        if is_wanted && is_pair {
            self.pairs.extend(texts.iter().map(|(_, text)| format!("--{option}={text}").into()));
        } else if is_wanted {
            self.defaults.push((arg.get_id().clone(), texts.into_iter().map(|(_, text)| text).collect()));
        }
        Ok(())
    }

    /// The limits, of which each subcommand takes those that it has.
    fn limits(&mut self, command: &Command, path: &str, value: &Value<'_>) -> Result<(), Complaint> {
        for (at, text) in pairs(value)? {
            let check = |path| found(command, path, "limit").map(|(command, arg)| check(command, arg, &text));
            if check(path) == Some(Ok(())) {
                self.pairs.push(format!("--limit={text}").into());
            } else if check("oai harvest") != Some(Ok(())) {
                check("validate").unwrap_or(Ok(())).map_err(|words| (at, words))?;
            }
        }
        Ok(())
    }
}

/// An option of a subcommand.
fn found<'a>(command: &'a Command, path: &str, option: &str) -> Option<(&'a Command, &'a Arg)> {
    let command = path.split(' ').try_fold(command, |command, name| command.find_subcommand(name))?;
    Some((command, command.get_arguments().find(|arg| arg.get_long() == Some(option))?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{arguments, settings::file::parse};

    fn given(text: &str, path: &str) -> Result<Given, (usize, String)> {
        parse(text, |root| Given::read(root, &arguments::command(), path))
    }

    #[test]
    fn a_subcommand_gets_its_table_and_what_all_share() {
        let text = "lang = 'ja'\nrobots = true\n[limits]\ndepth = 1_00\noai_pages = 3\n[validate]\nselect = ['RL', 'CL-13']\n\
                    jobs = 2\nseverity = { GEN-17 = 'info' }\n[oai.harvest]\nset = ['a']\n[hub]\nany = 1\n";
        let own = given(text, "validate").unwrap();
        let defaults: Vec<_> = own.defaults.iter().map(|(option, texts)| (option.as_str(), texts.join(" "))).collect();
        let expected = [("lang", "ja"), ("robots", "true"), ("select", "RL CL-13"), ("jobs", "2")];
        assert_eq!(defaults, expected.map(|(option, text)| (option, text.to_owned())));
        assert_eq!(own.pairs, ["--limit=depth=100", "--severity=GEN-17=info"]);
        let own = given(text, "oai harvest").unwrap();
        assert_eq!(
            own.defaults.iter().map(|(option, _)| option.as_str()).collect::<Vec<_>>(),
            ["lang", "robots", "set"]
        );
        assert_eq!(own.pairs, ["--limit=oai_pages=3"]);
        assert_eq!(given(text, "diff").unwrap().defaults.len(), 1);
    }

    #[test]
    fn the_topmost_complaint_is_made_with_its_line() {
        for (text, line, words) in [
            ("lng = 'en'\nignroe = []", 1, "unknown key `lng`; did you mean `lang`?"),
            ("[validate]\nselct = []", 2, "unknown key `selct`; did you mean `select`?"),
            ("[oai.havrest]", 1, "unknown key `havrest`; did you mean `harvest`?"),
            ("oai = 1", 1, "expected a table `oai`"),
            ("[sync]\nrebuild = true", 2, "unknown key `rebuild`; expected one of "),
            ("[validate]\nlang = 'en'\nprofile = 'strickt'", 2, "unknown key `lang`; expected one of "),
            ("lang = 'en'\n[validate]\nprofile = 'strickt'", 3, "`strickt` is not standard or strict"),
            ("[sync]\nno-delete = 1", 2, "expected true or false"),
            ("[sync]\nmax-delete = 'few'", 2, "expected a number, or a share such as 2%"),
            ("[limits]\ndeepness = 3", 2, "unknown limit `deepness`; expected one of "),
            ("[limits]\ndepth = -3", 2, "expected a text in quotes, or a whole number"),
        ] {
            let (at, complaint) = given(text, "build").unwrap_err();
            assert!(at == line && complaint.starts_with(words), "{text}: {at}: {complaint}");
        }
    }

    #[test]
    fn every_option_of_a_table_exists_and_is_documented() {
        let command = arguments::command();
        let page = include_str!("../../../docs/configuration.md");
        for (path, options) in TABLES {
            let row = format!("| `[{}]` | `{}` |\n", path.replace(' ', "."), options.replace(' ', "`, `"));
            assert!(page.contains(&row), "{row}");
            for option in options.split(' ') {
                let is_built = cfg!(feature = "hub") || *path != "listen";
                assert_eq!(found(&command, path, option).is_some(), is_built, "--{option} of {path}");
            }
        }
    }
}
