//! Builders, which reject anything that the Checker would report before it is written.

mod accepted;
mod aspects;
mod builder;
mod diff;
mod error;
mod options;
mod pack;
mod pairs;
mod publish;
mod refusal_sink;
mod refused;
mod roundtrip;
mod typed;

pub use accepted::Accepted;
pub use aspects::{Aspect, Incomparable, aspects, incomparable, is_same_version};
pub use builder::Builder;
pub(crate) use builder::{read_again, root};
pub use diff::{Diff, Difference, OutOfOrder, diff};
pub use error::PublishError;
pub use options::BuildOptions;
pub use pack::{Deflated, Deflater, PackageWriter, Packed};
pub use pairs::{Pair, Pairs, pairs};
pub use publish::{
    Amount, ChangeHistory, DumpHistory, Effect, Guard, Interval, MemoryStore, Opened, Outbox, Output, PackageRecord,
    Publication, Published, PublishedDocument, PublishedSet, Rotate, Settings, Store, about_page, change_moment,
};
pub use refused::Refused;
pub use typed::*;
