//! `seeds TARGET FOLDER` writes the seeds of a target as files, one each.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [target, folder] = arguments.as_slice() else {
        return Err(io::Error::other("usage: seeds TARGET FOLDER"));
    };
    fs::create_dir_all(folder)?;
    for (number, seed) in resourcesync_fuzz::seeds(target).iter().enumerate() {
        fs::write(Path::new(folder).join(format!("seed-{number:04}")), seed)?;
    }
    Ok(())
}
