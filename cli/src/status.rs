//! Exit statuses, and the status of a report.

use resourcesync::{
    diagnostic::Severity,
    report::{Report, Verdict},
};

/// Everything was checked and nothing reaches `--fail-on`.
pub(crate) const VALID: i32 = 0;
/// A finding reaches `--fail-on`.
pub(crate) const FOUND: i32 = 1;
/// Something could not be checked or written, or the usage is wrong.
pub(crate) const UNSURE: i32 = 2;

/// The status of two parts: 1 before 2 before 0.
pub(crate) fn worse(one: i32, other: i32) -> i32 {
    match (one, other) {
        (FOUND, _) | (_, FOUND) => FOUND,
        (UNSURE, _) | (_, UNSURE) => UNSURE,
        _ => VALID,
    }
}

/// The status of a report that has been written.
pub(crate) fn of(report: &Report, fail_on: Severity) -> i32 {
    let warnings = if fail_on <= Severity::Warning { report.summary.warnings } else { 0 };
    if report.summary.errors > 0 || warnings > 0 {
        FOUND
    } else if report.verdict == Verdict::Valid {
        VALID
    } else {
        UNSURE
    }
}
