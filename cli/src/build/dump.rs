//! `resourcesync dump`: packages a folder or an inventory into a Resource Dump.

use resourcesync_client::publish;

use super::report::{failed, show};
use crate::{arguments::Dump, error::CliError, interrupt::Interrupt, outputs::print, progress_bar::Passed, status};

/// Runs it.
pub(crate) fn run(arguments: &Dump) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let mut passed = Passed::new(arguments.quiet);
    let outcome = publish::dump(&arguments.options(), interrupt.cancel(), &mut |event| show(event, &mut passed));
    drop(passed);
    match outcome {
        Ok(_) if arguments.quiet => Ok(status::VALID),
        Ok(summary) => {
            let packages = summary.written.iter().filter(|path| path.ends_with(".zip")).count();
            let (out, resources) = (arguments.out.display(), summary.resources);
            print(&format!("{out}: {resources} resources in {packages} packages\n"))
        }
        Err(error) => failed(error, "nothing was written"),
    }
}
