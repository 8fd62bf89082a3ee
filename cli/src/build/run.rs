//! `resourcesync build`: publishes a folder or an inventory as a Source.

use resourcesync::report::Lang;
use resourcesync_client::publish::{self, Event, State, Verified};

use super::{
    line_output::LineOutput,
    outcome::print,
    report::{Reporter, Unchanged},
    sitemap,
    summary::{Outcome, Summary},
    watch,
};
use crate::{
    arguments::Build, error::CliError, interrupt::Interrupt, notify, progress::Passed, status, words::counted,
};

/// Runs it.
pub(crate) fn run(arguments: &Build) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let mut reporter = Reporter::new(
        "build",
        arguments.format,
        arguments.printing.terminal.language,
        arguments.printing.terminal.quiet,
    );
    if arguments.verify_state || arguments.rebuild_state {
        return state(arguments, &mut reporter, &interrupt);
    }
    if let Some(times) = arguments.watched.options(arguments.stated.snapshot) {
        return watch::run(arguments, reporter, &times, &interrupt);
    }
    if arguments.stated.snapshot.is_some() && arguments.resources.folder.is_some() {
        return Err("--snapshot is for --changes and --watch: a run that reads all resources always writes one".into());
    }
    let origin = sitemap::origin(arguments, &interrupt)?;
    let hubs = notify::Hubs::new(arguments, &interrupt, arguments.printing.terminal.quiet || reporter.is_json())?;
    let mut passed = Passed::new(arguments.printing.terminal.quiet, arguments.printing.terminal.language.for_people());
    let (mut lines, mut written) = (LineOutput::default(), Ok(()));
    let is_listed = !reporter.is_json();
    let mut show = |event: Event<'_>| match event {
        Event::Change(verb, uri) if is_listed && written.is_ok() => {
            written = lines.line(&format!("{} {uri}", verb.as_str()));
        }
        event => reporter.show(event, &mut passed),
    };
    let outcome = match arguments.stated.changes(&arguments.resources) {
        Some(changes) => {
            let options = |state: Option<&State>| arguments.continuing(state);
            publish::publish_changes(&arguments.out, &changes, &options, interrupt.cancel(), &mut show)
        }
        None => arguments.options().and_then(|mut options| {
            origin.into_iter().for_each(|origin| options.resources.origin = origin);
            publish::publish(&options, interrupt.cancel(), &mut show)
        }),
    };
    drop(passed);
    let is_sent = matches!(outcome, Ok(publish::Outcome::Published(_) | publish::Outcome::Unchanged { .. }));
    let listed = written.and_then(|()| lines.end());
    let printed = listed.and_then(|is_any| print(&arguments.out, outcome, &mut reporter, is_any));
    // What was published is sent also if that could not be printed.
    let sent = if is_sent { hubs.send()? } else { status::VALID };
    let status = printed?;
    Ok(if sent == status::VALID { status } else { sent })
}

/// Checks or rebuilds the state.
fn state(arguments: &Build, reporter: &mut Reporter, interrupt: &Interrupt) -> Result<i32, CliError> {
    let (is_check, outcome) = match arguments.verify_state {
        true => (true, publish::verify_state(&arguments.out)),
        false => {
            let rebuilt = |options| publish::rebuild_state(&options, interrupt.cancel());
            (false, arguments.options().and_then(rebuilt))
        }
    };
    let Verified { at, resources, changes } = match outcome {
        Ok(verified) => verified,
        Err(error) => return reporter.failed(&error, Unchanged::Written),
    };
    let out = arguments.out.display();
    let json = || Summary {
        out: Some(out.to_string()),
        at: Some(at.clone()),
        resources: Some(resources),
        open_changes: Some(changes),
        ..Summary::new("build", if is_check { Outcome::Verified } else { Outcome::Rebuilt })
    };
    reporter.end(json, |lang| match lang {
        Lang::En => {
            let verb = if is_check { "verified" } else { "rebuilt" };
            let (resources, changes) = (counted(resources, "resource"), counted(changes, "change"));
            format!("{out}: state of {at} {verb}: {resources}, {changes} in open Change Lists\n")
        }
        Lang::Ja => {
            let verb = if is_check { "検証しました" } else { "再構築しました" };
            format!("{out}: {at} の状態を{verb}: リソース {resources} 件、開いている変更リストに変更 {changes} 件\n")
        }
    })
}
