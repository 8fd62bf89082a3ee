//! The rules that crates above the core report: one row for each code, with its texts.

use alloc::{collections::BTreeMap, string::String};

#[cfg(feature = "texts")]
use super::catalogue::Row;
use super::{Lang, fill};
use crate::diagnostic::{Arg, Level, Severity};

/// One rule of a family such as `OAI`: its code and its texts.
#[derive(Debug)]
pub struct FamilyRule {
    /// The stable id, such as `OAI-04`.
    pub id: &'static str,
    /// The name, such as `damaged-record`.
    pub name: &'static str,
    /// The requirement level; `None` if no specification requires it.
    pub level: Option<Level>,
    /// True if the specification implies it without stating it.
    pub derived: bool,
    /// The severity.
    pub severity: Severity,
    /// The section of the specification.
    pub section: Option<&'static str>,
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
    /// One line on how to fix it.
    pub help: &'static str,
    /// The other texts: [`FamilyTexts::kept`].
    pub texts: Option<&'static FamilyTexts>,
}

/// The texts of a rule that are not needed to report it in English.
#[derive(Debug)]
pub struct FamilyTexts {
    /// The explanation: what is required, why it matters, how to fix it.
    pub en: [&'static str; 3],
    /// The explanation in Japanese.
    pub ja: [&'static str; 3],
    /// The message in Japanese.
    pub message_ja: &'static str,
    /// The help in Japanese.
    pub help_ja: &'static str,
    /// An input that violates the rule; empty if no single one can.
    pub wrong: &'static str,
    /// The same input, corrected.
    pub right: &'static str,
}

impl FamilyTexts {
    /// The texts, or `None` without the feature `texts`, so that the program does not contain them.
    pub const fn kept(&'static self) -> Option<&'static FamilyTexts> {
        if cfg!(feature = "texts") { Some(self) } else { None }
    }
}

impl FamilyRule {
    /// The templates of message and help in a language.
    pub fn templates(&self, lang: Lang) -> [&'static str; 2] {
        match (lang, self.texts) {
            #[cfg(feature = "texts")]
            (Lang::Ja, Some(texts)) => [texts.message_ja, texts.help_ja],
            _ => [self.message, self.help],
        }
    }

    /// The message with its arguments.
    pub fn message(&self, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
        let [message, _] = self.templates(lang);
        fill(message, args, lang)
    }

    /// The help with its arguments.
    pub fn help(&self, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
        let [_, help] = self.templates(lang);
        fill(help, args, lang)
    }

    /// The row of the catalogue in a language.
    #[cfg(feature = "texts")]
    pub fn row(&self, lang: Lang) -> Row {
        let [message, help] = self.templates(lang);
        let explanation = self.texts.map(|texts| match lang {
            Lang::En => texts.en,
            Lang::Ja => texts.ja,
        });
        let [what, why, fix] = explanation.unwrap_or_default();
        Row {
            code: self.id,
            rule: self.name,
            detail: None,
            level: self.level.map(Level::as_str),
            derived: self.level.map(|_| self.derived),
            severity: self.severity,
            section: self.section,
            message,
            help,
            what,
            why,
            fix,
            wrong: self.texts.map_or("", |texts| texts.wrong),
            right: self.texts.map_or("", |texts| texts.right),
        }
    }
}
