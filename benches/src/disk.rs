//! Documents read and checked from disk, window by window, as a whole process.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use resourcesync::{
    api::{InputOrigin, Options, Run, Validation},
    report::Report,
};

/// Checks files one after another into one report.
///
/// # Errors
///
/// If a file cannot be read.
pub fn check<P: AsRef<Path>>(files: &[P]) -> io::Result<Report> {
    let options = Options::default();
    let mut run = Run::new(&options);
    let mut window = vec![0; 64 << 10];
    for path in files {
        let mut file = File::open(path)?;
        let mut validation = Validation::new(&options, InputOrigin::named(path.as_ref().to_string_lossy()));
        loop {
            let length = file.read(&mut window)?;
            match window.get(..length) {
                Some(bytes) if length > 0 => validation.push(bytes),
                _ => break,
            }
        }
        run.add(validation.finish());
    }
    Ok(run.finish())
}

/// The peak memory of this process in bytes; Linux only.
#[must_use]
pub fn peak_resident() -> Option<u64> {
    peak_of("self")
}

/// The same of another process that is running.
#[must_use]
pub fn peak_resident_of(process: u32) -> Option<u64> {
    peak_of(&process.to_string())
}

fn peak_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
