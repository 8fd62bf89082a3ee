//! Verifies a package in memory, with blocks of any size and with work returned in reverse order.

use resourcesync::{
    api::{InputOrigin, Options, Run, Verification, VerificationStep, Worked, Worker},
    report::Report,
};

/// The report on a package whose members are read in blocks of this size.
pub fn verify(bytes: &[u8], source: InputOrigin, options: &Options, block: usize) -> Report {
    let mut verification = Verification::new(options, source, bytes.len() as u64);
    let mut worker = Worker::new(block.min(1 << 20));
    let mut done: Vec<Worked> = Vec::new();
    let part = |range: &std::ops::Range<u64>| &bytes[range.start as usize..range.end as usize];
    loop {
        match verification.step() {
            VerificationStep::Bytes(range) => verification.give(range.start, part(&range)),
            VerificationStep::Work(work) => {
                worker.begin(work);
                while let Some(range) = worker.wants() {
                    worker.give(part(&range));
                }
                done.push(worker.finish());
            }
            // Last first: the result must not depend on the order.
            VerificationStep::Wait => verification.put(done.pop().unwrap_or_default()),
            VerificationStep::Done => break,
        }
    }
    let mut run = Run::new(options);
    run.add(verification.finish());
    run.finish()
}
