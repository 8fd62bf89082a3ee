//! `resourcesync explain`: what a code or rule means, why it matters, how to fix it.

use resourcesync::report::catalogue::Explanation;

use crate::{
    arguments::{Explain, ExplainFormat},
    outputs,
    trouble::Trouble,
};

/// Runs it.
pub(crate) fn run(arguments: &Explain) -> Result<i32, Trouble> {
    let explanation = Explanation::of(&arguments.name, arguments.lang)?;
    outputs::print(&match arguments.format {
        ExplainFormat::Text => explanation.to_text(),
        ExplainFormat::Markdown => explanation.to_markdown(),
        ExplainFormat::Json => explanation.to_json(),
    })
}
