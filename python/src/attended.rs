//! Work that a thread of Python waits for, with its signals and callbacks.

use std::{
    sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::Duration,
};

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use resourcesync_client::Cancel;

/// The interval between two checks for signals, and between two reports of progress.
pub(crate) const TICK: Duration = Duration::from_millis(100);
/// Results that wait for the callback.
const WAITING: usize = 64;

/// What a run tells the thread of Python.
pub(crate) enum News {
    /// Something to do in the thread of the caller.
    Call(Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>),
    Progress(&'static str, u64, Option<u64>, u64),
    /// A result, as JSON.
    Item(String),
}

/// Does the work on a thread of its own, while this one passes its news to callbacks and checks for signals. An exception cancels the work,
/// and is returned when it has ended.
pub(crate) fn attended<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    [tell, on_item]: [Option<Py<PyAny>>; 2],
    work: impl FnOnce(&SyncSender<News>) -> T + Send,
) -> PyResult<T> {
    let pass = |news: Option<News>| -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match (news, &tell, &on_item) {
                (Some(News::Call(call)), ..) => call(py),
                (Some(News::Progress(phase, done, total, amount)), Some(tell), _) => {
                    tell.call1(py, (phase, done, total, amount)).map(drop)
                }
                (Some(News::Item(item)), _, Some(on_item)) => on_item.call1(py, (item,)).map(drop),
                _ => Ok(()),
            }
        })
    };
    let (done, trouble) = py.detach(|| {
        thread::scope(|scope| {
            let (give, news) = sync_channel(WAITING);
            let worker = scope.spawn(move || work(&give));
            let mut trouble = None;
            loop {
                let next = match news.recv_timeout(TICK) {
                    Ok(next) => Some(next),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if trouble.is_none()
                    && let Err(error) = pass(next)
                {
                    trouble = Some(error);
                    cancel.cancel();
                }
            }
            (worker.join(), trouble)
        })
    });
    match trouble {
        Some(error) => Err(error),
        None => done.map_err(|_| PyRuntimeError::new_err("the run failed; please report this as a bug")),
    }
}
