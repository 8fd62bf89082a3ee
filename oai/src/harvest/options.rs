//! The options of a harvest, by the names that all language bindings have.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde::Deserialize;

use super::plan::{Amount, MaxDelete, OnLoop, Plan, Reconcile, Window};
use crate::{page::Repair, stamp::Stamp};

/// The options of a harvest. Names may be written with underscores or in camel case.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)] // as in Plan
pub struct HarvestOptions {
    pub prefix: Vec<String>,
    pub set: Vec<String>,
    pub since: Option<String>,
    pub until: Option<String>,
    pub window: Option<String>,
    pub overlap: Option<u64>,
    /// `auto`, `never`, `now`, or seconds.
    pub reconcile: Option<String>,
    /// A number, a percentage, or `all`.
    #[serde(alias = "maxDelete")]
    pub max_delete: Option<String>,
    pub tolerance: Option<String>,
    pub repair: Option<String>,
    #[serde(alias = "allowQuarantine")]
    pub allow_quarantine: u64,
    /// Milliseconds.
    pub delay: Option<u64>,
    /// Seconds.
    #[serde(alias = "maxWait")]
    pub max_wait: Option<u64>,
    #[serde(alias = "maxRecords")]
    pub max_records: Option<u64>,
    pub post: bool,
    #[serde(alias = "onLoop")]
    pub on_loop: Option<String>,
    pub limits: BTreeMap<String, u64>,
}

/// The pause between two requests in milliseconds, unless another one is given.
const PAUSE: u64 = 100;

impl HarvestOptions {
    /// The plan of a harvest of the repository at this URL; `seed` differs from run to run.
    ///
    /// # Errors
    ///
    /// If a value is not one of those that the option has.
    pub fn plan(&self, url: &str, seed: u64) -> Result<Plan, String> {
        let mut plan = Plan::new(url);
        plan.all_formats = self.prefix.iter().any(|prefix| prefix == "all");
        plan.prefixes = if plan.all_formats { Vec::new() } else { self.prefix.clone() };
        plan.sets.clone_from(&self.set);
        plan.since = given("since", self.since.as_deref(), DATE, Stamp::read)?;
        plan.until = given("until", self.until.as_deref(), DATE, Stamp::read)?;
        let windows = Window::ALL.map(|(name, _)| name).join(", ");
        let window = |text: &str| Window::ALL.iter().find(|(name, _)| *name == text).map(|(_, window)| *window);
        plan.window = given("window", self.window.as_deref(), &windows, window)?.unwrap_or(Window::Auto);
        plan.overlap = self.overlap;
        let when = "auto, never, now, or seconds";
        plan.reconcile = given("reconcile", self.reconcile.as_deref(), when, reconcile)?.unwrap_or(Reconcile::Auto);
        let most = |text: &str| match text {
            "all" => Some(MaxDelete::All),
            _ => Amount::read(text).map(MaxDelete::Most),
        };
        let amount = "a number, or a share such as 2%";
        plan.max_delete = given("max_delete", self.max_delete.as_deref(), amount, most)?.unwrap_or(MaxDelete::Default);
        plan.tolerance =
            given("tolerance", self.tolerance.as_deref(), amount, Amount::read)?.unwrap_or(Amount::Count(0));
        let repairs = Repair::ALL.map(|(name, _)| name).join(", ");
        let repair = |text: &str| Repair::ALL.iter().find(|(name, _)| *name == text).map(|(_, repair)| *repair);
        plan.repair = given("repair", self.repair.as_deref(), &repairs, repair)?.unwrap_or(Repair::None);
        let on_loop = |text: &str| match text {
            "stop" => Some(OnLoop::Stop),
            "window" => Some(OnLoop::Window),
            _ => None,
        };
        plan.on_loop = given("on_loop", self.on_loop.as_deref(), "stop, window", on_loop)?.unwrap_or(OnLoop::Stop);
        plan.allow_quarantine = self.allow_quarantine;
        plan.delay = self.delay.unwrap_or(PAUSE);
        plan.max_wait = self.max_wait;
        plan.max_records = self.max_records;
        plan.post = self.post;
        plan.seed = seed;
        for (name, value) in &self.limits {
            if !plan.limits.set(name, *value) {
                return Err(format!("limits: there is no limit `{name}`, or {value} does not fit it"));
            }
        }
        Ok(plan)
    }
}

const DATE: &str = "a day such as 2026-01-31, or a second such as 2026-01-31T12:00:00Z";

fn reconcile(text: &str) -> Option<Reconcile> {
    match text {
        "auto" => Some(Reconcile::Auto),
        "never" => Some(Reconcile::Never),
        "now" => Some(Reconcile::Now),
        _ => text.parse().ok().map(Reconcile::Every),
    }
}

fn given<T>(
    name: &str,
    text: Option<&str>,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    let wrong = |text: &str| format!("{name}: `{text}` is not {expected}");
    text.map(|text| read(text).ok_or_else(|| wrong(text))).transpose()
}
