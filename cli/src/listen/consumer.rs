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

use resourcesync::report::{self, Lang};
use resourcesync_client::{Cancel, reason};

use super::driver::Happened;
use crate::{arguments::Listen, error::CliError};

/// The pauses after failures; the last one is repeated.
const PAUSES: [Duration; 6] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
    Duration::from_secs(3_600),
];
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

/// The thread that passes events on.
pub(super) struct Consumer {
    events: Sender<Vec<(i64, String)>>,
    thread: Option<JoinHandle<()>>,
    /// Events that it takes together.
    pub(super) together: usize,
    /// True while it has events.
    pub(super) is_busy: bool,
}

enum Target {
    Program { program: PathBuf, arguments: Vec<String>, most: Duration },
    File(PathBuf),
}

impl Consumer {
    /// Starts it if the arguments name a program or a file.
    pub(super) fn start(arguments: &Listen, cancel: &Cancel, to: Sender<Happened>) -> Option<Consumer> {
        let (target, together) = match (&arguments.exec, &arguments.log) {
            (Some(program), _) => {
                let (arguments, most) = (arguments.exec_arg.clone(), arguments.exec_timeout);
                (Target::Program { program: program.clone(), arguments, most }, 1)
            }
            (None, Some(file)) => (Target::File(file.clone()), LINES),
            (None, None) => return None,
        };
        let (sender, events) = mpsc::channel();
        let cancel = cancel.clone();
        let lang = arguments.terminal.language.for_people();
        let run = move || run(&target, &events, (&cancel, lang), &to);
        let thread = thread::Builder::new().name("consumer".to_owned()).spawn(run).ok();
        Some(Consumer { events: sender, thread, together, is_busy: false })
    }

    /// Passes events on.
    pub(super) fn pass_on(&mut self, events: Vec<(i64, String)>) {
        self.is_busy = self.events.send(events).is_ok();
    }

    /// Ends the thread, and waits for it: the run was cancelled.
    pub(super) fn stop(self) {
        let Consumer { events, thread, .. } = self;
        drop(events);
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

fn run(target: &Target, events: &Receiver<Vec<(i64, String)>>, (cancel, lang): (&Cancel, Lang), to: &Sender<Happened>) {
    for events in events {
        let Some((last, _)) = events.last() else { continue };
        let mut failures = 0_usize;
        loop {
            let taken = match target {
                Target::Program { program, arguments, most } => {
                    events.iter().try_for_each(|event| execute(program, arguments, *most, event, (cancel, lang)))
                }
                Target::File(file) => append(file, &events, lang),
            };
            let Err(why) = taken else { break };
            if cancel.is_cancelled() || to.send(Happened::NotConsumed(why)).is_err() {
                return;
            }
            let pause = PAUSES.get(failures).or(PAUSES.last()).copied().unwrap_or_default();
            failures = failures.saturating_add(1);
            if !cancel.sleep(pause) {
                return;
            }
        }
        if to.send(Happened::Consumed(*last)).is_err() {
            return;
        }
    }
}

/// The event with its number.
fn line((id, event): &(i64, String)) -> String {
    format!("{{\"id\":{id},{}", event.strip_prefix('{').unwrap_or(event))
}

/// Runs a program with an event on its standard input, without a shell. What it prints goes to standard error.
fn execute(
    program: &Path,
    arguments: &[String],
    most: Duration,
    event: &(i64, String),
    (cancel, lang): (&Cancel, Lang),
) -> Result<(), String> {
    let shown = program.display();
    let failed = |error: &io::Error| {
        let reason = report::reason(&reason(error), lang);
        match lang {
            Lang::En => format!("{shown} could not be run: {reason}"),
            Lang::Ja => format!("{shown} を実行できません: {reason}"),
        }
    };
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
    let writer = child.stdin.take().and_then(|mut stdin| {
        // A program that does not read its input is no failure.
        thread::Builder::new().spawn(move || drop(stdin.write_all(text.as_bytes()))).ok()
    });
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
            break Err(match lang {
                Lang::En => format!("{shown} was ended after {seconds} s"),
                Lang::Ja => format!("{shown} を {seconds} 秒後に終了させました"),
            });
        }
        thread::sleep(LOOK);
    };
    if let Some(writer) = writer {
        let _ = writer.join();
    }
    match ended? {
        status if status.success() => Ok(()),
        status => Err(match lang {
            Lang::En => format!("{shown} failed for event {}: {status}; it is run again", event.0),
            Lang::Ja => format!("イベント {} の {shown} が失敗したため、もう一度実行します: {status}", event.0),
        }),
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
    let own = |field: &str| value.get(field).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    // A variable cannot contain NUL.
    names.into_iter().map(|(name, field)| (name, own(field).replace('\0', ""))).collect()
}

/// Checks that events can be appended to a file.
pub(super) fn check(file: &Path) -> Result<(), CliError> {
    open(file).map(drop).map_err(|error| unwritable(file, &error, Lang::En).into())
}

fn unwritable(file: &Path, error: &io::Error, lang: Lang) -> String {
    let (file, reason) = (file.display(), report::reason(&reason(error), lang));
    match lang {
        Lang::En => format!("{file} could not be written: {reason}"),
        Lang::Ja => format!("{file} に書き込めません: {reason}"),
    }
}

/// Opens a file for appending. An incomplete line of a killed process is removed; its event is written again.
fn open(path: &Path) -> io::Result<File> {
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
    if !line.starts_with(BEGINNING) && !BEGINNING.starts_with(line) {
        return Err(io::Error::other("its last line is incomplete, and is no event"));
    }
    file.set_len(start.saturating_add(at as u64))?;
    Ok(file)
}

/// Appends lines, which are on disk afterwards.
fn append(path: &Path, events: &[(i64, String)], lang: Lang) -> Result<(), String> {
    let written = || {
        let mut file = open(path)?;
        let mut text = String::new();
        for event in events {
            text.push_str(&line(event));
            text.push('\n');
        }
        file.write_all(text.as_bytes())?;
        if file.metadata()?.is_file() { file.sync_data() } else { Ok(()) }
    };
    written().map_err(|error| unwritable(path, &error, lang))
}
