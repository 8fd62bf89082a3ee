//! The result of a run, and its output formats.

mod baseline;
#[cfg(feature = "texts")]
pub mod catalogue;
mod causes;
mod collect;
mod comparison;
mod csv;
mod diagnostic;
mod escape;
mod family;
mod family_run;
mod family_selection;
mod frame;
mod github;
mod groups;
mod html;
mod i18n;
mod json;
mod junit;
mod markdown;
mod ndjson;
mod outline;
mod render;
mod render_options;
// The file has the type of this name.
#[allow(clippy::module_inception)]
mod report;
mod run_options;
#[cfg(test)]
mod sample;
mod sarif;
mod sarif_rule;
mod sarif_uri;
mod select;
mod text;
mod tree;
mod width;

pub use baseline::{BaselineError, subtract};
pub use collect::{Checked, Collector};
pub(crate) use collect::{diagnostic, sort, values};
pub use comparison::{ComparedCount, Comparison, Unchecked, WhyUnchecked, compare};
pub use diagnostic::{Diagnostic, Excerpt, Point, RelatedPlace, TextSpan};
pub use escape::{escaped_json, json_line, json_pretty, visible};
pub use family::{Family, FamilyRule, FamilyTexts, FamilyWords, words};
pub use family_run::{FamilyFinding, FamilyFindings, FamilyInput, FamilyRun};
pub use family_selection::{FamilySelection, FamilySelector};
pub(crate) use groups::merged;
pub(crate) use i18n::for_report;
pub use i18n::{Lang, fill, fill_with, help, message, reason, role};
pub use json::{FORMAT, FORMAT_VERSION};
pub use render::{Format, render};
pub use render_options::Render;
pub use report::{Group, Input, Report, ResourceSet, RunInfo, Skipped, Status, Summary, Times, Tool, Verdict, Via};
pub use run_options::RunOptions;
pub use select::{Profile, Selection, Selector, SelectorError};
pub use text::TextStream;
pub use width::of_text as columns;
