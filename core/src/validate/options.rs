//! The options of validation.

use alloc::borrow::Cow;

use crate::{
    limits::Limits,
    model::Kind,
    report::{Profile, Selection},
};

/// How to validate. The default is what the command does without options.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The kind every document given is expected to be.
    pub expect: Option<Kind>,
    /// How strict to be; must be the one `selection` was made with.
    pub profile: Profile,
    /// Which findings count, and how much.
    pub selection: Selection,
    /// How far to follow an input.
    pub limits: Limits,
    /// Findings stored for each code, severity and input; 0 stores all.
    pub max_per_rule: u64,
    /// Leaves the members of packages unread: structure, manifest and declared lengths are checked, digests are not.
    pub no_fixity: bool,
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
        }
    }
}

/// Options for as long as they are borrowed.
impl<'a> From<&'a Options> for Cow<'a, Options> {
    fn from(options: &'a Options) -> Cow<'a, Options> {
        Cow::Borrowed(options)
    }
}

/// Options of its own, for callers that keep what uses them where nothing can be borrowed.
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
