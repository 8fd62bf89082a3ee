//! The type of a rule, and the macro that declares one.

use resourcesync::diagnostic::{Level, Severity};

/// One rule: its code and its texts.
#[derive(Debug)]
pub struct Rule {
    /// The stable id, such as `OAI-04`.
    pub id: &'static str,
    /// The name, such as `damaged-record`.
    pub name: &'static str,
    /// The requirement level; `None` if the protocol does not require it.
    pub level: Option<Level>,
    /// True if the protocol implies it without stating it.
    pub derived: bool,
    /// The severity.
    pub severity: Severity,
    /// The section of the protocol.
    pub section: Option<&'static str>,
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
    /// One line on how to fix it.
    pub help: &'static str,
    /// The explanation and the Japanese texts.
    #[cfg(feature = "texts")]
    pub texts: Texts,
}

/// The texts of a rule that are not needed to report it in English.
#[cfg(feature = "texts")]
#[derive(Debug)]
pub struct Texts {
    /// English explanation.
    pub en: Explanation,
    /// Japanese explanation.
    pub ja: Explanation,
    /// The message in Japanese.
    pub message_ja: &'static str,
    /// The help in Japanese.
    pub help_ja: &'static str,
    /// A page that violates the rule; empty if no single page can.
    pub wrong: &'static str,
    /// The same page, corrected.
    pub right: &'static str,
}

/// A rule explained in one language.
#[cfg(feature = "texts")]
#[derive(Debug)]
pub struct Explanation {
    /// The requirement, in one sentence.
    pub what: &'static str,
    /// Why it matters to a harvester.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
}

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
        pub(super) static $constant: $crate::catalogue::Rule = $crate::catalogue::Rule {
            id: $id,
            name: $name,
            level: $crate::catalogue::rule::level!($level),
            derived: $crate::catalogue::rule::derived!($derived),
            severity: resourcesync::diagnostic::Severity::$severity,
            section: $crate::catalogue::rule::section!($section),
            message: $message,
            help: $help,
            #[cfg(feature = "texts")]
            texts: $crate::catalogue::Texts {
                en: $crate::catalogue::Explanation { what: $what, why: $why, fix: $fix },
                ja: $crate::catalogue::Explanation { what: $what_ja, why: $why_ja, fix: $fix_ja },
                message_ja: $message_ja,
                help_ja: $help_ja,
                wrong: concat!("" $(, $wrong)?),
                right: concat!("" $(, $right)?),
            },
        };
    };
}
pub(super) use rule;
