//! Which rules of a family are reported, and with which severity.

use alloc::{string::ToString, vec::Vec};

use super::{Family, FamilyRule, Profile, SelectorError};
use crate::diagnostic::{Level, Severity};

/// Rules of a family that a name selects: a code, a family of codes, a rule, or `derived`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilySelector(Vec<&'static str>);

impl FamilySelector {
    /// What a name selects in a family.
    ///
    /// # Errors
    ///
    /// If it selects nothing, with the most similar name.
    pub fn new(family: &Family, name: &str) -> Result<FamilySelector, SelectorError> {
        let upper = name.to_ascii_uppercase();
        let is_meant = |rule: &&&FamilyRule| {
            let family = rule.id.split('-').next().unwrap_or_default();
            rule.id == upper || family == upper || rule.name == name || (name == "derived" && is_derived(rule))
        };
        let codes: Vec<_> = family.rules.iter().filter(is_meant).map(|rule| rule.id).collect();
        if !codes.is_empty() {
            return Ok(FamilySelector(codes));
        }
        let names = family.rules.iter().flat_map(|rule| [rule.name, rule.id]);
        Err(SelectorError { name: name.to_string(), suggestion: crate::edit_distance::nearest(name, names) })
    }

    fn has(&self, rule: &FamilyRule) -> bool {
        self.0.contains(&rule.id)
    }
}

fn is_derived(rule: &FamilyRule) -> bool {
    rule.level.is_some() && rule.derived
}

/// The rules that are reported, with their severities.
#[derive(Debug, Clone, Default)]
pub struct FamilySelection {
    profile: Profile,
    select: Vec<FamilySelector>,
    ignore: Vec<FamilySelector>,
    severities: Vec<(FamilySelector, Severity)>,
}

impl FamilySelection {
    /// Selected (all by default) minus ignored, with severities by profile and option.
    pub fn new(
        profile: Profile,
        select: &[FamilySelector],
        ignore: &[FamilySelector],
        severities: &[(FamilySelector, Severity)],
    ) -> FamilySelection {
        FamilySelection { profile, select: select.into(), ignore: ignore.into(), severities: severities.into() }
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The severity of a finding of the rule; as an error, the one that it would have if it were not filtered out. `lowered` is a
    /// severity below that of the rule, where the evidence is weaker; a configured one takes precedence.
    pub(super) fn rating(&self, rule: &FamilyRule, lowered: Option<Severity>) -> Result<Severity, Severity> {
        let configured = self.severities.iter().rev().find(|(selector, _)| selector.has(rule));
        let severity = match (configured, self.profile, rule.level) {
            (Some((_, severity)), ..) => *severity,
            (None, Profile::Strict, Some(Level::Should | Level::ShouldNot)) => Severity::Error,
            _ => lowered.map_or(rule.severity, |lowered| lowered.min(rule.severity)),
        };
        let is_selected = self.select.is_empty() || self.select.iter().any(|selector| selector.has(rule));
        let is_wanted = is_selected && !self.ignore.iter().any(|selector| selector.has(rule));
        if is_wanted { Ok(severity) } else { Err(severity) }
    }
}
