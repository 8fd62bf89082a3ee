//! The native part of the Python package: each function translates one call, and decides nothing.
//!
//! Users see the Python layer (`python/resourcesync`); this module is private to it.

mod address;
mod applied;
mod attended;
mod baseline;
mod builder;
mod cancel;
mod catalogue;
mod chunks;
mod columns;
mod command;
mod content;
mod contents;
mod copies;
mod crawler;
mod dataset;
mod datetime;
mod destination;
mod difference;
mod document;
mod entry;
mod error;
mod findings;
mod folder;
mod follower;
mod json;
mod link;
mod members;
mod merge;
mod metadata;
mod notify;
mod oai;
mod options;
mod origin;
mod packing;
mod pickle;
mod publishing;
mod reading;
mod render;
mod rounds;
mod settings;
mod sitemap;
mod source;
mod streaming;
mod validate;
mod watch;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        address::not_public,
        applied::{AppliedChange, PendingChanges},
        baseline::without,
        builder::Builder,
        cancel::Cancel,
        catalogue::{explain, explanation, reason, rules, words},
        columns::Columns,
        command::run,
        content::Content,
        contents::{Contents, open_package},
        crawler::{Crawler, ResponseReader},
        dataset::{DocumentBody, Documents, divide},
        datetime::parse_datetime,
        destination::{audit_folder, check_sync_options, pending_changes, sync_folder},
        difference::{Difference, Differences},
        document::{Document, restore_document},
        entry::{Entry, restore_entry},
        findings::Findings,
        folder::{Generation, Records},
        follower::ChangeFollower,
        link::{Link, restore_link},
        members::Members,
        merge::Merger,
        metadata::Metadata,
        notify::{
            Hub, Listener, Publisher, Subscriber, notify_announce, notify_announce_documents, notify_read, notify_sign,
            notify_topic_reply, notify_verify,
        },
        oai::{
            OaiCheck, OaiHarvest, OaiMachine, OaiRecord, oai_bridge, oai_entries, oai_read, oai_validate,
            oai_validate_bytes, oai_validate_files,
        },
        options::Options,
        origin::Origin,
        packing::Packer,
        publishing::{Publication, check_history, media_type},
        reading::ItemReader,
        render::render,
        rounds::Rounds,
        settings::sync_options,
        sitemap::SitemapEntries,
        source::{SourceEvent, SourceEvents, publish_events},
        streaming::Validation,
        validate::{takes_for_package, validate_bytes, validate_chunks, validate_package, validate_paths},
    };
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("FORMATS", super::render::formats(module.py())?)
    }

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const USER_AGENT: &str = resourcesync_notify::exchange::USER_AGENT;
}
