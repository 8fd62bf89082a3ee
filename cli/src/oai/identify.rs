//! `resourcesync oai identify`: the description of a repository, and how it would be harvested.

use std::fmt::Write as _;

use resourcesync::report::{Lang, json_pretty, visible};
use resourcesync_client::oai::{HarvestError, Sink, drive};
use resourcesync_oai::{
    harvest::{Call, Goal, Handled, Harvest, Purpose},
    page::{DeletedRecord, Identify, MetadataFormat, Piece, SetEntry},
    stamp::Granularity,
};
use serde_json::json;

use super::{labels::label, progress::Progress, session, session::Session, summary};
use crate::{
    arguments::{OaiIdentify, Plain},
    error::CliError,
    interrupt::Interrupt,
    outputs::stdout,
};

/// Most sets shown as text.
const SHOWN: usize = 20;

/// The description of a repository.
#[derive(Default)]
struct Description {
    identify: Identify,
    formats: Vec<MetadataFormat>,
    sets: Vec<SetEntry>,
    page: (Vec<MetadataFormat>, Vec<SetEntry>),
}

impl Sink for Description {
    fn piece(&mut self, call: &Call, piece: Piece, _: Option<&'static str>) -> Result<(), HarvestError> {
        match (call.purpose, piece) {
            (Purpose::Identify, Piece::Identify(identify)) => self.identify = *identify,
            (Purpose::Formats, Piece::MetadataFormat(format)) => self.page.0.push(format),
            (Purpose::Sets, Piece::Set(set)) => self.page.1.push(set),
            _ => {}
        }
        Ok(())
    }

    fn settle(&mut self, handled: &Handled) -> Result<(), HarvestError> {
        let (formats, sets) = std::mem::take(&mut self.page);
        if handled.accepted {
            self.formats.extend(formats);
            self.sets.extend(sets);
        }
        Ok(())
    }
}

/// Runs it.
pub(super) fn run(arguments: &OaiIdentify) -> Result<i32, CliError> {
    let interrupt = Interrupt::within(arguments.common.max_time);
    let cancel = interrupt.cancel();
    let session = Session::open(&arguments.common, &arguments.url, None, None, cancel)?;
    let mut plan = session::plan(&arguments.common, &arguments.url);
    plan.goal = Goal::Identify;
    let mut harvest = Harvest::new(plan, session.clock.now());
    let mut progress = Progress::new(&arguments.common);
    let mut described = Description::default();
    let clock = session.clock.as_ref();
    let proof = drive(&session.client, &mut harvest, &mut described, clock, cancel, &mut |step| {
        progress.show(step, clock.now());
    })?;
    progress.end();
    let lang = arguments.common.printing.terminal.language.for_people();
    if proof.identify.is_some() {
        let text = match arguments.format {
            Plain::Text => text(&described, lang),
            Plain::Json => json(&described),
        };
        stdout::write(&text, false)?;
    }
    summary::explain(&proof, lang);
    summary::name_limit(&proof, cancel, lang);
    Ok(summary::exit(&proof, None))
}

/// True if dates are sent with seconds.
fn sends_seconds(identify: &Identify) -> bool {
    matches!(identify.granularity(), Some((Granularity::Second, true)))
}

/// How deletions are found.
fn deletions(identify: &Identify) -> &'static str {
    match identify.deletions() {
        Some(DeletedRecord::Persistent) => "reconcile-never",
        Some(DeletedRecord::Transient) => "reconcile-30",
        _ => "reconcile-7",
    }
}

fn text(described: &Description, lang: Lang) -> String {
    let Description { identify, formats, sets, .. } = described;
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let shown = visible(value);
        let shown = if shown.is_empty() { label("none", lang).to_owned() } else { shown };
        let _ = writeln!(text, "{}: {shown}", label(name, lang));
    };
    let own = |value: &Option<String>| value.clone().unwrap_or_default();
    line("name", &own(&identify.repository_name));
    line("base-url", &own(&identify.base_url));
    line("protocol", &own(&identify.protocol_version));
    line("contact", &identify.admin_emails.join(", "));
    line("earliest", identify.earliest_datestamp.as_ref().map_or("", |stamp| stamp.text.as_str()));
    line("granularity", &own(&identify.granularity));
    line("deletions", &own(&identify.deleted_record));
    line("compression", &identify.compressions.join(", "));
    let prefixes: Vec<&str> = formats.iter().filter_map(|format| format.prefix.as_deref()).collect();
    line("formats", &prefixes.join(", "));
    let specs: Vec<&str> = sets.iter().filter_map(|set| set.spec.as_deref()).take(SHOWN).collect();
    let more = sets.len().saturating_sub(specs.len());
    let more = if more > 0 { format!(" … (+{})", summary::grouped(more as u64)) } else { String::new() };
    line("sets", &format!("{}{more}", specs.join(", ")));
    let dates = if sends_seconds(identify) { "dates-second" } else { "dates-day" };
    line("harvest", &format!("{}; {}", label(dates, lang), label(deletions(identify), lang)));
    text
}

fn json(described: &Description) -> String {
    let Description { identify, formats, sets, .. } = described;
    let formats: Vec<_> = formats
        .iter()
        .map(|own| json!({"prefix": own.prefix, "schema": own.schema, "namespace": own.namespace}))
        .collect();
    let sets: Vec<_> = sets.iter().map(|own| json!({"spec": own.spec, "name": own.name})).collect();
    let reconcile = match deletions(identify) {
        "reconcile-never" => None,
        "reconcile-30" => Some(30),
        _ => Some(7),
    };
    let value = json!({
        "repositoryName": identify.repository_name,
        "baseURL": identify.base_url,
        "protocolVersion": identify.protocol_version,
        "adminEmail": identify.admin_emails,
        "earliestDatestamp": identify.earliest_datestamp.as_ref().map(|stamp| &stamp.text),
        "deletedRecord": identify.deleted_record,
        "granularity": identify.granularity,
        "compression": identify.compressions,
        "formats": formats,
        "sets": sets,
        "harvest": {
            "granularity": if sends_seconds(identify) { "second" } else { "day" },
            "reconcileEveryDays": reconcile,
        },
    });
    json_pretty(&value).unwrap_or_default()
}
