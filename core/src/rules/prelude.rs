//! What most rule files import.

pub(super) use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, AttributeValue, Attributes, Entry, Field, Kind, Link, Md, Name, Shape},
    rules::{Check, CheckContext, Delivery, Depends, FoundMember, KindProfile, Need, PathStep, rule, timed},
    span::Span,
    value::{BitstreamPath, Capability, Change, Datetime, HashKind, Hashes, PATCH, Relation, Slip, Uri},
};
