//! Words that several subcommands print.

use resourcesync::{diagnostic::Severity, report::Lang};

/// The name of a severity.
pub(crate) fn severity(severity: Severity, lang: Lang) -> &'static str {
    match (severity, lang) {
        (severity, Lang::En) => severity.as_str(),
        (Severity::Error, Lang::Ja) => "エラー",
        (Severity::Warning, Lang::Ja) => "警告",
        (Severity::Info, Lang::Ja) => "情報",
    }
}

/// A count with its noun in English.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_follows_its_number() {
        assert_eq!(counted(1, "payload"), "1 payload");
        assert_eq!(counted(0, "payload"), "0 payloads");
        assert_eq!(counted(2, "entry"), "2 entries");
    }
}
