//! `resourcesync oai validate`: checks a repository, or responses from files.

use std::{fs::File, io, path::PathBuf};

use clap::ArgMatches;
use resourcesync::report::{FamilySelection, Lang, Report, Via, render, subtract};
use resourcesync_client::{
    Cancel,
    oai::{CheckStep, check, check_file},
};
use resourcesync_oai::{
    harvest::Moment,
    limits::Limits,
    provider::{Call, CheckPlan, FileCheck, ProviderCheck},
};

use super::session::{self, Session};
use crate::{
    arguments::OaiValidate,
    error::CliError,
    interrupt::Interrupt,
    outputs::{self, Output},
    progress::ProgressLine,
    settings::ConfigFile,
    status, validate,
};

/// Default number of findings stored for each code, severity and response, and of those shown in text.
const STORED: u64 = 100;
const SHOWN: u64 = 5;
/// Milliseconds between requests: a check is never faster.
const PACE: u64 = 1000;

/// Runs it. Options are validated before anything is requested.
pub(super) fn run(arguments: &OaiValidate, matches: &ArgMatches, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let outputs = outputs::pair(matches)?;
    outputs.iter().try_for_each(Output::check)?;
    let files = arguments.targets.iter().filter(|target| !session::is_url(target)).map(PathBuf::from);
    let inputs = files.chain(arguments.baseline.clone()).chain(config.map(|config| config.path().clone()));
    validate::check_inputs(&outputs, &inputs.collect::<Vec<_>>())?;
    if arguments.common.post {
        return Err("--post has no meaning here: both methods are checked".into());
    }
    let baseline = arguments.baseline.as_deref().map(validate::earlier).transpose()?;
    let interrupt = Interrupt::within(arguments.common.max_time);
    let cancel = interrupt.cancel();
    let mut report = match arguments.targets.as_slice() {
        [url] if session::is_url(url) => of_repository(arguments, url, cancel)?,
        targets if targets.iter().any(|target| session::is_url(target)) => {
            return Err("a check takes one URL, or files".into());
        }
        targets => of_files(arguments, targets, cancel),
    };
    report.run.configuration = config.map(|config| config.name.clone());
    if let Some(baseline) = &baseline {
        subtract(&mut report, baseline).map_err(|error| CliError::new(format!("--baseline: {error}")))?;
    }
    let terminal = &arguments.common.printing.terminal;
    let status = status::of(&report, arguments.fail_on.unwrap_or(resourcesync::diagnostic::Severity::Error));
    let is_quiet = terminal.quiet && status == status::VALID;
    let shown = arguments.max_per_rule.unwrap_or(SHOWN);
    let lang = terminal.language.for_people();
    let written = validate::write(&outputs, lang, shown, terminal.color, is_quiet, &|output, options| {
        output.write(&render(&report, output.format, options), options.color)
    });
    Ok(if written || status == status::FOUND { status } else { status::UNSURE })
}

fn of_repository(arguments: &OaiValidate, url: &str, cancel: &Cancel) -> Result<Report, CliError> {
    let session = Session::open(&arguments.common, url, None, None, cancel)?;
    let mut state = ProviderCheck::new(plan(arguments, url));
    let terminal = &arguments.common.printing.terminal;
    let mut line = ProgressLine::new(terminal.quiet, terminal.language.for_people());
    let clock = session.clock.as_ref();
    check(&session.client, &mut state, clock, cancel, &mut |step| match step {
        CheckStep::Call(call) => line.show(|_, lang| sent(call, lang)),
        CheckStep::Wait(until) if long(*until, clock.now()) > 0 => {
            line.show(|_, lang| waiting(long(*until, clock.now()), lang));
        }
        CheckStep::Wait(_) => {}
    });
    line.end();
    Ok(state.report())
}

fn of_files(arguments: &OaiValidate, targets: &[String], cancel: &Cancel) -> Report {
    let mut state = FileCheck::new(plan(arguments, ""));
    for target in targets {
        if cancel.is_cancelled() {
            state.stopped(if cancel.is_expired() { "max-time" } else { "interrupt" });
            break;
        }
        match target.as_str() {
            "-" => check_file(&mut state, "-", Via::Stdin, Ok(io::stdin().lock())),
            path => check_file(&mut state, path, Via::Argument, File::open(path)),
        }
    }
    state.report()
}

fn plan(arguments: &OaiValidate, url: &str) -> CheckPlan {
    let mut plan = CheckPlan::new(url);
    let profile = arguments.profile.unwrap_or_default();
    plan.selection = FamilySelection::new(profile, &arguments.select, &arguments.ignore, &arguments.severity);
    // Findings that were not stored could not be compared with a baseline.
    plan.max_per_rule = if arguments.baseline.is_some() { 0 } else { arguments.max_per_rule.unwrap_or(STORED) };
    plan.delay = match arguments.common.delay {
        // A recording needs no pauses.
        _ if arguments.common.replay.is_some() => 0,
        Some(delay) => delay.max(PACE),
        None => PACE,
    };
    plan.max_wait = arguments.common.max_wait.unwrap_or(plan.max_wait);
    for (name, value) in &arguments.common.limit {
        // Limits of HTTP are those of the client.
        let _: bool = Limits::set(&mut plan.limits, name, *value);
    }
    plan
}

fn sent(call: &Call, lang: Lang) -> String {
    let (number, name) = (call.id, resourcesync::report::visible(&call.name));
    match lang {
        Lang::En => format!("request {number}: {name}"),
        Lang::Ja => format!("要求 {number}: {name}"),
    }
}

/// Seconds of a wait that is longer than the usual pause.
fn long(until: Moment, now: Moment) -> u64 {
    let seconds = until.since(now) / 1000;
    if seconds > 1 { seconds } else { 0 }
}

fn waiting(seconds: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("waiting {seconds} s"),
        Lang::Ja => format!("{seconds} 秒待機中"),
    }
}
