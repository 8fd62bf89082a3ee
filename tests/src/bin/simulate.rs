//! Random runs of a Source, a hub and three Destinations: `simulate [--runs N] [--first SEED] [--seed SEED]`. A run that fails is printed with its
//! seed; `--seed` plays one with its log.

use std::{
    env,
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use resourcesync_tests::simulate::{Numbers, run};

/// Runs without `--runs`.
const RUNS: u64 = 100;
/// Failed runs that are printed.
const FAILED: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse::<u64>().ok()
    };
    if let Some(seed) = number("--seed") {
        return match run(seed, true) {
            Ok(numbers) => {
                println!("seed {seed}: {numbers:?}");
                ExitCode::SUCCESS
            }
            Err(why) => {
                println!("seed {seed}: {why}");
                ExitCode::FAILURE
            }
        };
    }
    let (first, runs) = (number("--first").unwrap_or(0), number("--runs").unwrap_or(RUNS));
    let (next, failed, total) = (AtomicU64::new(first), Mutex::new(Vec::new()), Mutex::new(Numbers::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let so_far = failed.lock().unwrap_or_else(PoisonError::into_inner).len();
                    if seed >= first.saturating_add(runs) || so_far >= FAILED {
                        return;
                    }
                    match run(seed, false) {
                        Ok(numbers) => total.lock().unwrap_or_else(PoisonError::into_inner).add(&numbers),
                        Err(why) => {
                            println!("seed {seed}: {why}");
                            failed.lock().unwrap_or_else(PoisonError::into_inner).push(seed);
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Numbers { published, requests, lost, kills, syncs, applied } =
        total.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!(
        "{runs} runs, {} failed: {published} publications, {requests} requests ({lost} lost), {kills} kills, {syncs} runs that read lists, {applied} notifications applied",
        failed.len()
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
