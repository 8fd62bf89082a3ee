//! Harvests, checks and publications of OAI-PMH repositories.

mod bridge;
mod check;
mod harvest;
mod machine;
mod read;
mod record;

pub(crate) use self::{
    bridge::oai_bridge,
    check::{OaiCheck, oai_validate, oai_validate_bytes, oai_validate_files},
    harvest::OaiHarvest,
    machine::OaiMachine,
    read::{oai_entries, oai_read},
    record::OaiRecord,
};
