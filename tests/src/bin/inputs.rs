//! Writes every case as files, for runners in other languages: `inputs FOLDER` creates a folder per case, with its input, `report.json`, the report of the
//! Rust code, and `document.json`, what it reads of a document that can be read; `oai.json` with the transcripts of
//! harvests and their results; and `oai-checks.json` with those of checks and their reports.

use std::{env, fs, io, path::PathBuf};

use resourcesync::{api, limits::Limits};
use resourcesync_tests::{
    all,
    oai::{cases, shared, shared_checks},
    sources,
};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("usage: inputs FOLDER"))?;
    for case in all() {
        let path = folder.join(case.name());
        fs::create_dir_all(&path)?;
        fs::write(path.join(case.file_name()), case.bytes())?;
        fs::write(path.join("report.json"), case.report(usize::MAX).to_json())?;
        if let Ok(document) = api::read(&case.bytes(), &Limits::default()) {
            fs::write(path.join("document.json"), serde_json::to_string(&document).map_err(io::Error::other)?)?;
        }
    }
    for case in sources() {
        let path = folder.join(case.name());
        fs::create_dir_all(&path)?;
        fs::write(path.join("report.json"), case.crawl(usize::MAX, false).to_json())?;
    }
    let transcripts: Vec<_> = cases().iter().filter_map(shared).collect();
    let text = serde_json::to_string(&transcripts).map_err(io::Error::other)?;
    fs::write(folder.join("oai.json"), text)?;
    fs::write(folder.join("oai-checks.json"), shared_checks().to_string())
}
