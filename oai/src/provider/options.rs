//! The options of a check as the packages of other languages pass them.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use resourcesync::{
    diagnostic::Severity,
    report::{FamilySelection, FamilySelector, Profile},
};
use serde::Deserialize;

use super::{CheckPlan, family};

/// The options of a check by name.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckOptions {
    /// `standard` or `strict`.
    pub profile: Option<String>,
    /// Codes, families, rules, or `derived`.
    pub select: Vec<String>,
    /// The same, not to be reported.
    pub ignore: Vec<String>,
    /// Severities by code, family or rule.
    pub severity: BTreeMap<String, String>,
    /// Findings stored for each code, severity and response; 0 for all.
    #[serde(alias = "maxPerRule")]
    pub max_per_rule: Option<u64>,
    /// Milliseconds between a response and the next request, at least a second.
    pub delay: Option<u64>,
    /// The longest single wait in seconds.
    #[serde(alias = "maxWait")]
    pub max_wait: Option<u64>,
    /// Limits by name.
    pub limits: BTreeMap<String, u64>,
    /// False if the client cannot set and see all header fields.
    #[serde(alias = "allHeaders")]
    pub all_headers: Option<bool>,
}

impl CheckOptions {
    /// The plan of a check of the repository at this URL.
    ///
    /// # Errors
    ///
    /// A message, if an option has no such value.
    pub fn plan(&self, base_url: &str) -> Result<CheckPlan, String> {
        let mut plan = CheckPlan::new(base_url);
        let family = family();
        let selector = |option: &str, name: &String| {
            FamilySelector::new(&family, name).map_err(|error| format!("{option}: {error}"))
        };
        let selectors = |option: &'static str, names: &[String]| {
            names.iter().map(|name| selector(option, name)).collect::<Result<Vec<_>, _>>()
        };
        let severity = |(name, level): (&String, &String)| {
            let own =
                Severity::find(level).ok_or_else(|| format!("severity: `{level}` is not error, warning or info"))?;
            Ok((selector("severity", name)?, own))
        };
        let severities = self.severity.iter().map(severity).collect::<Result<Vec<_>, String>>()?;
        let profile = match self.profile.as_deref() {
            None => Profile::default(),
            // The other one is about sitemaps.
            Some(name) => Profile::find(name)
                .filter(|profile| *profile != Profile::SearchEngines)
                .ok_or_else(|| format!("profile: `{name}` is not standard or strict"))?,
        };
        let (select, ignore) = (selectors("select", &self.select)?, selectors("ignore", &self.ignore)?);
        plan.selection = FamilySelection::new(profile, &select, &ignore, &severities);
        plan.max_per_rule = self.max_per_rule.unwrap_or(plan.max_per_rule);
        plan.delay = self.delay.unwrap_or(plan.delay).max(plan.delay);
        plan.all_headers = self.all_headers.unwrap_or(true);
        plan.max_wait = self.max_wait.unwrap_or(plan.max_wait);
        for (name, value) in &self.limits {
            if !plan.limits.set(name, *value) {
                return Err(format!("limits: no limit `{name}` has this value"));
            }
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn options_are_those_of_the_command() {
        let options = |json: CheckOptions| json.plan("http://a.example/oai").map(|plan| (plan.delay, plan.max_wait));
        assert_eq!(options(CheckOptions::default()), Ok((1000, 300)));
        // A check is never faster than one request a second.
        assert_eq!(
            options(CheckOptions { delay: Some(10), max_wait: Some(5), ..CheckOptions::default() }),
            Ok((1000, 5))
        );
        let wrong = options(CheckOptions { select: alloc::vec!["OAI-7".into()], ..CheckOptions::default() });
        assert!(wrong.is_err_and(|why| why.starts_with("select: unknown code") && why.contains("did you mean")));
        let severity = [("OAI-17".to_string(), "bad".to_string())].into();
        assert!(options(CheckOptions { severity, ..CheckOptions::default() }).is_err());
    }
}
