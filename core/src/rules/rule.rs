//! The type of a rule, and the macro that declares one.

use super::Check;
use crate::diagnostic::Code;

/// One rule: the requirements it reports, its texts, its checks.
#[derive(Debug)]
pub struct Rule {
    /// The name, such as `missing-at`.
    pub name: &'static str,
    /// The requirements it reports. One requirement is reported by one rule.
    pub reports: &'static [Code],
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
    /// One line on how to fix it.
    pub help: &'static str,
    /// The checks. Empty if reading, the table of kinds or a higher room reports the rule.
    pub checks: &'static [Check],
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
    /// A document that violates the rule; empty if no single document can.
    pub wrong: &'static str,
    /// The same document, corrected.
    pub right: &'static str,
    /// The files below `core/src` with the check, if the rule has no checks of its own.
    pub checked_in: &'static [&'static str],
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

/// Declares a rule: one per file, with the parts in this order. `checks` lists its check functions; if reading, the table of kinds or a
/// higher room reports the rule, `checks in` names the files below `core/src` that do.
macro_rules! rule {
    ($name:literal reports $codes:tt checks in $places:tt $($words:tt)*) => {
        $crate::rules::rule! { @ $name $codes [] $places $($words)* }
    };
    ($name:literal reports $codes:tt checks $checks:tt $($words:tt)*) => {
        $crate::rules::rule! { @ $name $codes $checks [] $($words)* }
    };
    (
        @ $name:literal [$($code:ident),* $(,)?] [$($check:expr),* $(,)?] [$($place:literal),* $(,)?]
        message $message:literal
        help $help:literal
        en { what $what:literal why $why:literal fix $fix:literal }
        ja {
            message $message_ja:literal help $help_ja:literal
            what $what_ja:literal why $why_ja:literal fix $fix_ja:literal
        }
        wrong $wrong:literal
        right $right:literal
    ) => {
        #[doc = $what]
        pub(super) static RULE: $crate::rules::Rule = $crate::rules::Rule {
            name: $name,
            reports: &[$($crate::diagnostic::Code::$code),*],
            message: $message,
            help: $help,
            checks: &[$($check),*],
            #[cfg(feature = "texts")]
            texts: $crate::rules::Texts {
                en: $crate::rules::Explanation { what: $what, why: $why, fix: $fix },
                ja: $crate::rules::Explanation { what: $what_ja, why: $why_ja, fix: $fix_ja },
                message_ja: $message_ja,
                help_ja: $help_ja,
                wrong: $wrong,
                right: $right,
                checked_in: &[$($place),*],
            },
        };
    };
}
pub(crate) use rule;
