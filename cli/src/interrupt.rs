//! The signals that stop a run, and the cancel token that they set.

use std::{io, time::Duration};

use resourcesync_client::Cancel;
use signal_hook::{
    SigId,
    consts::{SIGINT, SIGTERM},
    flag,
    low_level::unregister,
};

use crate::status;

/// Makes writing fail with a reason where a file would exceed the limit of the process (`ulimit -f`): by default the system ends it without a
/// word.
pub(crate) fn outlive_file_limit() {
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Until it is dropped, the first SIGINT or SIGTERM cancels the run, and the second one ends the process
/// immediately.
#[derive(Debug)]
pub(crate) struct Interrupt {
    cancel: Cancel,
    handlers: Vec<SigId>,
}

impl Interrupt {
    /// Installs the signal handlers.
    pub(crate) fn listen() -> Interrupt {
        let cancel = Cancel::default();
        let handle = |signal| -> io::Result<[SigId; 2]> {
            // In this order, so that the flag is still unset at the first signal.
            let second = flag::register_conditional_shutdown(signal, status::UNSURE, cancel.flag())?;
            Ok([second, flag::register(signal, cancel.flag())?])
        };
        // If this fails, a signal ends the process.
        let handlers = [SIGINT, SIGTERM].into_iter().filter_map(|signal| handle(signal).ok()).flatten().collect();
        Interrupt { cancel, handlers }
    }

    /// The same, also ended after this time.
    pub(crate) fn within(time: Option<Duration>) -> Interrupt {
        let interrupt = Interrupt::listen();
        time.into_iter().for_each(|time| interrupt.cancel.expire_after(time));
        interrupt
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
