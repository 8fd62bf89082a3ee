//! Writes every case as files, for runners in other languages: `inputs FOLDER` creates a folder per case, with its input and `report.json`, the report of the
//! Rust code.

use std::{env, fs, io, path::PathBuf};

use resourcesync_tests::{all, sources};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("usage: inputs FOLDER"))?;
    for case in all() {
        let path = folder.join(case.name());
        fs::create_dir_all(&path)?;
        fs::write(path.join(case.file_name()), case.bytes())?;
        fs::write(path.join("report.json"), case.report(usize::MAX).to_json())?;
    }
    for case in sources() {
        let path = folder.join(case.name());
        fs::create_dir_all(&path)?;
        fs::write(path.join("report.json"), case.crawl(usize::MAX, false).to_json())?;
    }
    Ok(())
}
