//! Publishes stores, and reports the results.

use std::{path::Path, sync::Arc};

use resourcesync::report::Lang;
use resourcesync_client::{
    Cancel,
    http::{Client, Recordings},
    oai::bridge::{BridgeError, BridgeOptions, Bridged, bridge},
};
use resourcesync_oai::harvest::Status;

use crate::{
    arguments::{OaiBridge, Plain},
    build::{self, Reporter, Unchanged},
    error::{CliError, warn},
    interrupt::Interrupt,
    notify,
    oai::{
        one::{self, Target},
        summary::Summary,
    },
    progress::Passed,
    settings, status,
};

/// Publishes stores.
pub(super) struct Publishing<'a> {
    pub(super) arguments: &'a OaiBridge,
    pub(super) interrupt: &'a Interrupt,
    /// There are several reports.
    pub(super) is_line: bool,
}

/// The summary of a harvest, for a report as JSON.
pub(super) fn harvest_of(target: &Target, outcome: &one::Outcome, lang: Lang) -> Result<serde_json::Value, CliError> {
    let mut summary = Summary::new(&target.url, Some(&outcome.proof), outcome.counts, lang);
    summary.folder = target.folder.as_ref().map(|folder| folder.display().to_string());
    summary.proof = outcome.path.as_ref().map(|path| path.display().to_string());
    serde_json::to_value(&summary).map_err(|error| CliError::new(error.to_string()))
}

impl Publishing<'_> {
    /// A reporter of a run; silent if another report follows on the same output.
    pub(super) fn reporter(&self, is_silent: bool) -> Reporter {
        let OaiBridge { format, common, .. } = self.arguments;
        let terminal = &common.printing.terminal;
        let format = if is_silent { Plain::Text } else { *format };
        let mut reporter = Reporter::new("oai bridge", format, terminal.language, terminal.quiet || is_silent);
        if self.is_line {
            reporter.one_line();
        }
        reporter
    }

    pub(super) fn hubs<'b>(&'b self, out: &'b Path) -> Result<notify::Hubs<'b>, CliError> {
        let hubs = &self.arguments.hubs;
        let client = |urls: &[String]| client(self.arguments, urls, self.interrupt.cancel());
        let about = (hubs, out, lang(self.arguments));
        notify::Hubs::of(about, &hubs.hub, &client, self.interrupt, is_quiet(self.arguments))
    }

    /// Publishes a store, after this harvest; silent if another report follows on the same output.
    pub(super) fn publish(
        &self,
        store: &Path,
        options: &BridgeOptions,
        harvest: Option<serde_json::Value>,
        is_silent: bool,
    ) -> Result<i32, CliError> {
        let (out, lang) = (&options.publication.out, lang(self.arguments));
        let mut reporter = self.reporter(is_silent);
        reporter.harvest = harvest;
        let mut passed = Passed::new(self.arguments.common.printing.terminal.quiet, lang);
        let outcome = bridge(store, options, self.interrupt.cancel(), &mut |event| {
            reporter.show(event, &mut passed);
        });
        drop(passed);
        // Of several, a warning names the one that it is about.
        let about = if self.is_line { format!("{}: ", out.display()) } else { String::new() };
        match outcome {
            Ok(Bridged::Done(outcome)) => {
                let status = build::print(out, Ok(*outcome), &mut reporter, false)?;
                Ok(status::worse(status, self.hubs(out)?.send()?))
            }
            Ok(Bridged::Withheld(status)) => {
                warn(&format!("{about}{}", withheld(status, lang)), lang);
                reporter.end(|| build::Summary::new("oai bridge", build::Outcome::Withheld), |_| String::new())?;
                Ok(status::UNSURE)
            }
            Ok(_) => {
                let words = match lang {
                    Lang::En => "nothing was published: there are no records yet",
                    Lang::Ja => "レコードがまだないため、何も公開していません",
                };
                warn(&format!("{about}{words}"), lang);
                reporter.end(|| build::Summary::new("oai bridge", build::Outcome::Unchanged), |_| String::new())
            }
            Err(BridgeError::Publish(error)) => reporter.failed(&error, Unchanged::Published),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Why nothing was published.
fn withheld(status: Option<Status>, lang: Lang) -> &'static str {
    match (status, lang) {
        (None, Lang::En) => "nothing was published: the repository was not harvested yet",
        (None, Lang::Ja) => "まだ収集していないため、何も公開していません",
        (Some(_), Lang::En) => {
            "nothing was published: the last harvest is not complete (--publish-incomplete publishes its records all the same)"
        }
        (Some(_), Lang::Ja) => {
            "直近の収集が完全ではないため、何も公開していません（--publish-incomplete を付けると公開します）"
        }
    }
}

fn client(arguments: &OaiBridge, urls: &[String], cancel: &Cancel) -> Result<Arc<Client>, CliError> {
    let http = settings::Http::new(lang(arguments));
    let ratio = resourcesync::limits::Limits::default().inflate_ratio;
    settings::client_with(&arguments.common.servers, Recordings::default(), &http, ratio, urls, cancel)
}

pub(super) fn lang(arguments: &OaiBridge) -> Lang {
    arguments.common.printing.terminal.language.for_people()
}

pub(super) fn is_quiet(arguments: &OaiBridge) -> bool {
    arguments.common.printing.terminal.quiet || arguments.format == Plain::Json
}

pub(super) fn failed(error: BridgeError) -> CliError {
    CliError::new(error.to_string())
}
