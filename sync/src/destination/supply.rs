//! The packages that a run reads before the transfers.

use alloc::collections::VecDeque;

use crate::{origin::Rates, package::Package};

/// The packages that a run reads before the transfers.
#[derive(Debug, Default)]
pub(super) struct Supply {
    /// What servers respond per second, as measured in this run.
    pub(super) rates: Rates,
    /// Those that were chosen and not read yet.
    pub(super) left: VecDeque<Package>,
}
