//! Writes the inputs that the corpus only describes, for runners in other languages: `inputs FOLDER`, one file a case.

use std::{env, fs, io, path::PathBuf};

use resourcesync_tests::all;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("usage: inputs FOLDER"))?;
    for case in all().into_iter().filter(resourcesync_tests::Case::is_generated) {
        let path = folder.join(case.name());
        fs::create_dir_all(&path)?;
        fs::write(path.join("input"), case.bytes())?;
    }
    Ok(())
}
