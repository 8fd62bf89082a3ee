//! The table of ratios, and the comparison of two measurements.

use std::{
    hint::black_box,
    io,
    process::{Command, Stdio},
    time::Instant,
};

/// One line of the table.
#[derive(Debug)]
pub struct Row {
    /// The name of the comparison.
    pub what: &'static str,
    /// The measurement of the library.
    pub ours: String,
    /// The measurement of the baseline.
    pub baseline: String,
    /// The ratio.
    pub ratio: f64,
    /// The target of the ratio.
    pub target: Target,
}

/// The target of a ratio.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// At most.
    AtMost(f64),
    /// At least.
    AtLeast(f64),
    /// No target.
    None,
}

impl Target {
    /// True if the ratio meets its target.
    #[must_use]
    pub fn holds(self, ratio: f64) -> bool {
        match self {
            Target::AtMost(most) => ratio <= most,
            Target::AtLeast(least) => ratio >= least,
            Target::None => true,
        }
    }
}

/// Prints the table; true if all targets hold.
#[must_use]
pub fn print(rows: &[Row]) -> bool {
    println!("| what | ours | baseline | ratio | target | |\n|---|---|---|---|---|---|");
    for Row { what, ours, baseline, ratio, target } in rows {
        let wanted = match target {
            Target::AtMost(most) => format!("≤ {most}"),
            Target::AtLeast(least) => format!("≥ {least}"),
            Target::None => "–".into(),
        };
        let held = if target.holds(*ratio) { "" } else { "missed" };
        println!("| {what} | {ours} | {baseline} | {ratio:.2} | {wanted} | {held} |");
    }
    rows.iter().all(|row| row.target.holds(row.ratio))
}

/// The best time of each in seconds, and the median of the ratios, since disturbances affect both.
pub fn compare(rounds: usize, mut ours: impl FnMut() -> u64, mut baseline: impl FnMut() -> u64) -> (f64, f64, f64) {
    let mut rounds: Vec<(f64, f64)> = (0..rounds).map(|_| (seconds(&mut ours), seconds(&mut baseline))).collect();
    let best = |time: fn(&(f64, f64)) -> f64| rounds.iter().map(time).fold(f64::INFINITY, f64::min);
    let (fastest, baseline) = (best(|round| round.0), best(|round| round.1));
    rounds.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let median = rounds.get(rounds.len() / 2).map_or(f64::NAN, |(ours, baseline)| ours / baseline);
    (fastest, baseline, median)
}

/// The duration of a call.
pub fn seconds(mut run: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

/// Runs a program; 1 if it succeeds.
pub fn run(command: &mut Command) -> u64 {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().map_or(0, |status| status.success().into())
}

/// The numbers a program prints.
///
/// # Errors
///
/// If it cannot be run.
pub fn numbers(command: &mut Command) -> io::Result<Vec<u64>> {
    let output = command.stderr(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(|word| word.parse().ok()).collect())
}

/// For the table.
#[must_use]
pub fn milliseconds(seconds: f64) -> String {
    format!("{:.1} ms", seconds * 1e3)
}
