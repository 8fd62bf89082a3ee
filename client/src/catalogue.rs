//! The catalogue of the core and of every crate above it, for `explain` and `rules`.

use resourcesync::report::{Family, Lang, catalogue::Catalogue};

/// Every code that the command or the Python package can report. A crate with a family of its own is added here.
pub fn catalogue(lang: Lang) -> Catalogue {
    Catalogue::new(lang)
        .with(resourcesync_sync::catalogue::rows(lang))
        .with(resourcesync_notify::catalogue::rows(lang))
        .with(resourcesync_oai::catalogue::rows(lang))
}

/// The families of reports, so that one that was read can be rendered: [`Report::with_families`](resourcesync::report::Report::with_families).
pub fn families() -> [Family; 1] {
    [resourcesync_oai::provider::family()]
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn each_code_is_there_once_and_a_rule_has_one_message() {
        let catalogue = catalogue(Lang::En);
        let (mut codes, mut messages) = (BTreeSet::new(), BTreeMap::new());
        for row in catalogue.rows() {
            assert!(codes.insert(row.code), "{}", row.code);
            if row.detail.is_none() {
                assert_eq!(*messages.entry(row.rule).or_insert(row.message), row.message, "{}", row.rule);
            }
        }
        for code in ["RL-03", "XML-07", "SYN-01", "HUB-05", "OAI-04"] {
            assert!(catalogue.explain(code).is_ok(), "{code}");
        }
    }

    /// Requirements that a finding of an exchange reports as less than an error, and why.
    const MILDER: [(&str, &str); 2] = [
        ("WS-13", "the payload was accepted, with another status"),
        ("WS-42", "the callback already determines the topic of the delivery"),
    ];

    #[test]
    fn requirements_are_reported_with_their_level_and_severity() {
        let catalogue = catalogue(Lang::En);
        let mut compared = 0;
        for line in include_str!("../../tests/requirements.tsv").lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            let Some(row) = catalogue.rows().iter().find(|row| row.code == cells[0]) else { continue };
            let derived = if row.derived == Some(true) { " derived" } else { "" };
            assert_eq!(row.level.map(|level| format!("{level}{derived}")).as_deref(), Some(cells[1]), "{line}");
            let is_milder = MILDER.iter().any(|(code, _)| *code == row.code);
            assert_eq!(row.severity.as_str() != cells[3], is_milder, "{line}");
            compared += 1;
        }
        assert!(compared > 250, "{compared}");
    }

    #[test]
    fn families_of_other_crates_are_selected_by_name() {
        let catalogue = catalogue(Lang::Ja);
        let codes = |name| catalogue.select(&[name]).map(|rows| rows.len());
        assert!(codes("oai").is_ok_and(|count| count > 20));
        assert_eq!(codes("SYN-01"), Ok(1));
        assert!(codes("SIN-01").is_err_and(|error| error.suggestion == Some("SYN-01")));
    }
}
