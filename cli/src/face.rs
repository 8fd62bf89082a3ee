//! What the command lends to a face in another language: the words of its options, files and folders, the catalogue.

use std::{num::NonZeroUsize, path::PathBuf, str::FromStr};

use resourcesync::{
    api::Options,
    model::Kind,
    report::{Lang, Profile, Report, Selection, Selector},
};

pub use resourcesync_client::Progress as Far;
use resourcesync_client::{
    Cancel,
    batch::{self, Named},
};

use crate::{
    catalogue, rules,
    settings::{self, limits},
};

/// How to validate, in the words of the command line. Every complaint names what was misspelt.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// `--expect`.
    pub expect: Option<String>,
    /// `--profile`.
    pub profile: Option<String>,
    /// `--select`.
    pub select: Vec<String>,
    /// `--ignore`.
    pub ignore: Vec<String>,
    /// `--severity`: code, family or rule, and level.
    pub severity: Vec<(String, String)>,
    /// `--limit`: name and value.
    pub limits: Vec<(String, u64)>,
    /// `--max-per-rule`.
    pub max_per_rule: Option<u64>,
    /// `--no-fixity`.
    pub no_fixity: bool,
}

impl Words {
    /// What the core makes of them.
    ///
    /// # Errors
    ///
    /// In one line, if a word is not one of the command's.
    pub fn options(&self) -> Result<Options, String> {
        let mut options = Options::default();
        if let Some(name) = &self.expect {
            options.expect = Some(Kind::find(name).ok_or_else(|| format!("`{name}` is not a kind of document"))?);
        }
        if let Some(name) = &self.profile {
            options.profile = Profile::find(name).ok_or_else(|| format!("`{name}` is not standard or strict"))?;
        }
        let severity = |(name, level): &(String, String)| settings::severity(name, level);
        let severities = self.severity.iter().map(severity).collect::<Result<Vec<_>, _>>()?;
        options.selection =
            Selection::new(options.profile, &selectors(&self.select)?, &selectors(&self.ignore)?, &severities);
        for (name, value) in &self.limits {
            let name = limits::name(name)?;
            limits::fits(name, *value)?;
            // Both were just looked at.
            let _ = options.limits.set(name, *value);
        }
        options.max_per_rule = self.max_per_rule.unwrap_or(options.max_per_rule);
        options.no_fixity = self.no_fixity;
        Ok(options)
    }
}

fn selectors(names: &[String]) -> Result<Vec<Selector>, String> {
    names.iter().map(|name| Selector::from_str(name.trim()).map_err(|error| error.to_string())).collect()
}

/// Validates files and folders as `resourcesync validate` does; a configuration file is not looked for.
///
/// `tell` hears about ten times a second how far it is; when it says true, the run stops and its report says so.
///
/// # Errors
///
/// In one line, if a name or a URI is given for more than one document.
pub fn validate(
    paths: Vec<PathBuf>,
    name: Option<&str>,
    uri: Option<&str>,
    options: &Options,
    jobs: Option<NonZeroUsize>,
    tell: &mut dyn FnMut(&Far) -> bool,
) -> Result<Report, String> {
    let named = paths.into_iter().map(Named::Path).collect();
    let cancel = Cancel::default();
    let steps = batch::steps(named, name, uri, None, &cancel)?;
    Ok(batch::run(&steps, options, jobs.unwrap_or_else(batch::jobs), &cancel, &mut |far| {
        if tell(far) {
            cancel.cancel();
        }
    }))
}

/// All codes with their rules, or those selected, as `resourcesync rules --format json` writes them.
///
/// # Errors
///
/// In one line, if a selector is unknown.
pub fn rules(select: &[String], lang: Lang) -> Result<String, String> {
    rules::json(&catalogue::rows(&selectors(select)?, lang)).map_err(|trouble| trouble.to_string())
}

/// The codes a name stands for, as `resourcesync explain --format json` writes them.
///
/// # Errors
///
/// In one line, if the name is no code, detail or rule.
pub fn explain(name: &str, lang: Lang) -> Result<String, String> {
    let rows = catalogue::named(name, lang).map_err(|error| error.to_string())?;
    if rows.is_empty() {
        return Err(format!("`{name}` stands for many codes; ask for one of them"));
    }
    rules::json(&rows).map_err(|trouble| trouble.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_is_named() {
        let words = |change: fn(&mut Words)| {
            let mut words = Words::default();
            change(&mut words);
            words.options().map(|_| ()).unwrap_err()
        };
        assert_eq!(words(|w| w.expect = Some("list".into())), "`list` is not a kind of document");
        assert_eq!(words(|w| w.profile = Some("lax".into())), "`lax` is not standard or strict");
        assert!(words(|w| w.select = vec!["RL-0".into()]).contains("RL-0"));
        assert!(words(|w| w.severity = vec![("RL-03".into(), "fatal".into())]).contains("fatal"));
        assert!(words(|w| w.limits = vec![("dept".into(), 1)]).contains("did you mean `depth`?"));
    }

    #[test]
    fn a_family_is_listed_and_not_explained() {
        assert!(rules(&["RL".into()], Lang::En).unwrap().contains("\"RL-03\""));
        assert!(explain("RL-03", Lang::Ja).unwrap().contains("\"missing-at\""));
        assert!(explain("RL", Lang::En).unwrap_err().contains("many codes"));
    }
}
