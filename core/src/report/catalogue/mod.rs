//! The catalogue as rows with all texts of a code in one language, rendered for people and programs.

// The file has the type of this name.
#[allow(clippy::module_inception)]
mod catalogue;
mod explanation;
mod explanation_markdown;
mod explanation_text;
mod row;
mod table;

pub use self::{
    catalogue::Catalogue,
    explanation::{Explanation, ExplanationError},
    row::{Row, to_json},
    table::table,
};
