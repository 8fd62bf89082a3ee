//! Runs every function on inputs that once failed.

use std::{fs, path::Path};

use resourcesync_fuzz::BODIES;

#[test]
fn what_broke_once_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let mut inputs = 0;
    for (name, body) in BODIES {
        let Ok(files) = fs::read_dir(folder.join(name)) else { continue };
        for file in files {
            let path = file.expect("the folder can be read").path();
            body(&fs::read(&path).expect("the input can be read"));
            inputs += 1;
        }
    }
    assert!(inputs > 1, "the inputs are gone");
}
