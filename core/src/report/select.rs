//! Selection, severities and profiles of findings.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::RunOptions;
use crate::{
    diagnostic::{Arg, Code, Finding, Level, Severity},
    named_enum,
    rules::{ALL, Rule},
    xml::Detail,
};

named_enum! {
    /// How strict a run is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Profile {
        /// Severities as in the catalogue.
        #[default]
        Standard = "standard",
        /// SHOULD is an error, advice a warning.
        Strict = "strict",
        /// Severities as in the catalogue, and what search engines reject.
        SearchEngines = "search-engines",
    }
}

/// Selects findings: by code, family, `XML-nn` detail, rule, or `derived`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// One requirement, `RL-03`.
    Code(Code),
    /// All requirements of a family, `RL`.
    Family(&'static str),
    /// One way not to be well-formed, `XML-07`.
    Detail(&'static str),
    /// All requirements of a rule, `missing-at`.
    Rule(&'static str),
    /// All requirements that the standard does not state explicitly.
    Derived,
}

/// The name is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    /// The requested name.
    pub name: String,
    /// The most similar name.
    pub suggestion: Option<&'static str>,
}

impl core::fmt::Display for SelectorError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "unknown code, family or rule `{}`", self.name)?;
        match self.suggestion {
            Some(name) => write!(f, "; did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for SelectorError {}

impl core::str::FromStr for Selector {
    type Err = SelectorError;

    fn from_str(name: &str) -> Result<Selector, SelectorError> {
        let upper = name.to_ascii_uppercase();
        if let Some(code) = Code::find(&upper) {
            return Ok(Selector::Code(code));
        }
        if let Some(code) = Code::all().find(|code| code.family() == upper) {
            return Ok(Selector::Family(code.family()));
        }
        if let Some(detail) = Detail::ALL.iter().find(|detail| detail.code() == upper) {
            return Ok(Selector::Detail(detail.code()));
        }
        if name == "derived" {
            return Ok(Selector::Derived);
        }
        if let Some(rule) = Rule::find(name) {
            return Ok(Selector::Rule(rule.name));
        }
        let rules = ALL.iter().map(|rule| rule.name);
        let names = rules.chain(Code::all().map(Code::id));
        let suggestion = crate::edit_distance::nearest(name, names);
        Err(SelectorError { name: name.to_string(), suggestion })
    }
}

impl Selector {
    /// Its name, which [`str::parse`] reads.
    pub fn as_str(&self) -> &'static str {
        match self {
            Selector::Code(code) => code.id(),
            Selector::Family(name) | Selector::Detail(name) | Selector::Rule(name) => name,
            Selector::Derived => "derived",
        }
    }

    fn matches(&self, code: Code) -> bool {
        match self {
            Selector::Code(own) => *own == code,
            Selector::Family(family) => code.family() == *family,
            Selector::Detail(_) => false,
            Selector::Rule(name) => Rule::of(code).name == *name,
            Selector::Derived => code.requirement().derived,
        }
    }
}

/// A filter with the severity of each code.
#[derive(Debug, Clone)]
pub struct Selection {
    /// By code: whether it is selected, and its severity.
    table: Vec<(bool, Severity)>,
    /// Codes whose severity was configured.
    set: Vec<Code>,
    details_wanted: Option<Vec<&'static str>>,
    details_ignored: Vec<&'static str>,
    /// Whether what is off by default was turned on.
    has_optional: bool,
    /// The same as it was written.
    named: Named,
}

/// A selection as it was written.
#[derive(Debug, Clone, Default)]
struct Named {
    select: Vec<&'static str>,
    ignore: Vec<&'static str>,
    severities: Vec<(&'static str, Severity)>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::new(Profile::Standard, &[], &[], &[])
    }
}

impl Selection {
    /// Creates a filter: selected minus ignored, with severities by profile and option. By default all are selected, except for what search
    /// engines reject, unless that is the profile.
    pub fn new(
        profile: Profile,
        select: &[Selector],
        ignore: &[Selector],
        severities: &[(Selector, Severity)],
    ) -> Selection {
        let details = |list: &[Selector]| -> Vec<&'static str> {
            list.iter()
                .filter_map(|selector| if let Selector::Detail(code) = selector { Some(*code) } else { None })
                .collect()
        };
        let wanted_details = details(select);
        let is_for_search = profile == Profile::SearchEngines;
        let is_named = |code: Code| code.is_optional() && select.iter().any(|selector| selector.matches(code));
        let has_optional = is_for_search || Code::all().any(is_named);
        let mut set = Vec::new();
        let table = Code::all().map(|code| {
            let by_detail = code == Code::GEN_01 && !wanted_details.is_empty();
            let by_default = select.is_empty() && (is_for_search || !code.is_optional());
            let wanted = by_default || by_detail || select.iter().any(|selector| selector.matches(code));
            let selected = wanted && !ignore.iter().any(|selector| selector.matches(code));
            let by_hand = severities.iter().rev().find(|(selector, _)| selector.matches(code));
            if let Some((_, severity)) = by_hand {
                set.push(code);
                return (selected, *severity);
            }
            (selected, by_profile(profile, code))
        });
        let table = table.collect();
        let whole = select.iter().any(|selector| selector.matches(Code::GEN_01)) || wanted_details.is_empty();
        let named = Named {
            select: select.iter().map(Selector::as_str).collect(),
            ignore: ignore.iter().map(Selector::as_str).collect(),
            severities: severities.iter().map(|(selector, severity)| (selector.as_str(), *severity)).collect(),
        };
        let details_wanted = (!whole).then_some(wanted_details);
        Selection { table, set, details_wanted, details_ignored: details(ignore), has_optional, named }
    }

    /// True if what is off by default was turned on, by the profile or by name. Other filters may remove it again, and then it is counted.
    pub(crate) fn has_optional(&self) -> bool {
        self.has_optional
    }

    /// The same filter without one requirement.
    #[must_use]
    pub fn without(mut self, code: Code) -> Selection {
        if let Some((selected, _)) = self.table.get_mut(code.index()) {
            *selected = false;
            self.named.ignore.push(code.id());
        }
        self
    }

    /// Writes it into the options of a report.
    pub(crate) fn name_in(&self, options: &mut RunOptions) {
        let names = |names: &[&str]| names.iter().map(|name| String::from(*name)).collect();
        options.select = names(&self.named.select);
        options.ignore = names(&self.named.ignore);
        options.severity =
            self.named.severities.iter().map(|(name, level)| format!("{name}={}", level.as_str())).collect();
    }

    /// The severity of a finding; `None` if it is filtered out.
    pub fn severity(&self, finding: &Finding) -> Option<Severity> {
        self.rating(finding).ok()
    }

    /// The severity of a finding; as an error, the severity it would have if it were not filtered out.
    pub(super) fn rating(&self, finding: &Finding) -> Result<Severity, Severity> {
        let (selected, severity) = self.table.get(finding.code.index()).copied().unwrap_or((false, Severity::Info));
        let severity = match finding.lowered {
            Some(lowered) if !self.set.contains(&finding.code) => lowered.min(severity),
            _ => severity,
        };
        let is_wanted = selected && (finding.code != Code::GEN_01 || self.wants_detail(finding));
        if is_wanted { Ok(severity) } else { Err(severity) }
    }

    fn wants_detail(&self, finding: &Finding) -> bool {
        let detail = finding.args.iter().find_map(|(name, arg)| match arg {
            Arg::Text(text) if *name == "detail" => Some(text.as_str()),
            _ => None,
        });
        let Some(detail) = detail else { return true };
        let wanted = self.details_wanted.as_ref().is_none_or(|wanted| wanted.contains(&detail));
        wanted && !self.details_ignored.contains(&detail)
    }
}

fn by_profile(profile: Profile, code: Code) -> Severity {
    let requirement = code.requirement();
    match (profile, requirement.level) {
        (Profile::Strict, Some(Level::Should | Level::ShouldNot)) => Severity::Error,
        (Profile::Strict, None) if code.family() == "ADV" => Severity::Warning,
        _ => requirement.severity,
    }
}
