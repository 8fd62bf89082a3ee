//! Reads `hub.toml`: every key is known, and errors have their line.

mod address;
mod error;
mod hub_toml;
mod section;
mod tables;
mod values;

pub use self::{
    address::AdminAddress,
    error::SettingsError,
    hub_toml::{Overrides, Settings, TlsFiles},
};
