//! An attribute that has no field of its own.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// An attribute of `rs:md`, `rs:ln` or the root that has no field of its own: of another vocabulary, or of the standard but without use there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Attribute {
    /// The name after the prefix.
    pub name: String,
    /// The namespace name; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The prefix; empty if there is none, or if the builder may choose one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// The value.
    pub value: String,
}
