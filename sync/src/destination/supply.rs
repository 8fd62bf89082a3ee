//! The packages that a run reads before the transfers, and the mirrors that are asked in them.

use alloc::{collections::VecDeque, vec::Vec};

use super::task::{Task, Transferred};
use crate::{
    origin::{Mirrors, Rates},
    package::Package,
};

/// The dumps whose packages are considered next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    ResourceDumps,
    ChangeDumps,
    None,
}

/// The packages that a run reads before the transfers, and the mirrors that are asked in them.
#[derive(Debug, Default)]
pub(super) struct Supply {
    pub(super) stage: Stage,
    /// What servers respond per second, as measured in this run.
    pub(super) rates: Rates,
    /// Those that were chosen and not read yet.
    pub(super) left: VecDeque<Package>,
    pub(super) mirrors: Mirrors,
    /// True if packages may be the only place of resources, so that those that are missing elsewhere are looked for there.
    pub(super) is_last_place: bool,
    /// Resources that are missing elsewhere.
    pub(super) missing: Vec<(Task, Transferred)>,
    /// True if the packages of Resource Dumps were chosen before.
    pub(super) has_unpacked: bool,
    /// True if a package whose manifest was read as a list is another one than its dump states.
    pub(super) is_contradicted: bool,
    /// True while packages are read for missing resources, whatever they cost.
    pub(super) is_forced: bool,
}
