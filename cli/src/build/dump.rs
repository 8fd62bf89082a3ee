//! `resourcesync dump`: packages a folder or an inventory into a Resource Dump.

use resourcesync::report::Lang;
use resourcesync_client::publish;

use super::{
    report::{Reporter, Unchanged},
    summary::Summary,
};
use crate::{arguments::Dump, error::CliError, interrupt::Interrupt, progress::Passed, status, words::counted};

/// Runs it.
pub(crate) fn run(arguments: &Dump) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let mut reporter = Reporter::new(
        "dump",
        arguments.format,
        arguments.printing.terminal.language,
        arguments.printing.terminal.quiet,
    );
    let mut passed = Passed::new(arguments.printing.terminal.quiet, arguments.printing.terminal.language.for_people());
    let outcome =
        publish::dump(&arguments.options(), interrupt.cancel(), &mut |event| reporter.show(event, &mut passed));
    drop(passed);
    match outcome {
        Ok(summary) => {
            let packages = summary.written.iter().filter(|path| path.ends_with(".zip")).count();
            let (out, resources) = (arguments.out.display(), summary.resources);
            reporter.accepted(&summary.accepted);
            let json = || Summary {
                out: Some(out.to_string()),
                packages: Some(packages as u64),
                ..Summary::of("dump", &summary)
            };
            let status = reporter.end(json, |lang| match lang {
                Lang::En => {
                    let (resources, packages) = (counted(resources, "resource"), counted(packages as u64, "package"));
                    format!("{out}: {resources} in {packages}\n")
                }
                Lang::Ja => format!("{out}: {packages} 個のパッケージにリソース {resources} 件\n"),
            })?;
            Ok(if summary.skipped > 0 { status::UNSURE } else { status })
        }
        Err(error) => reporter.failed(&error, Unchanged::Written),
    }
}
