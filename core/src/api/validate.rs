//! Validates one input in memory.

use crate::{
    diagnostic::Reason,
    diagnostic::ReasonCode,
    package::Verification,
    read::is_package,
    report::Report,
    validate::{InputOrigin, Options, Run, Validation},
};

/// Validates one document or package in memory.
///
/// ```
/// use resourcesync::{api, report::Verdict};
/// let report = api::validate(b"<urlset>", api::InputOrigin::named("list.xml"), &api::Options::default());
/// assert_eq!(report.verdict, Verdict::Invalid);
/// assert_eq!(report.diagnostics[0].code, "GEN-03");
/// ```
pub fn validate(bytes: &[u8], origin: InputOrigin, options: &Options) -> Report {
    let truncated = || Reason::new(ReasonCode::Truncated);
    let mut run = Run::new(options);
    run.add(if is_package(bytes) {
        let verification = Verification::new(options, origin, bytes.len() as u64);
        verification.run(&mut |offset, room| {
            let start = usize::try_from(offset).map_err(|_| truncated())?;
            let own = start.checked_add(room.len()).and_then(|end| bytes.get(start..end)).ok_or_else(truncated)?;
            room.copy_from_slice(own);
            Ok(())
        })
    } else {
        let mut validation = Validation::new(options, origin);
        validation.push(bytes);
        validation.finish()
    });
    run.finish()
}
