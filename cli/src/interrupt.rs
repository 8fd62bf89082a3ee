//! Notices that the user wants the run to stop.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use crate::status;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// From now on the first SIGINT or SIGTERM only sets a flag; the second ends the process at once.
pub(crate) fn listen() {
    REQUESTED.store(false, Ordering::SeqCst);
    LISTENING.get_or_init(|| {
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag still unset. Should this fail, a signal simply ends the process.
            let _ = flag::register_conditional_shutdown(signal, status::UNSURE, &REQUESTED);
            let _ = flag::register(signal, &REQUESTED);
        }
    });
}

/// True once the run should stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}
