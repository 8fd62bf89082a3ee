//! Describes a rule in SARIF by its texts.

use alloc::string::{String, ToString};

use serde_json::{Map, Value, json};

use super::{Diagnostic, Family};
use crate::{
    diagnostic::{Code, Level, Severity},
    rules::Rule,
};

/// The rule of a finding. A code of a newer version is described only by the finding.
pub(super) fn rule(found: &Diagnostic, family: &Family) -> Value {
    let mut fields = Map::new();
    fields.insert("id".to_string(), json!(found.code));
    fields.insert("name".to_string(), json!(found.rule));
    let Some(described) = Described::of(&found.code, family) else {
        fields.insert("defaultConfiguration".to_string(), json!({"level": level(found.severity)}));
        return Value::Object(fields);
    };
    fields.insert("defaultConfiguration".to_string(), json!({"level": level(described.severity)}));
    let mut properties = Map::new();
    if let Some(word) = described.level {
        properties.insert("level".to_string(), json!(word.as_str()));
        properties.insert("derived".to_string(), json!(described.derived));
    }
    if let Some(section) = described.section {
        properties.insert("section".to_string(), json!(section));
    }
    fields.insert("properties".to_string(), Value::Object(properties));
    described.words(&mut fields);
    Value::Object(fields)
}

/// What the core or a family says of a code.
struct Described {
    severity: Severity,
    level: Option<Level>,
    derived: bool,
    section: Option<&'static str>,
    #[cfg(not(feature = "texts"))]
    name: &'static str,
    #[cfg(not(feature = "texts"))]
    help: &'static str,
    /// What is required, why it matters, how to fix it.
    #[cfg(feature = "texts")]
    explained: [&'static str; 3],
    /// Wrong and right.
    #[cfg(feature = "texts")]
    examples: [&'static str; 2],
}

impl Described {
    fn of(code: &str, family: &Family) -> Option<Described> {
        let Some(code) = Code::find(code) else {
            let rule = family.find(code)?;
            #[cfg(feature = "texts")]
            let texts = rule.texts?;
            return Some(Described {
                severity: rule.severity,
                level: rule.level,
                derived: rule.derived,
                section: rule.section,
                #[cfg(not(feature = "texts"))]
                name: rule.name,
                #[cfg(not(feature = "texts"))]
                help: rule.help,
                #[cfg(feature = "texts")]
                explained: texts.en,
                #[cfg(feature = "texts")]
                examples: [texts.wrong, texts.right],
            });
        };
        let (requirement, rule) = (code.requirement(), Rule::of(code));
        Some(Described {
            severity: requirement.severity,
            level: requirement.level,
            derived: requirement.derived,
            section: requirement.section,
            #[cfg(not(feature = "texts"))]
            name: rule.name,
            #[cfg(not(feature = "texts"))]
            help: rule.help,
            #[cfg(feature = "texts")]
            explained: [rule.texts.en.what, rule.texts.en.why, rule.texts.en.fix],
            #[cfg(feature = "texts")]
            examples: [rule.texts.wrong, rule.texts.right],
        })
    }

    #[cfg(feature = "texts")]
    fn words(&self, fields: &mut Map<String, Value>) {
        let [what, why, fix] = self.explained;
        fields.insert("shortDescription".to_string(), json!({"text": what}));
        fields.insert("fullDescription".to_string(), json!({"text": alloc::format!("{what} {why}")}));
        let plain = alloc::format!("{why}\n\n{fix}");
        let mut markdown = alloc::format!("{what}\n\n**Why it matters**: {why}\n\n**How to fix it**: {fix}\n");
        if let Some(section) = self.section {
            markdown.push_str(&alloc::format!("\n**The standard**: {section}\n"));
        }
        for (head, example) in ["Wrong", "Right"].into_iter().zip(self.examples) {
            if !example.is_empty() {
                markdown.push_str(&alloc::format!("\n**{head}**\n\n```xml\n{}\n```\n", example.trim_end()));
            }
        }
        fields.insert("help".to_string(), json!({"text": plain, "markdown": markdown}));
    }

    #[cfg(not(feature = "texts"))]
    fn words(&self, fields: &mut Map<String, Value>) {
        fields.insert("shortDescription".to_string(), json!({"text": self.name.replace('-', " ")}));
        fields.insert("help".to_string(), json!({"text": self.help}));
    }
}

/// The SARIF level of a severity.
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
