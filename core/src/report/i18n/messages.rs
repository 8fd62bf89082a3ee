//! Messages and helps of findings: templates filled with arguments, in English and Japanese.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
};

use crate::{
    diagnostic::{Arg, Code},
    model::Kind,
    report::{Lang, escape::truncated},
    rules::Rule,
    xml::Detail,
};

/// The message of a finding.
pub fn message(code: Code, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    let rule = Rule::of(code);
    let template = match lang {
        Lang::En => rule.message,
        #[cfg(feature = "texts")]
        Lang::Ja => rule.texts.message_ja,
    };
    fill(template, args, lang)
}

/// How to fix what a finding reports.
pub fn help(code: Code, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    let rule = Rule::of(code);
    let template = match lang {
        Lang::En => rule.help,
        #[cfg(feature = "texts")]
        Lang::Ja => rule.texts.help_ja,
    };
    fill(template, args, lang)
}

/// Replaces each `{name}` by its argument. A kind is replaced by its title, `{problem}` of a well-formedness error by the message of its detail.
pub fn fill(template: &str, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    fill_with(template, args, lang, |_| None)
}

/// Like [`fill`], for templates with additional names, whose text `own` returns.
pub fn fill_with(
    template: &str,
    args: &BTreeMap<String, Arg>,
    lang: Lang,
    own: impl Fn(&str) -> Option<String>,
) -> String {
    let mut text = String::with_capacity(template.len().saturating_add(32));
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = own(name).unwrap_or_else(|| value(name, args, lang));
        // An empty value between backticks would be invisible.
        rest = match after.strip_prefix('`') {
            Some(after) if value.is_empty() && text.ends_with('`') => {
                text.pop();
                text.push_str(nothing(lang));
                after
            }
            _ => after,
        };
        text.push_str(&value);
    }
    text.push_str(rest);
    text
}

/// The text for an empty value.
fn nothing(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "(empty)",
        #[cfg(feature = "texts")]
        Lang::Ja => "（空）",
    }
}

fn value(name: &str, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    match args.get(name) {
        Some(Arg::Number(number)) => number.to_string(),
        Some(Arg::Text(text)) => {
            if let Some(term) = super::terms::term(text, lang).filter(|_| name == "problem" || name == "looks") {
                return if term.contains('{') { fill(term, args, lang) } else { term.to_string() };
            }
            if let ("reason", Some(Arg::Reason(cause))) = (name, args.get("cause")) {
                return shorten(&super::reason(cause, lang));
            }
            let kind = Kind::find(text).filter(|_| name == "kind" || name.ends_with("Kind"));
            kind.map_or_else(|| shorten(text), |kind| title(kind, lang).to_string())
        }
        Some(Arg::Reason(cause)) => shorten(&super::reason(cause, lang)),
        None if name == "problem" => detail(args, lang),
        None => String::new(),
    }
}

/// The name of a kind in this language.
pub(in crate::report) fn title(kind: Kind, lang: Lang) -> &'static str {
    match lang {
        Lang::En => kind.title(),
        #[cfg(feature = "texts")]
        Lang::Ja => kind.title_ja(),
    }
}

/// The message of an `XML-nn` detail.
fn detail(args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    let Some(Arg::Text(code)) = args.get("detail") else { return String::new() };
    let Some(detail) = Detail::ALL.iter().find(|detail| detail.code() == code) else { return String::new() };
    let template = match lang {
        Lang::En => detail.message(),
        #[cfg(feature = "texts")]
        Lang::Ja => detail.message_ja(),
    };
    fill(template, args, lang)
}

/// Maximum characters of a value in a message.
const MAX_VALUE: usize = 120;

fn shorten(text: &str) -> String {
    truncated(text, MAX_VALUE)
}
