//! Every requirement of the standard: the table of kinds, the rules, the Checker.
//!
//! A rule is a file in the folder of what it looks at, listed in the `mod.rs` there.

use crate::diagnostic::Code;

mod check_context;
mod checker;
mod dispatch;
mod document_state;
mod first_seen;
mod package_context;
mod profile;
mod rule;
mod table;

mod advice;
mod document;
mod entry;
mod input;
mod link;
mod package;
mod source;
mod time;
mod value;
mod zip;

pub use check_context::{Check, CheckContext, PathStep, timed};
pub use checker::{Checker, DocumentContext};
pub use document_state::{DocumentState, Earlier};
pub use first_seen::FirstSeen;
pub use package_context::{FoundMember, KnownPackage, KnownPackages, PackageMembers, last_segment};
pub use profile::{COMMON, Delivery, KindProfile, Level, Listed, Need, PROFILES};
pub use rule::Rule;
pub(crate) use rule::rule;
#[cfg(feature = "texts")]
pub use rule::{Explanation, Texts};

/// The folders, in the order in which their rules are checked.
const FOLDERS: &[&[&Rule]] = &[
    document::RULES,
    time::RULES,
    entry::RULES,
    value::RULES,
    link::RULES,
    input::RULES,
    package::RULES,
    source::RULES,
    zip::RULES,
    advice::RULES,
];

/// All rules.
pub static ALL: &[&Rule] = &joined();

/// The number of rules. Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const COUNT: usize = {
    let (mut count, mut folder) = (0, 0);
    while folder < FOLDERS.len() {
        count += FOLDERS[folder].len();
        folder += 1;
    }
    count
};

/// The rules of all families. Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn joined() -> [&'static Rule; COUNT] {
    let mut all = [FOLDERS[0][0]; COUNT];
    let (mut at, mut folder) = (0, 0);
    while folder < FOLDERS.len() {
        let mut rule = 0;
        while rule < FOLDERS[folder].len() {
            all[at] = FOLDERS[folder][rule];
            at += 1;
            rule += 1;
        }
        folder += 1;
    }
    all
}

/// For each code, the index in [`ALL`] of the rule that reports it. Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
static RULE_OF: [u16; Code::COUNT] = {
    assert!(ALL.len() < u16::MAX as usize, "more rules than a u16 can number");
    let mut table = [u16::MAX; Code::COUNT];
    let mut at = 0;
    while at < ALL.len() {
        let reports = ALL[at].reports;
        let mut code = 0;
        while code < reports.len() {
            assert!(table[reports[code].index()] == u16::MAX, "a requirement is reported by two rules");
            table[reports[code].index()] = at as u16;
            code += 1;
        }
        at += 1;
    }
    let mut code = 0;
    while code < table.len() {
        assert!(table[code] != u16::MAX, "a requirement is reported by no rule");
        code += 1;
    }
    table
};
