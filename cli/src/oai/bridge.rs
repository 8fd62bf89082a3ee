//! `resourcesync oai bridge`: harvests a repository, and publishes its records as a Source.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use resourcesync::report::Lang;
use resourcesync_client::{
    Cancel,
    http::{Client, Recordings},
    oai::{
        Config, Storage,
        bridge::{BridgeError, BridgeOptions, Bridged, bridge, harvest_folder, is_unpublished},
    },
};
use resourcesync_oai::{
    bridge::Form,
    harvest::{Moment, Status},
};

use super::{
    one::{self, Target, into_store},
    progress::Progress,
    session,
    summary::{self, Summary},
};
use crate::{
    arguments::{OaiBridge, Plain},
    build::{self, Reporter, Unchanged},
    error::{CliError, warn},
    interrupt::Interrupt,
    notify,
    progress::Passed,
    settings, status,
};

/// The longest time between two runs of a service.
const A_DAY: Duration = Duration::from_secs(86_400);

/// Runs it.
pub(super) fn run(arguments: &OaiBridge) -> Result<i32, CliError> {
    let interrupt = Interrupt::within(arguments.common.max_time);
    let bridge = Bridging::new(arguments, &interrupt)?;
    loop {
        let (status, pause) = bridge.once()?;
        let Some(least) = arguments.watch else { return Ok(status) };
        if !interrupt.cancel().sleep(least.max(pause.min(A_DAY))) {
            return Ok(status);
        }
    }
}

/// The runs of a bridge.
struct Bridging<'a> {
    arguments: &'a OaiBridge,
    interrupt: &'a Interrupt,
    options: BridgeOptions,
    /// The store.
    store: PathBuf,
    /// The repository; `None` for a store that is not harvested.
    target: Option<Target>,
    hubs: notify::Hubs<'a>,
}

impl<'a> Bridging<'a> {
    fn new(arguments: &'a OaiBridge, interrupt: &'a Interrupt) -> Result<Bridging<'a>, CliError> {
        let options = arguments.options();
        let named = &arguments.target;
        let (store, target) = match session::is_url(named) {
            true => {
                let store = harvest_folder(&arguments.out)?;
                let target = Target {
                    url: named.clone(),
                    prefixes: arguments.harvesting.prefix.clone(),
                    sets: arguments.harvesting.set.clone(),
                    contact: arguments.common.servers.from.clone(),
                    folder: Some(store.clone()),
                    is_store: false,
                };
                (store, Some(target))
            }
            false if Config::read(Path::new(named))?.is_some() => {
                let is_harvested = !arguments.harvesting.prefix.is_empty() || !arguments.harvesting.set.is_empty();
                if is_harvested || arguments.watch.is_some() {
                    return Err("--prefix, --set and --watch require the URL of a repository".into());
                }
                (PathBuf::from(named), None)
            }
            false => {
                return Err(format!("{named} is neither an http or https URL nor the folder of a store").into());
            }
        };
        let (lang, quiet) = (lang(arguments), is_quiet(arguments));
        let client = |urls: &[String]| client(arguments, urls, interrupt.cancel());
        let about = (&arguments.hubs, arguments.out.as_path(), lang);
        let hubs = notify::Hubs::of(about, &arguments.hubs.hub, &client, interrupt, quiet)?;
        Ok(Bridging { arguments, interrupt, options, store, target, hubs })
    }

    /// One run: its status, and how long the repository wants to be left alone.
    fn once(&self) -> Result<(i32, Duration), CliError> {
        let Some(target) = &self.target else { return Ok((self.publish(None, false)?, Duration::ZERO)) };
        // A run that was killed between its harvest and its publication.
        if is_unpublished(&self.store, &self.options).map_err(failed)? {
            let status = self.publish(None, self.arguments.format == Plain::Json)?;
            if status != status::VALID {
                return Ok((status, Duration::ZERO));
            }
        }
        let OaiBridge { common, harvesting, form, describes, .. } = self.arguments;
        let is_in_files = *form == Form::Files || self.arguments.dump || describes.is_some();
        let store = if is_in_files { Storage::Files } else { Storage::Jsonl };
        let options = one::Options { common, harvesting, store, max_records: None };
        let mut progress = Progress::new(common);
        let mut on_step = |step: &_, now: Moment| progress.show(step, now);
        let outcome = into_store(options, target, 0, self.interrupt.cancel(), &mut on_step);
        progress.end();
        let one::Outcome { proof, counts, path, pause } = outcome?;
        let lang = lang(self.arguments);
        summary::name_limit(&proof, self.interrupt.cancel(), lang);
        let mut summary = Summary::new(&target.url, Some(&proof), counts, lang);
        summary.folder = Some(self.store.display().to_string());
        summary.proof = path.as_ref().map(|path| path.display().to_string());
        if self.arguments.format == Plain::Text && !is_quiet(self.arguments) {
            summary::explain(&proof, lang);
            summary::write(&proof, counts.as_ref(), path.as_deref(), lang);
        }
        let harvested = summary::exit(&proof, harvesting.fail_on);
        let summary = serde_json::to_value(&summary).map_err(|error| CliError::new(error.to_string()))?;
        let published = self.publish(Some(summary), false)?;
        Ok((status::worse(harvested, published), Duration::from_millis(pause)))
    }

    /// Publishes the store, after this harvest; silent if another report follows on the same output.
    fn publish(&self, harvest: Option<serde_json::Value>, is_silent: bool) -> Result<i32, CliError> {
        let OaiBridge { format, common, out, .. } = self.arguments;
        let (terminal, lang) = (&common.printing.terminal, lang(self.arguments));
        let format = if is_silent { Plain::Text } else { *format };
        let mut reporter = Reporter::new("oai bridge", format, terminal.language, terminal.quiet || is_silent);
        reporter.harvest = harvest;
        let mut passed = Passed::new(terminal.quiet, lang);
        let outcome = bridge(&self.store, &self.options, self.interrupt.cancel(), &mut |event| {
            reporter.show(event, &mut passed);
        });
        drop(passed);
        match outcome {
            Ok(Bridged::Done(outcome)) => {
                let status = build::print(out, Ok(*outcome), &mut reporter, false)?;
                Ok(status::worse(status, self.hubs.send()?))
            }
            Ok(Bridged::Withheld(status)) => {
                warn(withheld(status, lang), lang);
                reporter.end(|| build::Summary::new("oai bridge", build::Outcome::Withheld), |_| String::new())?;
                Ok(status::UNSURE)
            }
            Ok(_) => {
                let words = match lang {
                    Lang::En => "nothing was published: there are no records yet",
                    Lang::Ja => "レコードがまだないため、何も公開していません",
                };
                warn(words, lang);
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

fn lang(arguments: &OaiBridge) -> Lang {
    arguments.common.printing.terminal.language.for_people()
}

fn is_quiet(arguments: &OaiBridge) -> bool {
    arguments.common.printing.terminal.quiet || arguments.format == Plain::Json
}

fn failed(error: BridgeError) -> CliError {
    CliError::new(error.to_string())
}
