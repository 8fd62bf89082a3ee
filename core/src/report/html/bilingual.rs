//! The page as it is written: what differs between languages is there once for each, and a style sheet shows one of them.

use alloc::{format, string::String, vec::Vec};

use super::{super::i18n::labels::Phrases, words::Word};
use crate::report::{Lang, Report, escape::markup, outline::Outline};

/// A page in every language.
pub(super) struct Page<'a> {
    pub(super) report: &'a Report,
    pub(super) out: String,
    /// One for each language, beginning with the one asked for.
    outlines: Vec<Outline<'a>>,
}

impl<'a> Page<'a> {
    pub(super) fn new(report: &'a Report, lang: Lang) -> Page<'a> {
        let others = Lang::ALL.iter().filter(|other| **other != lang);
        let outlines = core::iter::once(&lang).chain(others).map(|lang| Outline::new(report, *lang)).collect();
        Page { report, out: String::new(), outlines }
    }

    /// In the language asked for.
    pub(super) fn first(&self) -> Outline<'a> {
        // There is at least the language asked for.
        self.outlines.first().copied().unwrap_or_else(|| Outline::new(self.report, Lang::default()))
    }

    /// Writes markup as it is.
    pub(super) fn push(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// Writes markup in each language; once if it is the same in all.
    pub(super) fn said(&mut self, markup: &dyn Fn(&Outline<'a>) -> String) {
        let all: Vec<(&str, String)> =
            self.outlines.iter().map(|outline| (outline.phrases.tag, markup(outline))).collect();
        let Some((_, first)) = all.first() else { return };
        if all.iter().all(|(_, other)| other == first) {
            self.out.push_str(first);
            return;
        }
        for (tag, markup) in all {
            self.out.push_str(&format!("<span lang=\"{tag}\">{markup}</span>\n"));
        }
    }

    pub(super) fn words(&mut self, word: Word) {
        self.said(&|outline| markup(word.of(outline.lang)));
    }

    /// A heading of a section.
    pub(super) fn heading(&mut self, word: Word) {
        self.push("<h2>");
        self.words(word);
        self.push("</h2>\n");
    }

    /// A heading from the labels that all formats share.
    pub(super) fn label(&mut self, label: fn(&Phrases) -> &'static str) {
        self.push("<h2>");
        self.said(&|outline| markup(label(outline.phrases)));
        self.push("</h2>\n");
    }

    /// The choice of language; without scripts, it works by the order of elements.
    pub(super) fn switch(&mut self) {
        if self.outlines.len() < 2 {
            return;
        }
        let first = self.first().lang;
        for lang in Lang::ALL {
            let Phrases { tag, language, .. } = Phrases::of(*lang);
            let checked = if *lang == first { " checked" } else { "" };
            self.push(&format!(
                "<input type=\"radio\" name=\"language\" id=\"show-{tag}\"{checked}><label for=\"show-{tag}\" lang=\"{tag}\">{language}</label>\n"
            ));
        }
    }
}

/// Text in which backticks delimit code.
pub(super) fn coded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else { break };
        out.push_str(&format!("{}<code>{}</code>", markup(before), markup(code)));
        rest = after;
    }
    out.push_str(&markup(rest));
    out
}
