//! The macro that declares a rule.

/// The level of a rule; `Beyond` if the protocol does not require it.
macro_rules! level {
    (Beyond) => {
        None
    };
    ($level:ident) => {
        Some(resourcesync::diagnostic::Level::$level)
    };
}
pub(super) use level;

macro_rules! section {
    ("") => {
        None
    };
    ($section:literal) => {
        Some(concat!("OAI-PMH 2.0 ", $section))
    };
}
pub(super) use section;

macro_rules! derived {
    (derived) => {
        true
    };
    (stated) => {
        false
    };
}
pub(super) use derived;

/// Declares a rule.
macro_rules! rule {
    (
        $constant:ident $id:literal $name:literal, $level:ident $derived:ident $severity:ident, $section:tt
        message $message:literal
        help $help:literal
        en { what $what:literal why $why:literal fix $fix:literal }
        ja {
            message $message_ja:literal help $help_ja:literal
            what $what_ja:literal why $why_ja:literal fix $fix_ja:literal
        }
        $(wrong $wrong:literal right $right:literal)?
    ) => {
        pub(super) static $constant: resourcesync::report::FamilyRule = resourcesync::report::FamilyRule {
            id: $id,
            name: $name,
            level: $crate::catalogue::rule::level!($level),
            derived: $crate::catalogue::rule::derived!($derived),
            severity: resourcesync::diagnostic::Severity::$severity,
            section: $crate::catalogue::rule::section!($section),
            message: $message,
            help: $help,
            texts: resourcesync::report::FamilyTexts {
                en: [$what, $why, $fix],
                ja: [$what_ja, $why_ja, $fix_ja],
                message_ja: $message_ja,
                help_ja: $help_ja,
                wrong: concat!("" $(, $wrong)?),
                right: concat!("" $(, $right)?),
            }
            .kept(),
        };
    };
}
pub(super) use rule;
