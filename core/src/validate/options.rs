//! The options of validation.

use alloc::{borrow::Cow, format, vec::Vec};

use crate::{
    limits::Limits,
    model::Kind,
    report::{Profile, RunOptions, Selection},
};

/// Findings stored for each code, severity and input, unless another number is requested.
pub(super) const MAX_PER_RULE: u64 = 100;

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
            max_per_rule: MAX_PER_RULE,
            no_fixity: false,
            seed: 0,
        }
    }
}

impl Options {
    /// What a report records of them. The seed does not change it.
    pub(super) fn for_report(&self) -> RunOptions {
        let mut limits = Vec::new();
        for ((name, own), usual) in Limits::NAMES.iter().zip(self.limits.values()).zip(Limits::default().values()) {
            if own != usual {
                limits.push(format!("{name}={own}"));
            }
        }
        let mut options = RunOptions {
            expect: self.expect,
            limits,
            max_per_rule: Some(self.max_per_rule).filter(|most| *most != MAX_PER_RULE),
            no_fixity: self.no_fixity,
            ..RunOptions::default()
        };
        self.selection.name_in(&mut options);
        options
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
