//! The contents of a package as data, in the format of `resourcesync list --format json` and all language
//! bindings.

use alloc::string::String;

use serde::{Serialize, Serializer};

use crate::{
    package::Contents,
    report::{Report, Tool, Verdict, json_pretty},
};

/// The name of this format, by which readers identify it.
pub const LIST_FORMAT: &str = "resourcesync-package";
/// Its version, incremented by incompatible changes.
pub const LIST_FORMAT_VERSION: u64 = 1;

/// The members of a package, which complement its report.
///
/// It is serialized during iteration, so a million members need no second copy.
#[derive(Debug, Clone, Copy)]
pub struct List<'a> {
    report: &'a Report,
    contents: &'a Contents,
}

impl<'a> List<'a> {
    /// The members of one package, complementing this report.
    pub fn new(report: &'a Report, contents: &'a Contents) -> List<'a> {
        List { report, contents }
    }

    /// As JSON, byte for byte the same in every language binding: indented by two spaces, with a final line
    /// break.
    pub fn to_json(&self) -> String {
        // All keys are strings and every value exists in JSON, so serializing cannot fail.
        json_pretty(self).unwrap_or_default()
    }
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Report { tool, verdict, summary, inputs, .. } = self.report;
        Shape {
            format: LIST_FORMAT,
            format_version: LIST_FORMAT_VERSION,
            tool,
            package: Package {
                name: inputs.first().map_or("", |input| input.name.as_str()),
                bytes: inputs.first().map_or(0, |input| input.bytes),
                manifest: self.contents.kind().as_str(),
                verdict: *verdict,
                errors: summary.errors,
                warnings: summary.warnings,
                infos: summary.infos,
            },
            members: Members(self.contents),
            absent: Absent(self.contents),
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shape<'a> {
    format: &'static str,
    format_version: u64,
    tool: &'a Tool,
    package: Package<'a>,
    members: Members<'a>,
    absent: Absent<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Package<'a> {
    name: &'a str,
    bytes: u64,
    manifest: &'static str,
    verdict: Verdict,
    errors: u64,
    warnings: u64,
    infos: u64,
}

struct Members<'a>(&'a Contents);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.members())
    }
}

struct Absent<'a>(&'a Contents);

impl Serialize for Absent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.absent())
    }
}
