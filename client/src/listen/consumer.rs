//! Passes events on to a program or a file, in order, until they are taken.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use resourcesync_notify::retry::Schedule;

use super::messages::{ConsumeError, DriverEvent};
use crate::{cancel::Cancel, system::reason};

/// How long a program may continue when the process is stopped.
const GRACE: Duration = Duration::from_secs(10);
/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Maximum lines that are appended together.
const LINES: usize = 256;
/// Maximum bytes of an incomplete last line.
const TAIL: u64 = 64 << 20;
/// How the lines of events begin.
const BEGINNING: &[u8] = b"{\"id\":";

/// What events are passed on to.
#[derive(Debug, Clone)]
pub enum Consumer {
    /// A program, which is run for each event.
    Program {
        /// The program.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
        /// Its time.
        most: Duration,
    },
    /// A file, to which they are appended.
    File(PathBuf),
}

/// An event with its number.
type Numbered = (i64, String);

/// The thread that passes events on.
pub(super) struct Feed {
    events: Sender<Vec<Numbered>>,
    thread: Option<JoinHandle<()>>,
    together: usize,
    is_busy: bool,
}

impl Feed {
    pub(super) fn start(consumer: Consumer, cancel: &Cancel, to: Sender<DriverEvent>) -> Feed {
        let together = if matches!(consumer, Consumer::File(_)) { LINES } else { 1 };
        let (sender, events) = mpsc::channel();
        let cancel = cancel.clone();
        let run = move || run(&consumer, &events, &cancel, &to);
        let thread = thread::Builder::new().name("consumer".to_owned()).spawn(run).ok();
        Feed { events: sender, thread, together, is_busy: false }
    }

    /// Events that it takes together.
    pub(super) fn together(&self) -> usize {
        self.together
    }

    /// True while it has events.
    pub(super) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Passes events on.
    pub(super) fn pass_on(&mut self, events: Vec<Numbered>) {
        self.is_busy = self.events.send(events).is_ok();
    }

    /// It took them.
    pub(super) fn took(&mut self) {
        self.is_busy = false;
    }

    /// Ends the thread, and waits for it: the run was cancelled.
    pub(super) fn stop(self) {
        let Feed { events, thread, .. } = self;
        drop(events);
        let _ = thread.map(JoinHandle::join);
    }
}

fn run(consumer: &Consumer, events: &Receiver<Vec<Numbered>>, cancel: &Cancel, to: &Sender<DriverEvent>) {
    for events in events {
        let Some((last, _)) = events.last() else { continue };
        let mut failures = 0_u32;
        loop {
            let taken = match consumer {
                Consumer::Program { program, arguments, most } => {
                    events.iter().try_for_each(|event| execute((program, arguments, *most), event, cancel))
                }
                Consumer::File(file) => append(file, &events).map_err(|error| unwritable(file, &error)),
            };
            let Err(why) = taken else { break };
            if cancel.is_cancelled() || to.send(DriverEvent::NotConsumed(why)).is_err() {
                return;
            }
            failures = failures.saturating_add(1);
            if !cancel.sleep(Schedule::CONSUME.step(failures)) {
                return;
            }
        }
        if to.send(DriverEvent::Consumed(*last)).is_err() {
            return;
        }
    }
}

/// The line of an event with its number.
fn line((id, event): &Numbered) -> String {
    format!("{{\"id\":{id},{}\n", event.strip_prefix('{').unwrap_or(event))
}

/// Runs a program with an event on its standard input, without a shell. What it prints goes to standard error.
fn execute(
    (program, arguments, most): (&Path, &[String], Duration),
    event: &Numbered,
    cancel: &Cancel,
) -> Result<(), ConsumeError> {
    let failed = |error: &io::Error| ConsumeError::NotRun { program: program.to_owned(), reason: reason(error) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::from(io::stderr()));
    for (name, value) in variables(&event.1) {
        command.env(name, value);
    }
    command.env("RESOURCESYNC_ID", event.0.to_string());
    #[cfg(unix)]
    {
        // It can be ended with everything that it started, and Ctrl-C does not end it.
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let text = line(event);
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input is no failure. Nor is it waited for: what the program started may keep the input open.
        let _ = thread::Builder::new().spawn(move || drop(stdin.write_all(text.as_bytes())));
    }
    let begun = Instant::now();
    let mut stopped: Option<Instant> = None;
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Err(error) => break Err(failed(&error)),
            Ok(None) => {}
        }
        if cancel.is_cancelled() {
            stopped.get_or_insert_with(Instant::now);
        }
        if begun.elapsed() > most || stopped.is_some_and(|stopped| stopped.elapsed() > GRACE) {
            kill(&mut child);
            let seconds = begun.elapsed().as_secs();
            break Err(ConsumeError::Ended { program: program.to_owned(), seconds });
        }
        thread::sleep(LOOK);
    };
    match ended? {
        status if status.success() => Ok(()),
        status => Err(ConsumeError::Failed { program: program.to_owned(), event: event.0, status: status.to_string() }),
    }
}

/// Ends a program with everything that it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// What a script needs most often, as variables of the environment.
fn variables(event: &str) -> Vec<(&'static str, String)> {
    let value: serde_json::Value = serde_json::from_str(event).unwrap_or_default();
    let names = [
        ("RESOURCESYNC_EVENT", "event"),
        ("RESOURCESYNC_CHANNEL", "channel"),
        ("RESOURCESYNC_TOPIC", "topic"),
        ("RESOURCESYNC_SET", "set"),
    ];
    let text = |field: &str| value.get(field).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    // A variable cannot contain NUL.
    names.into_iter().map(|(name, field)| (name, text(field).replace('\0', ""))).collect()
}

/// Checks that events can be appended to a file.
///
/// # Errors
///
/// If they cannot.
pub fn check(file: &Path) -> Result<(), ConsumeError> {
    open(file, "").map(drop).map_err(|error| unwritable(file, &error))
}

fn unwritable(file: &Path, error: &io::Error) -> ConsumeError {
    ConsumeError::Unwritable { file: file.to_owned(), reason: reason(error) }
}

/// Opens a file for appending these lines; without any, nothing in it is changed. What a killed process wrote of them is removed, since they are
/// written again.
fn open(path: &Path, lines: &str) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let length = file.metadata()?.len();
    if !file.metadata()?.is_file() || length == 0 {
        return Ok(file);
    }
    let start = length.saturating_sub(TAIL);
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last == *b"\n" {
        return Ok(file);
    }
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    (&file).take(TAIL).read_to_end(&mut tail)?;
    let at = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at.saturating_add(1));
    let line = tail.get(at..).unwrap_or_default();
    let is_whole = serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    if !is_whole && !line.starts_with(BEGINNING) && !BEGINNING.starts_with(line) {
        return Err(io::Error::other("its last line is incomplete, and is no event"));
    }
    if lines.as_bytes().starts_with(line) || !is_whole && !lines.is_empty() {
        file.set_len(start.saturating_add(at as u64))?;
    } else if !lines.is_empty() {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// Appends lines, which are on disk afterwards.
fn append(path: &Path, events: &[Numbered]) -> io::Result<()> {
    let text: String = events.iter().map(line).collect();
    let mut file = open(path, &text)?;
    file.write_all(text.as_bytes())?;
    if file.metadata()?.is_file() { file.sync_data() } else { Ok(()) }
}
