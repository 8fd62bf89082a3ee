//! Harvests and checks of OAI-PMH repositories, in a separate module. Values are passed as JSON, metadata as bytes, all of a page at once.

pub mod check;
mod exchange;
pub mod harvest;
pub mod page;
pub mod record;
