//! A configuration file is parsed, or the error has a line number.

/// The text of a `resourcesync.toml`.
pub fn configuration(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Err(complaint) = resourcesync_cli::check_configuration(text) {
        let line: usize = complaint.split(':').next().and_then(|line| line.parse().ok()).unwrap_or(0);
        assert!((1..=text.lines().count() + 1).contains(&line), "{complaint}");
    }
}
