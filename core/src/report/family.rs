//! The rules that crates above the core report: one row for each code, with its texts.

use alloc::{collections::BTreeMap, string::String};

#[cfg(feature = "texts")]
use super::catalogue::Row;
use super::{Lang, fill, fill_with, help, message};
use crate::diagnostic::{Arg, Code, Level, Severity};

/// The rules of a family, and the words of the arguments of their messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Family {
    /// Its name in reports, such as `OAI`.
    pub name: &'static str,
    /// In the order of the catalogue.
    pub rules: &'static [&'static FamilyRule],
    /// Values of the arguments `problem` and `kind`, with what they mean in English and in Japanese.
    pub terms: &'static [(&'static str, &'static str, &'static str)],
    /// What a report calls itself, in place of the words for ResourceSync documents.
    pub words: Option<&'static FamilyWords>,
}

/// The words of a report on something else than ResourceSync documents, each in English and in Japanese.
#[derive(Debug)]
pub struct FamilyWords {
    /// The title of the report.
    pub title: [&'static str; 2],
    /// The subject of a text to send, if there are errors.
    pub subject: [&'static str; 2],
    /// The same without errors.
    pub subject_fine: [&'static str; 2],
    /// What was checked, with `{tool}` and `{version}`.
    pub lead: [&'static str; 2],
    /// What the reader is asked to do.
    pub end: [&'static str; 2],
}

impl FamilyWords {
    /// Words in a language.
    pub(super) fn of(words: [&'static str; 2], lang: Lang) -> &'static str {
        let [en, _ja] = words;
        match lang {
            Lang::En => en,
            #[cfg(feature = "texts")]
            Lang::Ja => _ja,
        }
    }
}

impl Family {
    /// The rule of a code.
    pub fn find(&self, code: &str) -> Option<&'static FamilyRule> {
        self.rules.iter().find(|rule| rule.id == code).copied()
    }

    /// The message of a rule with its arguments.
    pub fn message(&self, rule: &FamilyRule, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
        let [message, _] = rule.templates(lang);
        fill_with(message, args, lang, |name| match args.get(name) {
            Some(Arg::Text(word)) if matches!(name, "problem" | "kind") => {
                let (_, en, ja) = self.terms.iter().find(|(own, ..)| own == word)?;
                Some(fill(FamilyWords::of([en, ja], lang), args, lang))
            }
            _ => None,
        })
    }
}

/// The message and the help of a code of the core or of one of these families; `None` if a newer version has it.
pub fn words(code: &str, args: &BTreeMap<String, Arg>, lang: Lang, families: &[Family]) -> Option<(String, String)> {
    if let Some(code) = Code::find(code) {
        return Some((message(code, args, lang), help(code, args, lang)));
    }
    families.iter().find_map(|family| {
        let rule = family.find(code)?;
        Some((family.message(rule, args, lang), rule.help(args, lang)))
    })
}

/// Two families are equal if they are the same.
impl PartialEq for Family {
    fn eq(&self, other: &Family) -> bool {
        core::ptr::eq(self.rules, other.rules)
    }
}

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
