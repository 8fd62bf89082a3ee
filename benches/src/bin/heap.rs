//! Prints the peak heap of validating a document in memory, not counting the document itself.

use std::{env, fs, process::ExitCode};

use peak_alloc::PeakAlloc;
use resourcesync::api::{InputOrigin, Options, validate};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let Some(Ok(bytes)) = env::args_os().nth(1).map(fs::read) else {
        eprintln!("usage: heap FILE");
        return ExitCode::FAILURE;
    };
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let report = validate(&bytes, InputOrigin::named("list.xml"), &Options::default());
    println!("{} {}", ALLOCATOR.peak_usage().saturating_sub(before), report.summary.entries);
    ExitCode::SUCCESS
}
