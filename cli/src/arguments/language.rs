//! The language of output: an option, a variable of the environment, the configuration, or the locale.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, parser::ValueSource};
use resourcesync::report::Lang;

use super::values;
use crate::locale::{locale, variable};

const LANG: &str = "lang";

/// The language of output.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Language {
    named: Option<Lang>,
    configured: Option<Lang>,
}

impl Language {
    /// For output that people read.
    pub(crate) fn for_people(self) -> Lang {
        self.named.or_else(variable).or(self.configured).unwrap_or_else(locale)
    }

    /// For output that programs read: English, unless the option says otherwise.
    pub(crate) fn for_programs(self) -> Lang {
        self.named.unwrap_or_default()
    }
}

impl Args for Language {
    fn augment_args(command: Command) -> Command {
        let help = "Language of the output: en or ja [default: RESOURCESYNC_LANG, the configuration, or the locale]";
        let arg = Arg::new(LANG).long(LANG).value_name("LANG").help(help);
        command.arg(arg.value_parser(values::lang()).hide_possible_values(true).hide_default_value(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Language {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Language, clap::Error> {
        let lang = matches.try_get_one(LANG).ok().flatten().copied();
        let is_named = lang.is_some() && matches.value_source(LANG) == Some(ValueSource::CommandLine);
        Ok(Language { named: lang.filter(|_| is_named), configured: lang.filter(|_| !is_named) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
