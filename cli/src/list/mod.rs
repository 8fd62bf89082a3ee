//! `resourcesync list`: prints the members of a package, their resources and states.

mod table;

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use resourcesync::{
    api::{self, InputOrigin, Options, Piece},
    diagnostic::{ReasonCode, Severity},
    report::{Lang, Report},
};
use resourcesync_client::{
    Cancel, batch,
    http::open_package,
    package::{self, OpenPackage, Place},
    reason, seed,
};

use crate::{
    arguments::{Common, List, ListFormat},
    error::{CliError, finding, warn},
    inputs,
    interrupt::Interrupt,
    outputs,
    progress::{self, ProgressLine},
    settings, status,
    words::counted,
};

/// Findings shown.
const SHOWN: usize = 10;

/// Runs it.
pub(crate) fn run(arguments: &List) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let mut options = options(&arguments.common);
    options.no_fixity = arguments.no_fixity;
    let package = open(&arguments.package, &options, &arguments.common, interrupt.cancel())?;
    let outcome = print(&package, arguments);
    tell(&package.report, &arguments.package, arguments.common.printing.terminal.language.for_people());
    let status = status::of(&package.report, Severity::Error);
    match outcome {
        Ok(()) => Ok(status),
        // The reader closed the pipe, as `head` does, which is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(status),
        Err(error) => Err(format!("standard output could not be written: {}", reason(&error)).into()),
    }
}

fn print(package: &OpenPackage, arguments: &List) -> io::Result<()> {
    let mut out = BufWriter::new(outputs::open_stdout());
    match arguments.format {
        ListFormat::Text => table::write(package, arguments.common.printing.terminal.language.for_people(), &mut out)?,
        ListFormat::Json => {
            let list = api::List::new(&package.report, &package.contents);
            serde_json::to_writer_pretty(outputs::Escaped(&mut out), &list)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

/// Prints the findings on standard error, since the table only contains the state of each member.
fn tell(report: &Report, package: &Path, lang: Lang) {
    for found in report.diagnostics.iter().take(SHOWN) {
        finding(found.severity, &found.code, &found.message_in(lang), lang);
    }
    if report.diagnostics.len() > SHOWN {
        let (more, package) = (report.diagnostics.len().saturating_sub(SHOWN), package.display());
        let words = match lang {
            Lang::En => {
                let more = counted(more as u64, "more finding");
                format!("{more}; list them with `resourcesync validate {package}`")
            }
            Lang::Ja => format!("指摘はほかに {more} 件あります（`resourcesync validate {package}` で一覧）"),
        };
        warn(&words, lang);
    }
}

/// The options for verification in `list` and `extract`: the standard profile, without configuration and filters.
pub(crate) fn options(common: &Common) -> Options {
    let mut options = Options::default();
    options.seed = seed();
    for (name, value) in &common.limit {
        // Invalid names and values were rejected by the argument parser.
        let _ = options.limits.set(name, *value);
    }
    options
}

/// Opens and verifies the package, with a progress bar if that takes long.
pub(crate) fn open(
    package: &Path,
    options: &Options,
    common: &Common,
    cancel: &Cancel,
) -> Result<OpenPackage, CliError> {
    let place = match inputs::url(package) {
        None => settings::without_urls(&common.http).map(|()| Place::Path(package))?,
        Some(url) => {
            let mut http = settings::Http::new(common.printing.terminal.language.for_people());
            for (name, value) in &common.limit {
                // The others are limits on documents and packages.
                let _ = http.limits.set(name, *value);
            }
            let limits = &options.limits;
            let client = settings::client(&common.http, &http, Some(limits.inflate_ratio), &[url.to_owned()], cancel)?;
            let origin = InputOrigin { uri: Some(url.to_owned()), ..InputOrigin::named(url) };
            Place::Bytes(origin, open_package(&client, url, limits.package_bytes, cancel))
        }
    };
    let mut line = ProgressLine::new(common.printing.terminal.quiet, common.printing.terminal.language.for_people());
    let jobs = common.jobs.unwrap_or_else(batch::jobs);
    let outcome = package::open(place, Piece::WHOLE, options, jobs, cancel, &mut |far| {
        line.show(|elapsed, lang| progress::files(far, 1, elapsed, lang));
    });
    line.end();
    outcome.map_err(|reason| match reason.code {
        ReasonCode::IsFolder => format!("{} is a folder; pass a package", package.display()).into(),
        _ => CliError::new(reason.to_string()),
    })
}
