//! `resourcesync serve`: serves a published folder over HTTP, to try it out.

mod answer;
mod request;

use std::{
    fs,
    io::{self, Read},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use resourcesync::report::Lang;

use self::{answer::Answer, request::Request};
use crate::{arguments::Serve, error::CliError, interrupt::Interrupt, outputs, status};

/// Connections at a time; further ones are closed.
const CONNECTIONS: usize = 64;
/// How long a client may take to send a request, or to take the next part of an answer.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The interval between checks for connections and signals.
const PAUSE: Duration = Duration::from_millis(10);

/// Runs it, until it is interrupted.
pub(crate) fn run(arguments: &Serve) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let folder = arguments.folder.display();
    if !fs::metadata(&arguments.folder).is_ok_and(|meta| meta.is_dir()) {
        return Err(format!("{folder} is not a folder").into());
    }
    let unbound = |error: io::Error| format!("{} could not be listened on: {error}", arguments.listen);
    let listener = TcpListener::bind(arguments.listen).map_err(unbound)?;
    listener.set_nonblocking(true).map_err(unbound)?;
    let uri = format!("http://{}/", listener.local_addr().map_err(unbound)?);
    if !arguments.terminal.quiet {
        outputs::print(&match arguments.terminal.language.for_people() {
            Lang::En => format!("{folder} is served at {uri}, for trying it out and not for production\n"),
            Lang::Ja => format!("{folder} を {uri} で公開しています。動作確認用であり、運用には使えません\n"),
        })?;
    }
    let busy = Arc::new(AtomicUsize::new(0));
    while !interrupt.cancel().is_cancelled() {
        match listener.accept() {
            Ok((stream, _)) if busy.load(Ordering::Relaxed) < CONNECTIONS => {
                let (folder, busy) = (arguments.folder.clone(), Arc::clone(&busy));
                busy.fetch_add(1, Ordering::Relaxed);
                thread::spawn(move || {
                    // A client that goes away is its own concern.
                    let _ = respond(stream, &folder);
                    busy.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Ok(_) => {}
            // Nobody is there, or a connection failed before it was accepted.
            Err(_) => thread::sleep(PAUSE),
        }
    }
    Ok(status::VALID)
}

/// Reads what is sent until a point in time.
struct Until<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(bytes)
    }
}

/// Answers one request, and closes the connection.
fn respond(mut stream: TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut sent = Until { stream: &stream, end: Instant::now() + TIMEOUT };
    let answer = match Request::read(&mut sent)? {
        Ok(request) => Answer::of(&request, folder)?,
        Err(status) => Answer::error(status),
    };
    answer.write(&mut stream)
}
