//! Reads one input in windows and validates it at the same time.

use std::{
    fs::File,
    io::{self, Read},
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use resourcesync::{
    api::{Options, Validation, Verification},
    diagnostic::{Reason, ReasonCode},
    rules::KnownPackages,
};

use super::{
    kept::Keep,
    step::{Input, ReadFrom},
};
use crate::{
    http::{self, Attempts, ErrorKind, FetchedInput, fetch_input},
    meter::Meter,
    package::{Bytes, InputOutcome, PipedInput, verify_bytes},
    system::reason,
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// The interval at which cancellation is checked while waiting for a pipe.
const PATIENCE: Duration = Duration::from_millis(50);

/// Members of a remote package that are read concurrently.
const AT_A_TIME: NonZeroUsize = NonZeroUsize::MIN.saturating_add(3);

/// How reading ended.
enum End {
    Complete,
    Failed(Reason),
    /// The connection was lost; a retry may succeed.
    Cut(Reason),
    /// It is a package, which is verified instead.
    Package(Box<dyn Bytes>, u64),
    Interrupted,
}

/// Validates one input, given the packages of the batch. With `keep`, the findings on a document are kept there, under this number.
pub(super) fn validate(
    input: &Input,
    options: &Options,
    packages: Option<&Arc<KnownPackages>>,
    meter: &Meter,
    keep: Option<(&Keep<'_>, usize)>,
) -> InputOutcome {
    let begin = || match packages {
        Some(packages) => Validation::new(options, input.origin.clone()).with_packages(packages.clone()),
        None => Validation::new(options, input.origin.clone()),
    };
    let whole = || {
        let mut attempts = match &input.from {
            ReadFrom::Url { client, .. } => Attempts::new(client),
            _ => Attempts::once(),
        };
        let (validation, mut findings, end) = loop {
            let mut validation = begin();
            let mut findings = keep.map(|(keep, number)| keep.begin(number));
            let end = read(&input.from, &mut attempts, options.limits.package_bytes, meter, &mut |bytes| {
                meter.count(bytes.len());
                validation.push(bytes);
                if let Some(findings) = &mut findings {
                    findings.take(validation.take_diagnostics());
                }
                validation.wants_more()
            });
            match end {
                End::Cut(_) if attempts.again() => {}
                _ => break (validation, findings, end),
            }
        };
        let interrupted = matches!(end, End::Interrupted);
        let mut outcome = match end {
            End::Complete => validation.finish(),
            End::Failed(reason) | End::Cut(reason) => validation.unreadable(reason),
            End::Package(bytes, size) => {
                let begin = |size| Verification::new(options, input.origin.clone(), size);
                return verify_bytes(&*bytes, size, &begin, AT_A_TIME, meter).done;
            }
            End::Interrupted => validation.interrupted(),
        };
        if let Some(findings) = findings.take() {
            findings.end(&mut outcome);
        }
        InputOutcome { outcome, interrupted }
    };
    // A panic for one input must not lose the report on all others.
    catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| InputOutcome {
        outcome: begin().unreadable(Reason::new(ReasonCode::Bug)),
        interrupted: false,
    })
}

fn read(
    from: &ReadFrom,
    attempts: &mut Attempts,
    limit: u64,
    meter: &Meter,
    take: &mut dyn FnMut(&[u8]) -> bool,
) -> End {
    if meter.is_stopped() {
        return End::Interrupted;
    }
    match from {
        ReadFrom::File(path) => match File::open(path) {
            Ok(file) => directly(file, meter, take),
            Err(error) => End::Failed(reason(&error)),
        },
        ReadFrom::Stream(path) => {
            let path: PathBuf = path.clone();
            piped(move || File::open(path), limit, meter, take)
        }
        ReadFrom::Stdin => piped(|| Ok(io::stdin()), limit, meter, take),
        ReadFrom::Url { uri, client, is_start } => match fetch_input(client, uri, *is_start, attempts) {
            Ok(FetchedInput::Document(body)) => directly(body, meter, take),
            Ok(FetchedInput::Package(bytes, size)) => End::Package(bytes, size),
            Err(error) => failed(&error),
        },
        ReadFrom::Nowhere(reason) => End::Failed(reason.clone()),
    }
}

fn failed(error: &http::Error) -> End {
    if error.kind == ErrorKind::Interrupted { End::Interrupted } else { End::Failed(error.reason.clone()) }
}

/// Reads an input that does not block indefinitely: a file, or a body, which has its own limits. Therefore it is enough to check for
/// cancellation between windows.
fn directly(mut file: impl Read, meter: &Meter, take: &mut dyn FnMut(&[u8]) -> bool) -> End {
    let mut window = vec![0; WINDOW];
    loop {
        if meter.is_stopped() {
            return End::Interrupted;
        }
        match file.read(&mut window) {
            Ok(0) => return End::Complete,
            Ok(length) if take(window.get(..length).unwrap_or(&[])) => {}
            // Dropping it closes the connection.
            Ok(_) => return End::Complete,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return match http::Error::of(&error) {
                    Some(error) if error.is_temporary() => End::Cut(error.reason.clone()),
                    Some(error) => failed(error),
                    None => End::Failed(reason(&error)),
                };
            }
        }
    }
}

/// Reads a pipe. A package in it is buffered until it is complete.
fn piped<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    limit: u64,
    meter: &Meter,
    take: &mut dyn FnMut(&[u8]) -> bool,
) -> End {
    let mut piped = PipedInput::new(limit);
    let mut wants_more = true;
    let end = patiently(open, meter, &mut |bytes| {
        piped.push(bytes, &mut |bytes| wants_more = take(bytes));
        wants_more
    });
    match (end, piped.finish(&mut |bytes| _ = take(bytes))) {
        (End::Complete, Some(Ok((file, size)))) => End::Package(Box::new(file), size),
        (End::Complete, Some(Err(reason))) => End::Failed(reason),
        (end, _) => end,
    }
}

