//! What a single response shows, whoever requested it.

mod identify;

pub(crate) use identify::{admin_emails, identify};
