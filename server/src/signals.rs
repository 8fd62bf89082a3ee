//! Signals that stop the process, or let it read its settings again. Once they are caught, none is lost.

use std::{fmt, io};

#[cfg(unix)]
use {
    signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::{Handle, Signals as Caught},
    },
    std::thread,
    tokio::sync::mpsc,
};

/// What a signal requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Stop,
    Reload,
}

/// SIGTERM, SIGINT and SIGHUP, caught until this is dropped; elsewhere than on Unix, Ctrl-C.
pub struct Signals {
    #[cfg(unix)]
    received: mpsc::UnboundedReceiver<Signal>,
    #[cfg(unix)]
    handle: Handle,
}

impl Signals {
    /// Catches signals from here on. A process does so before it uses an address, and before it announces that it is ready.
    ///
    /// # Errors
    ///
    /// If the system has no pipe or thread left.
    #[cfg(unix)]
    pub fn catch() -> io::Result<Signals> {
        // The pipe exists before the handlers: unlike with the signals of tokio, there is no moment at which one has no receiver.
        let mut caught = Caught::new([SIGTERM, SIGINT, SIGHUP])?;
        let handle = caught.handle();
        let (sender, received) = mpsc::unbounded_channel();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in caught.forever() {
                let signal = if signal == SIGHUP { Signal::Reload } else { Signal::Stop };
                if sender.send(signal).is_err() {
                    return;
                }
            }
        })?;
        Ok(Signals { received, handle })
    }

    /// Catches signals from the first wait on.
    ///
    /// # Errors
    ///
    /// None.
    #[cfg(not(unix))]
    pub fn catch() -> io::Result<Signals> {
        Ok(Signals {})
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) -> Signal {
        #[cfg(unix)]
        if let Some(signal) = self.received.recv().await {
            return signal;
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
        Signal::Stop
    }
}

#[cfg(unix)]
impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}

impl fmt::Debug for Signals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signals").finish_non_exhaustive()
    }
}
