//! Parses options from names and values as text, for the command and all language bindings.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    diagnostic::Severity,
    edit_distance::nearest,
    limits::Limits,
    model::Kind,
    report::{Profile, Selection, Selector},
    validate::Options,
};

/// Validation options as text. Every error message names the option and the invalid word.
///
/// ```
/// use resourcesync::api::OptionWords;
///
/// let words = OptionWords { profile: Some("strict".into()), limits: vec![("depth".into(), 10)], ..OptionWords::default() };
/// assert_eq!(words.options()?.limits.depth, 10);
/// let words = OptionWords { limits: vec![("dept".into(), 10)], ..OptionWords::default() };
/// assert_eq!(words.options().unwrap_err(), "limits: unknown limit `dept`; did you mean `depth`?");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OptionWords {
    /// The kind that every document must have.
    pub expect: Option<String>,
    /// How strict to be.
    pub profile: Option<String>,
    /// Selected codes, families, rules or details; empty selects all.
    pub select: Vec<String>,
    /// Ignored codes, families, rules or details.
    pub ignore: Vec<String>,
    /// Pairs of a code, family or rule and its severity; later pairs take precedence.
    pub severity: Vec<(String, String)>,
    /// Limits and their values.
    pub limits: Vec<(String, u64)>,
    /// How the names of limits are written.
    pub limit_names: LimitNames,
    /// Findings stored for each code, severity and input; 0 stores all.
    pub max_per_rule: Option<u64>,
    /// Skips reading the members of packages.
    pub no_fixity: bool,
}

/// How the names of limits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LimitNames {
    /// `document_bytes`; hyphens are accepted, too.
    #[default]
    Snake,
    /// `documentBytes`.
    Camel,
}

impl OptionWords {
    /// The options.
    ///
    /// # Errors
    ///
    /// A one-line message, if a word is unknown.
    pub fn options(&self) -> Result<Options, String> {
        let mut options = Options::default();
        if let Some(name) = &self.expect {
            options.expect = Some(Kind::parse(name).map_err(|error| format!("expect: {error}"))?);
        }
        if let Some(name) = &self.profile {
            options.profile = Profile::find(name)
                .ok_or_else(|| format!("profile: `{name}` is not standard, strict or search-engines"))?;
        }
        let severities = self.severity.iter().map(|(name, level)| severity(name, level));
        let severities =
            severities.collect::<Result<Vec<_>, String>>().map_err(|error| format!("severity: {error}"))?;
        let (select, ignore) = (selectors("select", &self.select)?, selectors("ignore", &self.ignore)?);
        options.selection = Selection::new(options.profile, &select, &ignore, &severities);
        for (name, value) in &self.limits {
            let own = self
                .limit_names
                .find(name, Limits::NAMES.iter().copied())
                .map_err(|error| format!("limits: {error}"))?;
            if !options.limits.set(own, *value) {
                return Err(format!("limits: {value} is too large for `{name}`"));
            }
        }
        options.max_per_rule = self.max_per_rule.unwrap_or(options.max_per_rule);
        options.no_fixity = self.no_fixity;
        Ok(options)
    }
}

fn selectors(option: &str, names: &[String]) -> Result<Vec<Selector>, String> {
    let selector = |name: &String| name.trim().parse().map_err(|error| format!("{option}: {error}"));
    names.iter().map(selector).collect()
}

/// A severity assigned to a code, family or rule.
///
/// # Errors
///
/// A one-line message, if either is unknown, or if the name is that of a detail.
pub fn severity(name: &str, level: &str) -> Result<(Selector, Severity), String> {
    let selector: Selector = name.parse().map_err(|error: crate::report::SelectorError| error.to_string())?;
    if let Selector::Detail(detail) = selector {
        return Err(format!("details such as {detail} have the severity of GEN-01; set that"));
    }
    let severity = Severity::find(level).ok_or_else(|| format!("`{level}` is not error, warning or info"))?;
    Ok((selector, severity))
}

impl LimitNames {
    /// Finds a limit by name among `names`, which are in snake case.
    ///
    /// # Errors
    ///
    /// A message with the most similar name, if there is no such limit.
    pub fn find(self, text: &str, names: impl Iterator<Item = &'static str> + Clone) -> Result<&'static str, String> {
        let wanted = match self {
            LimitNames::Snake => text.replace('-', "_"),
            LimitNames::Camel => snake(text),
        };
        if let Some(name) = names.clone().find(|name| *name == wanted && self.written(name).len() == text.len()) {
            return Ok(name);
        }
        match nearest(&wanted, names.clone()) {
            Some(near) => Err(format!("unknown limit `{text}`; did you mean `{}`?", self.written(near))),
            None => {
                let all: Vec<String> = names.map(|name| self.written(name)).collect();
                Err(format!("unknown limit `{text}`; expected one of {}", all.join(", ")))
            }
        }
    }

    /// A name in the spelling of this language binding.
    fn written(self, name: &str) -> String {
        match self {
            LimitNames::Snake => name.to_string(),
            LimitNames::Camel => camel(name),
        }
    }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut camel = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_misspelt_word_is_named_with_its_option() {
        let wrong = |change: fn(&mut OptionWords)| {
            let mut words = OptionWords::default();
            change(&mut words);
            words.options().map(|_| ()).unwrap_err()
        };
        assert!(
            wrong(|w| w.expect = Some("list".into()))
                .starts_with("expect: unknown kind `list`; expected one of source-desc")
        );
        assert_eq!(
            wrong(|w| w.profile = Some("lax".into())),
            "profile: `lax` is not standard, strict or search-engines"
        );
        assert!(wrong(|w| w.select = vec!["RL-0".into()]).starts_with("select: "));
        assert!(wrong(|w| w.ignore = vec!["RL-0".into()]).starts_with("ignore: "));
        let error = wrong(|w| w.severity = vec![("RL-03".into(), "fatal".into())]);
        assert_eq!(error, "severity: `fatal` is not error, warning or info");
        assert!(wrong(|w| w.severity = vec![("XML-07".into(), "error".into())]).contains("GEN-01"));
        let error = wrong(|w| w.limits = vec![("depth".into(), 1 << 40)]);
        assert_eq!(error, "limits: 1099511627776 is too large for `depth`");
    }

    #[test]
    fn a_limit_is_found_as_its_face_writes_it() {
        let find = |names: LimitNames, text| names.find(text, Limits::NAMES.iter().copied());
        assert_eq!(find(LimitNames::Snake, "document_bytes"), Ok("document_bytes"));
        assert_eq!(find(LimitNames::Snake, "document-bytes"), Ok("document_bytes"));
        assert_eq!(find(LimitNames::Camel, "documentBytes"), Ok("document_bytes"));
        assert_eq!(
            find(LimitNames::Camel, "documentByte"),
            Err("unknown limit `documentByte`; did you mean `documentBytes`?".into())
        );
        for (names, text) in
            [(LimitNames::Camel, "document_bytes"), (LimitNames::Snake, "documentBytes"), (LimitNames::Camel, "")]
        {
            assert!(find(names, text).is_err(), "{text}");
        }
    }
}
