//! Writes the conformance suite for other implementations: `suite FOLDER`.

use std::{env, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("usage: suite FOLDER"))?;
    resourcesync_tests::write_suite(&folder)
}
