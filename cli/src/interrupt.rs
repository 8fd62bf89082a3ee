//! Connects the signals that stop a run to its cancel token.

use std::io;

use resourcesync_client::Cancel;
use signal_hook::{
    SigId,
    consts::{SIGINT, SIGTERM},
    flag,
    low_level::unregister,
};

use crate::status;

/// While it lives, the first SIGINT or SIGTERM cancels the run, and the second one ends the process at once.
#[derive(Debug)]
pub(crate) struct Interrupt {
    cancel: Cancel,
    handlers: Vec<SigId>,
}

impl Interrupt {
    /// Listens to the signals from now on.
    pub(crate) fn listen() -> Interrupt {
        let cancel = Cancel::default();
        let handle = |signal| -> io::Result<[SigId; 2]> {
            // In this order: the first signal finds the flag still unset.
            let second = flag::register_conditional_shutdown(signal, status::UNSURE, cancel.flag())?;
            Ok([second, flag::register(signal, cancel.flag())?])
        };
        // Should this fail, a signal simply ends the process.
        let handlers = [SIGINT, SIGTERM].into_iter().filter_map(|signal| handle(signal).ok()).flatten().collect();
        Interrupt { cancel, handlers }
    }

    /// The token of the run.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        for handler in self.handlers.drain(..) {
            unregister(handler);
        }
    }
}