/// Reads an input that may block indefinitely when it is opened or read, on its own thread, which is abandoned when the run is
/// cancelled.
fn patiently<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    meter: &Meter,
    take: &mut dyn FnMut(&[u8]) -> bool,
) -> End {
    // Two windows: one is read while the other is processed.
    let (give, windows) = sync_channel(1);
    let reader = thread::Builder::new().spawn(move || pump(open, &give));
    match reader {
        Ok(_) => drain(&windows, meter, take),
        Err(error) => End::Failed(reason(&error)),
    }
}

type Window = io::Result<Vec<u8>>;

/// Reads to the end, or to an error, or until the receiver is gone; an empty window stands for the end.
fn pump<R: Read>(open: impl FnOnce() -> io::Result<R>, give: &SyncSender<Window>) {
    let mut stream = match open() {
        Ok(stream) => stream,
        Err(error) => {
            let _ = give.send(Err(error));
            return;
        }
    };
    loop {
        let mut window = vec![0; WINDOW];
        let outcome = match stream.read(&mut window) {
            Ok(length) => {
                window.truncate(length);
                Ok(window)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let ended = !matches!(&outcome, Ok(window) if !window.is_empty());
        if give.send(outcome).is_err() || ended {
            return;
        }
    }
}

fn drain(windows: &Receiver<Window>, meter: &Meter, take: &mut dyn FnMut(&[u8]) -> bool) -> End {
    loop {
        if meter.is_stopped() {
            return End::Interrupted;
        }
        match windows.recv_timeout(PATIENCE) {
            Ok(Ok(window)) if window.is_empty() => return End::Complete,
            Ok(Ok(window)) if take(&window) => {}
            Ok(Ok(_)) => return End::Complete,
            Ok(Err(error)) => return End::Failed(reason(&error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return End::Failed(Reason::other("reading it failed")),
        }
    }
}
