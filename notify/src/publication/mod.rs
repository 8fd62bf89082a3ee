//! What a publication of a Source announces, and the outbox that keeps it until every hub has it.
//!
//! | file | what it has |
//! | --- | --- |
//! | `channels.rs` | the topics of a Source, and the names of its files |
//! | `announcements.rs` | the payloads of a publication |
//! | `payload_lines.rs` | the file of these payloads, and their transfer to the outbox |
//! | `outbox.rs` | the file of the outbox |
//! | `json_line.rs` | the lines of both |

mod announcements;
mod channels;
mod json_line;
mod outbox;
mod payload_lines;

pub use self::{
    announcements::{AnnouncementError, Announcements, Finished},
    channels::{Channels, has_document_uri, topic_file, withdrawn_topics},
    outbox::{OUTBOX, Outbox},
    payload_lines::{Announced, Break, PAYLOADS, Taking, payloads_head},
};
