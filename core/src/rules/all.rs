//! All rules, found by code and by name.

use super::{Rule, advice, document, entry, input, link, package, search_engine, source, time, value, zip};
use crate::diagnostic::Code;

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
    search_engine::RULES,
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

impl Rule {
    /// The rule that reports a requirement.
    #[allow(clippy::indexing_slicing)] // both tables are as long as the catalogue and the list
    pub fn of(code: Code) -> &'static Rule {
        // INVARIANT: every code of the catalogue is reported by exactly one rule; the compiler checks it (`RULE_OF`).
        ALL[usize::from(RULE_OF[code.index()])]
    }

    /// The rule of this name.
    pub fn find(name: &str) -> Option<&'static Rule> {
        ALL.iter().copied().find(|rule| rule.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_found_by_its_name() {
        for rule in ALL {
            assert_eq!(Rule::find(rule.name).map(|found| found.name), Some(rule.name));
        }
        assert!(Rule::find("no-such-rule").is_none());
    }
}
