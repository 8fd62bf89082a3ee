//! Fuzz targets as plain functions of bytes: they return, or panic if they found a bug.
//!
//! The tests of this crate run each on its seeds and on many damaged copies of them; `scripts/fuzz` runs each under libFuzzer.

// A finding is a panic.
#![allow(clippy::panic)]

mod configuration;
mod datetime;
mod document;
mod gzip;
mod hash;
mod notify_form;
mod notify_hub;
mod notify_link;
mod notify_machine;
mod notify_request;
mod oai_page;
mod oai_state;
mod package;
mod parcel;
mod repair;
mod repeated;
mod report;
mod seeds;
mod selection;
mod source;
mod sync_place;
mod sync_state;
mod sync_survey;
mod uri;
mod words;
mod xml;

pub use self::{
    configuration::configuration, datetime::datetime, document::document, gzip::gzip, hash::hash,
    notify_form::notify_form, notify_hub::notify_hub, notify_link::notify_link, notify_machine::notify_machine,
    notify_request::notify_request, oai_page::oai_page, oai_state::oai_state, package::package, parcel::parcel,
    repair::repair, repeated::repeated, report::report, seeds::seeds, selection::selection, source::source,
    sync_place::sync_place, sync_state::sync_state, sync_survey::sync_survey, uri::uri, words::words, xml::xml,
};

/// A function of this crate.
pub type Body = fn(&[u8]);

/// Every function by the name of its target.
pub const BODIES: &[(&str, Body)] = &[
    ("configuration", configuration),
    ("datetime", datetime),
    ("document", document),
    ("gzip", gzip),
    ("hash", hash),
    ("notify_form", notify_form),
    ("notify_hub", notify_hub),
    ("notify_link", notify_link),
    ("notify_machine", notify_machine),
    ("notify_request", notify_request),
    ("oai_page", oai_page),
    ("oai_state", oai_state),
    ("repair", repair),
    ("repeated", repeated),
    ("package", package),
    ("parcel", parcel),
    ("report", report),
    ("selection", selection),
    ("source", source),
    ("sync_place", sync_place),
    ("sync_state", sync_state),
    ("sync_survey", sync_survey),
    ("uri", uri),
    ("words", words),
    ("xml", xml),
];
