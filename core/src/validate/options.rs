//! The options of validation.

use alloc::borrow::Cow;

use crate::{
    limits::Limits,
    model::Kind,
    report::{Profile, Selection},
};

/// The options of validation. The defaults are those of the command.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The expected kind of every input.
    pub expect: Option<Kind>,
    /// How strict to be; must be the profile of `selection`.
    pub profile: Profile,
    /// The selected findings and their severities.
    pub selection: Selection,
    /// The limits on inputs.
    pub limits: Limits,
    /// Findings stored for each code, severity and input; 0 stores all.
    pub max_per_rule: u64,
    /// Skips reading the members of packages: structure, manifest and declared lengths are checked, digests are not.
    pub no_fixity: bool,
    /// The seed of hashes: a random number of each run, so that nobody can prepare documents whose entries collide. The report does
    /// not depend on it. The default is 0, since there is no randomness here.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            expect: None,
            profile: Profile::Standard,
            selection: Selection::default(),
            limits: Limits::default(),
            max_per_rule: 100,
            no_fixity: false,
            seed: 0,
        }
    }
}

/// Borrowed or owned options.
impl<'a> From<&'a Options> for Cow<'a, Options> {
    fn from(options: &'a Options) -> Cow<'a, Options> {
        Cow::Borrowed(options)
    }
}

/// Owned options, for callers that cannot borrow.
impl From<Options> for Cow<'_, Options> {
    fn from(options: Options) -> Self {
        Cow::Owned(options)
    }
}

/// The selection of options that are borrowed or owned.
pub(crate) fn selection(options: Cow<'_, Options>) -> Cow<'_, Selection> {
    match options {
        Cow::Borrowed(options) => Cow::Borrowed(&options.selection),
        Cow::Owned(options) => Cow::Owned(options.selection),
    }
}
