//! The output formats of reports, and the function that renders them.

use alloc::string::String;

use super::{Render, Report, csv, github, html, junit, markdown, ndjson, sarif, text};

macro_rules! formats {
    ($($(#[$attribute:meta])* $name:ident = $text:literal, $media_type:literal, $extension:literal, $render:expr;)*) => {
        /// A format of a report.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        pub enum Format { $($(#[$attribute])* $name,)* }

        impl Format {
            /// All formats.
            pub const ALL: &'static [Format] = &[$(Format::$name),*];

            /// The name on the command line.
            pub fn as_str(self) -> &'static str {
                match self { $(Format::$name => $text),* }
            }

            /// The media type of its files.
            pub fn media_type(self) -> &'static str {
                match self { $(Format::$name => $media_type),* }
            }

            /// The extension of its files, without the dot.
            pub fn extension(self) -> &'static str {
                match self { $(Format::$name => $extension),* }
            }

            fn renderer(self) -> fn(&Report, &Render) -> String {
                match self { $(Format::$name => $render),* }
            }
        }
    };
}

formats! {
    /// Text for a terminal.
    #[default]
    Text = "text", "text/plain", "txt", text::render;
    /// The whole report as JSON.
    Json = "json", "application/json", "json", |report, _| report.to_json();
    /// The parts of the report, one JSON object per line.
    Ndjson = "ndjson", "application/x-ndjson", "ndjson", |report, _| ndjson::render(report);
    /// SARIF 2.1.0, for code scanning.
    Sarif = "sarif", "application/sarif+json", "sarif", |report, _| sarif::render(report);
    /// JUnit XML, for test reports.
    Junit = "junit", "application/xml", "xml", |report, _| junit::render(report);
    /// Workflow commands of GitHub Actions.
    Github = "github", "text/plain", "txt", |report, _| github::render(report);
    /// For a job summary or a comment.
    Markdown = "markdown", "text/markdown", "md", markdown::render;
    /// A self-contained HTML page.
    Html = "html", "text/html", "html", |report, options| html::render(report, options.lang);
    /// A table for spreadsheets.
    Csv = "csv", "text/csv", "csv", |report, options| csv::render(report, options.lang);
}

impl Format {
    /// The format of this name.
    pub fn find(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.as_str() == name)
    }
}

/// Renders a report in a format. The result is well-formed for any report.
///
/// ```
/// use resourcesync::{api, report::{Format, Render, render}};
/// let report = api::validate(b"<urlset>", api::InputOrigin::named("list.xml"), &api::Options::default());
/// assert!(render(&report, Format::Text, &Render::default()).contains("error[GEN-03]"));
/// ```
pub fn render(report: &Report, format: Format, options: &Render) -> String {
    format.renderer()(report, options)
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;
    use crate::{
        model::Kind,
        report::{Lang, sample},
    };

    #[test]
    fn every_format_is_found_by_its_name() {
        for format in Format::ALL {
            assert_eq!(Format::find(format.as_str()), Some(*format));
        }
        assert_eq!(Format::find("xml"), None);
    }

    #[test]
    fn every_format_names_the_configuration_and_what_was_suppressed() {
        let report = sample::filtered();
        for format in Format::ALL {
            let written = render(&report, *format, &Render { lang: Lang::En, ..Render::default() });
            // Markdown escapes dots.
            let written = written.replace('\\', "");
            for words in ["resourcesync.toml", "AT-07"] {
                assert!(written.contains(words), "{format:?}: {written}");
            }
        }
    }

    #[test]
    fn no_format_lets_control_characters_of_a_document_through() {
        let report = sample::hostile();
        for format in Format::ALL {
            let written = render(&report, *format, &Render::default());
            // Rows end with CRLF, as defined by RFC 4180.
            let written = if *format == Format::Csv { written.replace("\r\n", "\n") } else { written };
            let wild = written.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}'));
            let json = matches!(format, Format::Json | Format::Ndjson | Format::Sarif);
            // JSON may contain C1 controls, bidi controls and DEL unescaped; consumers must display values safely.
            assert_eq!(wild.filter(|c| !json || u32::from(*c) < 0x20), None, "{format:?}");
        }
    }

    #[test]
    fn the_types_of_javascript_list_every_format() {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
        let literals = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" | ");
        let types = include_str!("../../../wasm/js/types.ts");
        assert!(types.contains(&format!("export type Format = {literals};")), "{literals}");
    }

    #[test]
    fn the_schema_of_the_report_knows_every_kind() {
        let schema: serde_json::Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
        let kinds = schema["$defs"]["kind"]["enum"].as_array().unwrap();
        assert!(kinds.iter().map(|kind| kind.as_str().unwrap()).eq(Kind::ALL.iter().map(|kind| kind.as_str())));
    }
}
