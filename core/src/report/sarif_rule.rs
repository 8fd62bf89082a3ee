//! Describes a rule in SARIF by its texts.

use alloc::string::{String, ToString};

use serde_json::{Map, Value, json};

use super::Diagnostic;
use crate::{
    diagnostic::{Code, Severity},
    rules::Rule,
};

/// The rule of a finding. A code of a newer version is described only by the finding.
pub(super) fn rule(found: &Diagnostic) -> Value {
    let mut fields = Map::new();
    fields.insert("id".to_string(), json!(found.code));
    fields.insert("name".to_string(), json!(found.rule));
    let Some(code) = Code::find(&found.code) else {
        fields.insert("defaultConfiguration".to_string(), json!({"level": level(found.severity)}));
        return Value::Object(fields);
    };
    let requirement = code.requirement();
    fields.insert("defaultConfiguration".to_string(), json!({"level": level(requirement.severity)}));
    let mut properties = Map::new();
    if let Some(word) = requirement.level {
        properties.insert("level".to_string(), json!(word.as_str()));
        properties.insert("derived".to_string(), json!(requirement.derived));
    }
    if let Some(section) = requirement.section {
        properties.insert("section".to_string(), json!(section));
    }
    fields.insert("properties".to_string(), Value::Object(properties));
    words(&mut fields, Rule::of(code), requirement.section);
    Value::Object(fields)
}

#[cfg(feature = "texts")]
fn words(fields: &mut Map<String, Value>, rule: &Rule, section: Option<&str>) {
    let words = &rule.texts.en;
    fields.insert("shortDescription".to_string(), json!({"text": words.what}));
    fields.insert("fullDescription".to_string(), json!({"text": alloc::format!("{} {}", words.what, words.why)}));
    let plain = alloc::format!("{}\n\n{}", words.why, words.fix);
    let mut markdown =
        alloc::format!("{}\n\n**Why it matters**: {}\n\n**How to fix it**: {}\n", words.what, words.why, words.fix);
    if let Some(section) = section {
        markdown.push_str(&alloc::format!("\n**The standard**: {section}\n"));
    }
    for (head, example) in [("Wrong", rule.texts.wrong), ("Right", rule.texts.right)] {
        if !example.is_empty() {
            markdown.push_str(&alloc::format!("\n**{head}**\n\n```xml\n{}\n```\n", example.trim_end()));
        }
    }
    fields.insert("help".to_string(), json!({"text": plain, "markdown": markdown}));
}

#[cfg(not(feature = "texts"))]
fn words(fields: &mut Map<String, Value>, rule: &Rule, _: Option<&str>) {
    fields.insert("shortDescription".to_string(), json!({"text": rule.name.replace('-', " ")}));
    fields.insert("help".to_string(), json!({"text": rule.help}));
}

/// The SARIF level of a severity.
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
