//! `resourcesync validate`: validates the inputs, writes reports, and returns the exit status.

mod follow;

use std::{
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{ArgMatches, ColorChoice};
use resourcesync::{
    api::Options,
    report::{Format, Lang, Render, Report, render, subtract},
};
use resourcesync_client::{
    Cancel, OnProgress,
    batch::{self, NotSingle, ReadFrom, Step},
    crawl, reason,
};

use crate::{
    arguments::Validate,
    error::{CliError, report_error},
    inputs,
    interrupt::Interrupt,
    outputs::{self, Output},
    progress::{self, ProgressLine},
    settings::{self, ConfigFile, Settings},
    status,
};

/// Runs it. Options are validated before anything is read.
pub(crate) fn run(arguments: Validate, matches: &ArgMatches, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let outputs = outputs::pair(matches)?;
    outputs.iter().try_for_each(Output::check)?;
    let recorded = arguments.http.record.as_ref().or(arguments.http.resume.as_ref());
    if outputs.iter().any(|output| output.file.is_some() && output.file.as_ref() == recorded) {
        return Err("--output and the recording need different files".into());
    }
    let files = [&arguments.files_from, &arguments.baseline, &arguments.earlier].into_iter().flatten();
    check_inputs(&outputs, &files.chain(config.map(ConfigFile::path)).cloned().collect::<Vec<_>>())?;
    if arguments.follow {
        check_inputs(&outputs, &arguments.paths)?;
    }
    let settings = Settings::new(&arguments);
    let configuration = config.map(|file| file.name.clone());
    let baseline = arguments.baseline.as_deref().map(earlier).transpose()?;
    if settings.options.max_per_rule == 0
        && baseline.is_none()
        && !arguments.follow
        && outputs.iter().all(Output::is_streamed)
    {
        return large(&arguments, &settings, &outputs, configuration);
    }
    // Signals are handled until the report is written: a second one ends the process even if nothing reads the output.
    let (mut report, _interrupt) = if arguments.follow {
        whole(&arguments, &settings)?
    } else {
        each(&arguments, &settings, &outputs, batch::run)?
    };
    report.run.configuration = configuration;
    if let Some(baseline) = &baseline {
        subtract(&mut report, baseline).map_err(|error| CliError::new(format!("--baseline: {error}")))?;
    }
    let status = status::of(&report, settings.fail_on);
    let is_quiet = arguments.terminal.quiet && status == status::VALID;
    let (lang, shown) = (settings.lang, settings.shown);
    let written = write(&outputs, lang, shown, arguments.terminal.color, is_quiet, &|output, options| {
        output.write(&render(&report, output.format, options), options.color)
    });
    Ok(if written || status == status::FOUND { status } else { status::UNSURE })
}

/// The same without a bound on findings, which are kept in files and streamed to the outputs.
fn large(
    arguments: &Validate,
    settings: &Settings,
    outputs: &[Output],
    configuration: Option<String>,
) -> Result<i32, CliError> {
    let (outcome, _interrupt) = each(arguments, settings, outputs, batch::run_large)?;
    let mut report =
        outcome.map_err(|error| format!("the findings could not be kept in temporary files: {}", reason(&error)))?;
    report.report_mut().run.configuration = configuration;
    let status = status::of(report.report(), settings.fail_on);
    let is_quiet = arguments.terminal.quiet && status == status::VALID;
    let (lang, shown) = (settings.lang, settings.shown);
    let written = write(outputs, lang, shown, arguments.terminal.color, is_quiet, &|output, options| {
        output.stream(&report, options)
    });
    Ok(if written || status == status::FOUND { status } else { status::UNSURE })
}

/// Rejects outputs that would replace inputs.
pub(crate) fn check_inputs(outputs: &[Output], inputs: &[PathBuf]) -> Result<(), CliError> {
    let files = outputs.iter().filter_map(|output| output.file.as_deref());
    files.into_iter().try_for_each(|file| outputs::check_inputs(file, inputs))
}

/// Validates the inputs, each by itself, with `run`.
fn each<R>(
    arguments: &Validate,
    settings: &Settings,
    outputs: &[Output],
    run: impl FnOnce(&[Step], &Options, NonZeroUsize, &Cancel, &mut OnProgress<'_>) -> R,
) -> Result<(R, Interrupt), CliError> {
    let named = inputs::named(arguments)?;
    let interrupt = Interrupt::within(arguments.max_time);
    let cancel = interrupt.cancel();
    let urls = inputs::urls(&named);
    let client = match urls.as_slice() {
        [] => settings::without_urls(&arguments.http).map(|()| None)?,
        urls => Some(settings::client(
            &arguments.http,
            &settings.http,
            Some(settings.options.limits.inflate_ratio),
            urls,
            cancel,
        )?),
    };
    let steps = batch::steps(named, arguments.name.as_deref(), arguments.uri.as_deref(), client.as_ref(), cancel)
        .map_err(|NotSingle| CliError::new("--name and --uri require a single input"))?;
    let files = steps.iter().filter_map(Step::input).filter_map(|input| match &input.from {
        ReadFrom::File(path) | ReadFrom::Stream(path) => Some(path.clone()),
        _ => None,
    });
    check_inputs(outputs, &files.collect::<Vec<_>>())?;
    let jobs = arguments.jobs.unwrap_or_else(batch::jobs);
    let files = steps.iter().filter_map(Step::input).count();
    let mut line = ProgressLine::new(arguments.terminal.quiet, settings.lang);
    let report = run(&steps, &settings.options, jobs, cancel, &mut |far| {
        line.show(|elapsed, lang| progress::files(far, files, elapsed, lang));
    });
    line.end();
    Ok((report, interrupt))
}

/// Crawls a whole Source.
fn whole(arguments: &Validate, settings: &Settings) -> Result<(Report, Interrupt), CliError> {
    let interrupt = Interrupt::within(arguments.max_time);
    let jobs = arguments.jobs.unwrap_or_else(batch::jobs);
    let (fetcher, mut following) = follow::plan(arguments, settings, jobs, interrupt.cancel())?;
    following.earlier = arguments.earlier.as_deref().map(|path| report("earlier report", path)).transpose()?;
    let mut line = ProgressLine::new(arguments.terminal.quiet, settings.lang);
    let report = crawl::run(&*fetcher, following, &settings.options, interrupt.cancel(), &mut |far| {
        line.show(|elapsed, lang| progress::files(far, 0, elapsed, lang));
    });
    line.end();
    Ok((report, interrupt))
}

/// An earlier report.
pub(crate) fn report(role: &str, path: &Path) -> Result<Report, CliError> {
    let shown = path.display();
    let json = fs::read_to_string(path)
        .map_err(|error| format!("the {role} {shown} could not be read: {}", reason(&error)))?;
    let refused = |error: String| format!("the {role} {shown} is {error}; `validate --format json` writes reports");
    Ok(Report::from_json(&json).map_err(refused)?)
}

/// A baseline.
pub(crate) fn earlier(path: &Path) -> Result<Report, CliError> {
    let report = report("baseline", path)?;
    let shown = path.display();
    // Subtracting it from itself shows before a long run whether it can be used.
    subtract(&mut report.clone(), &report).map_err(|error| format!("the baseline {shown} cannot be used: {error}"))?;
    Ok(report)
}

/// Writes every output, even if others fail; false if one could not be written.
pub(crate) fn write(
    outputs: &[Output],
    lang: Lang,
    shown: u64,
    color: ColorChoice,
    is_quiet: bool,
    put: &dyn Fn(&Output, &Render) -> Result<(), CliError>,
) -> bool {
    let mut written = true;
    for output in outputs {
        let is_text = output.format == Format::Text;
        let to_terminal = output.file.is_none();
        if is_text && to_terminal && is_quiet {
            continue;
        }
        let color = is_text && outputs::is_coloured(color, to_terminal);
        let width = if to_terminal { width() } else { None };
        let options = Render { lang, color, max_per_rule: shown, width };
        if let Err(error) = put(output, &options) {
            report_error(&error.to_string());
            written = false;
        }
    }
    written
}

/// The columns of the terminal, if standard output is one.
fn width() -> Option<u32> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(columns.into())
}
