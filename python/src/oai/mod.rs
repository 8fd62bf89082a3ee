//! Harvests of OAI-PMH repositories.

mod bridge;
mod harvest;
mod machine;
mod read;
mod record;

pub(crate) use self::{
    bridge::oai_bridge,
    harvest::OaiHarvest,
    machine::OaiMachine,
    read::{oai_entries, oai_read},
    record::OaiRecord,
};
