//! The page on the architecture names files and functions that exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = include_str!("../../docs/architecture.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What stands in backticks in a line, in order.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_path(name: &str) -> bool {
    name.contains('/') && !name.contains(|own: char| own.is_whitespace() || "<>{}*:".contains(own))
}

#[test]
fn every_path_exists() {
    let paths: Vec<&str> = PAGE.lines().flat_map(names).filter(|name| is_path(name)).collect();
    assert!(paths.len() > 60, "{} paths", paths.len());
    // A path may be that of a file in a room of the core, or next to one named before.
    let is_there = |path: &str| ["", "core/src"].iter().any(|above| root().join(above).join(path).exists());
    let missing: Vec<&str> = paths.into_iter().filter(|path| !is_there(path)).collect();
    assert!(missing.is_empty(), "not there: {missing:?}");
}

/// `name` in `file` means that the file has a function or a type of that name.
#[test]
fn every_function_is_where_the_page_says() {
    let mut checked = 0;
    for line in PAGE.lines() {
        let parts: Vec<&str> = line.split('`').collect();
        for window in parts.windows(4) {
            let &[_, name, " in ", file] = window else { continue };
            if !is_path(file) || !file.ends_with(".rs") {
                continue;
            }
            let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let name = name.rsplit("::").next().unwrap_or(name);
            let is_defined = ["fn ", "struct ", "enum ", "trait ", "const ", "static ", "macro_rules! "]
                .iter()
                .any(|kind| text.contains(&format!("{kind}{}", name.trim_end_matches('!'))));
            assert!(is_defined, "`{name}` is not defined in {file}");
            checked += 1;
        }
    }
    assert!(checked > 8, "{checked} functions");
}
