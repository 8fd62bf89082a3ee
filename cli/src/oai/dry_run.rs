//! `resourcesync oai harvest --dry-run`: the first list request, without sending it.

use resourcesync_client::{
    Cancel,
    oai::{Config, HarvestError, Sink, State, drive},
};
use resourcesync_oai::{
    harvest::{Call, Handled, Harvest, Purpose},
    page::Piece,
};

use super::{
    labels::label,
    one::{Target, plan},
    progress::Progress,
    session::Session,
    summary,
};
use crate::{arguments::OaiHarvest, error::CliError, outputs::stdout, status};

/// Stops at the first request for records.
#[derive(Default)]
struct FirstList(Option<Call>);

impl Sink for FirstList {
    fn piece(&mut self, _: &Call, _: Piece, _: Option<&'static str>) -> Result<(), HarvestError> {
        Ok(())
    }

    fn settle(&mut self, _: &Handled) -> Result<(), HarvestError> {
        Ok(())
    }

    fn wants(&mut self, call: &Call) -> bool {
        if matches!(call.purpose, Purpose::Harvest | Purpose::Reconcile) {
            self.0 = Some(call.clone());
        }
        self.0.is_none()
    }
}

/// Runs it.
pub(super) fn run(arguments: &OaiHarvest, target: &Target, cancel: &Cancel) -> Result<i32, CliError> {
    let common = &arguments.common;
    let session = Session::open(common, &target.url, target.contact.as_deref(), None, cancel)?;
    let mut plan = plan(arguments.into(), target);
    let clock = session.clock.as_ref();
    let checkpoint = match &target.folder {
        Some(folder) if target.is_store || Config::read(folder)?.is_some() => State::prepare(folder, &mut plan)?,
        _ => None,
    };
    let resumed = checkpoint.and_then(|checkpoint| Harvest::resume(plan.clone(), checkpoint, clock.now()));
    let mut harvest = resumed.unwrap_or_else(|| Harvest::new(plan, clock.now()));
    let mut first = FirstList::default();
    let mut progress = Progress::new(common);
    let proof = drive(&session.client, &mut harvest, &mut first, clock, cancel, &mut |step| {
        progress.show(step, clock.now());
    })?;
    progress.end();
    let Some(call) = first.0 else {
        summary::explain(&proof, common.printing.terminal.language.for_people());
        return Ok(summary::exit(&proof, arguments.harvesting.fail_on));
    };
    let form = call.form.map(|form| format!(" {form}")).unwrap_or_default();
    stdout::write(
        &format!("{}: {}{form}\n", label("first-request", common.printing.terminal.language.for_people()), call.url),
        false,
    )?;
    Ok(status::VALID)
}
