//! What becomes of a report: its lines, its exit status, and when the next run is due.

use std::time::Duration;

use resourcesync::report::json_line;
use resourcesync_sync::{
    conclude::Outcome,
    report::{Item, Report},
};

use crate::{arguments::Sync, interrupt::Interrupt, status};

/// Waits no longer for the documents of a Source to expire.
const A_DAY: Duration = Duration::from_secs(86_400);

/// Waits until the documents expire; false if that was the last run.
pub(super) fn is_followed(arguments: &Sync, poll_after: Option<u64>, interrupt: &Interrupt) -> bool {
    let expires = Duration::from_secs(poll_after.unwrap_or(0)).min(A_DAY);
    arguments.watch.is_some_and(|least| interrupt.cancel().sleep(least.max(expires)))
}

/// The result of a resource as a line of JSON, with the Source in a run of several.
pub(super) fn item_line(item: &Item, source: Option<&str>) -> String {
    let line = match source {
        Some(source) => serde_json::json!({ "type": "item", "source": source, "item": item }),
        None => serde_json::json!({ "type": "item", "item": item }),
    };
    json_line(&line).unwrap_or_default()
}

/// A report as a line of JSON.
pub(super) fn report_line(report: &Report) -> String {
    json_line(&serde_json::json!({ "type": "report", "report": report })).unwrap_or_default()
}

/// The exit status of a report.
pub(super) fn status_of(report: &Report) -> i32 {
    match report.run.outcome {
        Outcome::InStep | Outcome::Planned if report.is_saved() => status::VALID,
        Outcome::Refused => status::FOUND,
        _ => status::UNSURE,
    }
}
