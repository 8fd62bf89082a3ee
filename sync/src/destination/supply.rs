//! The packages that a run reads before the transfers, and the mirrors that are asked in them.

use alloc::collections::VecDeque;

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
}
