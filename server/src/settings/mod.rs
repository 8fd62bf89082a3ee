//! Reads the settings of a hub: every key is known, and errors have their place.

mod address;
mod hub;
mod section;
mod tables;
mod values;

pub use self::{
    address::AdminAddress,
    hub::{Overrides, Settings, TlsFiles},
};
