//! The language of output: an option, a variable of the environment, or the locale.

use clap::Args;
use resourcesync::report::Lang;

use super::values;
use crate::locale::{locale, variable};

/// The language of output.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Language {
    /// Language of the output: en or ja [default: RESOURCESYNC_LANG, then the locale]
    #[arg(long, value_name = "LANG", value_parser = values::lang(), hide_possible_values = true)]
    lang: Option<Lang>,
}

impl Language {
    /// The language that the option names.
    pub(crate) fn named(self) -> Option<Lang> {
        self.lang
    }

    /// For output that people read.
    pub(crate) fn for_people(self) -> Lang {
        self.lang.or_else(variable).unwrap_or_else(locale)
    }

    /// For output that programs read: English, unless the option says otherwise.
    pub(crate) fn for_programs(self) -> Lang {
        self.lang.unwrap_or_default()
    }
}
