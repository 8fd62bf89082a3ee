//! A report as JSON, the same in every language binding.

use alloc::string::String;

use super::{Report, json_pretty};

/// The name of the format.
pub const FORMAT: &str = "resourcesync-report";
/// Its version; fields are added within one, never changed or removed.
pub const FORMAT_VERSION: u32 = 1;

impl Report {
    /// The report as JSON, byte for byte the same in every language binding: indented by two spaces, with a
    /// final line break.
    pub fn to_json(&self) -> String {
        // All keys are strings and every value exists in JSON, so serializing cannot fail.
        json_pretty(self).unwrap_or_default()
    }

    /// Parses the output of [`Report::to_json`].
    ///
    /// # Errors
    ///
    /// If the text is not a report of this format and version.
    pub fn from_json(json: &str) -> Result<Report, String> {
        let report: Report = serde_json::from_str(json).map_err(|error| alloc::format!("not a report: {error}"))?;
        if report.format != FORMAT {
            return Err(alloc::format!("not a report: `format` is `{}`, not `{FORMAT}`", report.format));
        }
        if report.format_version != FORMAT_VERSION {
            return Err(alloc::format!(
                "unsupported report version {}, expected {FORMAT_VERSION}",
                report.format_version
            ));
        }
        Ok(report)
    }
}
