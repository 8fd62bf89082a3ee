//! `resourcesync build`: publishes a folder or an inventory as a Source.

use resourcesync_client::publish::{self, Event, Outcome, Summary};

use super::{
    line_output::LineOutput,
    report::{failed, show},
};
use crate::{
    arguments::Build, error::CliError, interrupt::Interrupt, notify, outputs::print, progress_bar::Passed, status,
};

/// Runs it.
pub(crate) fn run(arguments: &Build) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    if arguments.verify_state || arguments.rebuild_state {
        return state(arguments, &interrupt);
    }
    let hubs = notify::Hubs::new(arguments, &interrupt)?;
    let mut passed = Passed::new(arguments.quiet);
    let (mut lines, mut written) = (LineOutput::default(), Ok(()));
    let outcome = publish::publish(&arguments.options(), interrupt.cancel(), &mut |event| match event {
        Event::Change(verb, uri) if written.is_ok() => written = lines.line(&format!("{} {uri}", verb.as_str())),
        event => show(event, &mut passed),
    });
    drop(passed);
    written?;
    let is_any = lines.end()?;
    match outcome {
        Ok(Outcome::Published(summary)) => {
            if !arguments.quiet {
                print(&published(arguments, &summary))?;
            }
            let status = hubs.send()?;
            Ok(if status == status::VALID && summary.skipped > 0 { status::UNSURE } else { status })
        }
        Ok(Outcome::Unchanged(since)) => {
            if !arguments.quiet {
                print(&format!("nothing has changed since {since}\n"))?;
            }
            hubs.send()
        }
        Ok(Outcome::Dry { again: false, resources, .. }) => {
            print(&format!("{resources} resources would be published\n"))
        }
        Ok(Outcome::Dry { .. }) if !is_any => print("nothing has changed\n"),
        Ok(_) => Ok(status::VALID),
        Err(error) => failed(error, "nothing was published"),
    }
}

/// Checks or rebuilds the state.
fn state(arguments: &Build, interrupt: &Interrupt) -> Result<i32, CliError> {
    let (verb, state) = match arguments.verify_state {
        true => ("verified", publish::verify_state(&arguments.out)?),
        false => ("rebuilt", publish::rebuild_state(&arguments.options(), interrupt.cancel())?),
    };
    let publish::Verified { at, resources, changes } = state;
    let out = arguments.out.display();
    print(&format!("{out}: state of {at} {verb}: {resources} resources, {changes} changes in open Change Lists\n"))
}

fn published(arguments: &Build, summary: &Summary) -> String {
    let changes: Vec<String> = summary.changes.iter().map(|(verb, count)| format!("{count} {verb}")).collect();
    let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) };
    let (written, kept) = (summary.written.len(), summary.kept.len());
    let kept = if kept == 0 { String::new() } else { format!(", {kept} kept") };
    let (out, resources) = (arguments.out.display(), summary.resources);
    format!("{out}: {resources} resources{changes}, {written} files written{kept}\n")
}
