//! Checks that in each crate a room imports only rooms below it, and that the files of a room do not import each other in a circle.
//!
//! A room is a file or folder directly in `src`. The tables list the rooms from the bottom up; the one of the core is also the
//! table in its `lib.rs`.

mod cycles;
mod imports;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use self::{
    cycles::cycles,
    imports::{Crate, Imports},
};

/// A floor: its rooms, of which each may import those named before it.
type Floors = &'static [&'static [&'static str]];

/// The crates of the workspace with their floors.
const CRATES: &[(&str, Floors)] = &[
    ("core", CORE),
    ("sync", SYNC),
    ("oai", OAI),
    ("notify", NOTIFY),
    ("client", CLIENT),
    ("server", SERVER),
    ("cli", CLI),
    ("python", PYTHON),
    ("wasm", WASM),
    ("tests", TESTS),
];

/// The crates whose rooms have no order, with the reason. Cycles are looked for in them, too.
const WITHOUT_FLOORS: &[(&str, &str)] = &[
    ("fuzz", "each file is a fuzz target, and the targets do not import each other"),
    ("benches", "the files are the inputs and the tables of programs in `bin`, which import what they need"),
];

/// The cycles that are allowed: a crate, the files of one cycle or a folder with any number of them, and the reason.
const CYCLES: &[(&str, &[&str], &str)] =
    &[("core", &["xml/event.rs", "xml/reader.rs"], "one concept: an event borrows from the reader that returns it")];

const CORE: Floors = &[
    &[
        "named_enum",
        "bytes",
        "edit_distance",
        "glob",
        "limits",
        "span",
        "parcel",
        "codec",
        "xml",
        "value",
        "fixity",
        "diagnostic",
    ],
    &["model"],
    &["rules", "report", "write", "read"],
    &["validate", "package", "source", "build", "repair"],
    &["api"],
    &["publish"],
];

const SYNC: Floors = &[
    &["bits", "catalogue", "digests", "guard", "known", "listed_resource", "place", "stored_state"],
    &["change", "checkpoint", "conclude", "audit", "selection", "patch", "related"],
    &["decide", "report", "transfer", "origin"],
    &["package"],
    &["survey", "chain", "stream", "dumps", "documents", "reduce", "follower"],
    &["record", "ledger"],
    &["destination"],
    &["memory"],
    &["pull"],
];

const OAI: Floors = &[
    &["bytes", "limits", "stamp"],
    &["catalogue", "request"],
    &["note"],
    &["page"],
    &["rules"],
    &["harvest"],
    &["provider"],
    &["message", "bridge"],
    &["whole_page"],
];

const NOTIFY: Floors = &[
    &["catalogue", "rules", "exchange", "form", "interval", "moment", "signature", "state"],
    &["bytes", "changes", "numbered", "payload", "retry", "topic", "lease", "announce"],
    &["publisher", "subscriber", "hub"],
    &["listener", "publication"],
    &["api"],
];

const CLIENT: Floors = &[
    &["cancel", "catalogue", "system", "progress", "sort", "patch"],
    &["meter", "parallel"],
    &["folder", "package"],
    &["http"],
    &["batch", "crawl", "notify", "publish", "oai", "destination", "objects", "listen"],
];

const SERVER: Floors = &[
    &["systemd", "signals", "budget", "framing", "observe", "reach", "reply", "schedule"],
    &["ledger", "settings", "tls", "host"],
    &["accept", "engine"],
    &["listen", "admin"],
    &["hub"],
];

const CLI: Floors = &[
    &["status", "locale", "words"],
    &["error", "limits", "interrupt", "progress"],
    &["outputs", "arguments"],
    &["inputs", "settings"],
    &[
        "completions",
        "help",
        "manual",
        "explain",
        "rules",
        "fix",
        "list",
        "extract",
        "notify",
        "hub",
        "build",
        "serve",
        "validate",
        "merge",
        "oai",
        "sync",
        "listen",
    ],
];

const PYTHON: Floors = &[
    &[
        "address", "attended", "error", "json", "datetime", "pickle", "cancel", "chunks", "findings", "options",
        "origin", "watch",
    ],
    &["metadata", "link", "entry", "document", "content", "copies", "builder", "settings", "members"],
    &["render", "validate", "columns", "publishing"],
    &["folder"],
    &[
        "applied",
        "baseline",
        "catalogue",
        "command",
        "contents",
        "crawler",
        "destination",
        "dataset",
        "difference",
        "follower",
        "merge",
        "notify",
        "packing",
        "reading",
        "rounds",
        "sitemap",
        "source",
        "streaming",
    ],
    &["oai"],
];

const WASM: Floors = &[
    &["fail", "panic", "progress"],
    &["options", "origin", "plain", "object", "rendering", "turns"],
    &["outbox", "outcome", "contents"],
    &["validation", "verification"],
    &[
        "batch",
        "building",
        "catalogue",
        "comparison",
        "convert",
        "crawler",
        "differences",
        "folder",
        "hasher",
        "hub",
        "merging",
        "notify",
        "oai",
        "packing",
        "publishing",
        "reading",
        "records",
        "repairing",
        "sync",
    ],
];

const TESTS: Floors = &[
    &["file", "told", "verify", "web", "server", "package", "archive"],
    &["generate", "expected", "repeated"],
    &["case"],
    &["source", "oai", "simulate"],
    &["coverage", "suite"],
];

#[test]
fn every_crate_of_the_workspace_has_floors_or_a_reason_not_to() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = ")).unwrap();
    let members: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    let named = CRATES.iter().map(|(name, _)| *name).chain(WITHOUT_FLOORS.iter().map(|(name, _)| *name));
    assert_eq!(named.collect::<BTreeSet<_>>(), members);
}

#[test]
fn the_rooms_of_each_crate_import_only_what_is_below_them() {
    for (name, floors) in CRATES {
        assert_eq!(violations(&read(name), floors), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn the_files_of_a_room_do_not_import_each_other_in_a_circle() {
    let crates = CRATES.iter().map(|(name, _)| *name).chain(WITHOUT_FLOORS.iter().map(|(name, _)| *name));
    let mut found = Vec::new();
    let mut allowed = vec![false; CYCLES.len()];
    for name in crates {
        let own = read(name);
        let imports = own.imports();
        for cycle in cycles(&imports) {
            let is_allowed = |(at, files, _): &(&str, &[&str], &str)| *at == name && are_these(&cycle, files);
            match CYCLES.iter().position(is_allowed) {
                Some(at) => allowed[at] = true,
                None => found.push(format!("{name}: a circle of imports:\n{}", described(&cycle, &imports))),
            }
        }
    }
    let without = CYCLES.iter().zip(allowed).filter(|(_, allowed)| !allowed);
    found.extend(without.map(|((name, files, _), _)| format!("{name}: no circle in {files:?}; remove its row")));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// True if a cycle consists of these files, or of files in the one folder that is named.
fn are_these(cycle: &BTreeSet<&str>, files: &[&str]) -> bool {
    match files {
        [folder] => cycle.iter().all(|file| file.starts_with(folder)),
        _ => cycle.iter().eq(files),
    }
}

/// The imports within a cycle, one line per file.
fn described(cycle: &BTreeSet<&str>, imports: &Imports<'_>) -> String {
    let line = |file: &&str| {
        let of = imports[file].iter().filter(|(other, _)| cycle.contains(*other));
        let of = of.map(|(other, names)| format!("{other} ({})", names.iter().cloned().collect::<Vec<_>>().join(", ")));
        format!("  {file} imports {}", of.collect::<Vec<_>>().join(", "))
    };
    cycle.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_floors_are_those_of_the_table_in_lib_rs() {
    let text = fs::read_to_string(root().join("core/src/lib.rs")).unwrap();
    let mut floors: Vec<Vec<String>> = Vec::new();
    for row in text.lines().filter_map(|line| line.strip_prefix("//! | ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if cells.first().is_some_and(|floor| floor.parse::<u32>().is_ok()) {
            floors.push(Vec::new());
        }
        // In the cell of the room every name is between backticks.
        let names = cells.get(1).into_iter().flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(String::from);
        floors.last_mut().into_iter().for_each(|floor| floor.extend(names.clone()));
    }
    // The table of the documentation is read from the top down.
    let expected: Vec<Vec<String>> =
        CORE.iter().rev().map(|floor| floor.iter().rev().map(ToString::to_string).collect()).collect();
    assert_eq!(floors, expected);
}

#[test]
fn every_way_of_naming_a_room_is_seen() {
    for text in [
        "use crate::up::Thing;",
        "use crate::{a::{b, c}, up::{self, Thing}};",
        "pub(crate) use crate::up as down;",
        "fn f() { let x = crate::up::Thing; }",
        "macro_rules! m { () => { $crate::up::f() }; }",
        "use super::super::up::Thing;",
        "type T = Vec<super::super::up::Thing>;",
        "mod inner { use super::super::super::up::Thing; }",
        "use crate::Again;",
    ] {
        assert!(rooms_of_file(text).contains("up"), "{text}");
    }
    for text in [
        "//! See [`crate::up`].",
        "/// See [`crate::up`].\nfn f() {}",
        "#[cfg(test)]\nmod tests { use crate::up::Thing; }",
        "#[cfg(all(test, feature = \"x\"))]\nmod tests { use crate::up::Thing; }",
        "use super::up::Thing;",
        "const UP: &str = \"crate::up\";",
        "use other::up::Thing;",
        "pub(in crate::up) fn f() {}",
    ] {
        assert!(!rooms_of_file(text).contains("up"), "{text}");
    }
}

/// The rooms that the file `own/file.rs` with this text names.
fn rooms_of_file(text: &str) -> BTreeSet<String> {
    let root = "mod own; mod up; pub use up::Again;";
    let own =
        Crate::parse([("lib.rs", root), ("own/file.rs", text), ("own/mod.rs", ""), ("up.rs", "pub struct Again;")]);
    own.rooms_named().remove("own/file.rs").map(|(_, rooms)| rooms).unwrap_or_default()
}

#[test]
fn an_import_is_one_of_the_file_that_defines_the_name() {
    const NONE: [usize; 0] = [];
    let own = |parent: &str, one: &str, two: &str| {
        let files = [("lib.rs", "mod own;"), ("own/mod.rs", parent), ("own/one.rs", one), ("own/two.rs", two)];
        let own = Crate::parse(files);
        cycles(&own.imports()).iter().map(BTreeSet::len).collect::<Vec<_>>()
    };
    // The parent declares and re-exports.
    assert_eq!(own("mod one; mod two; pub use one::One;", "struct One; use super::two::f;", "fn f() {}"), NONE);
    assert_eq!(own("mod one; mod two; pub use one::One;", "struct One; use super::two::f;", "use super::One;"), [2]);
    assert_eq!(own("mod one; mod two; pub use one::*;", "struct One; use super::two::f;", "use super::One;"), [2]);
    assert_eq!(own("mod one; mod two;", "use super::two; fn f() { two::g() }", "fn g() { super::one::f() }"), [2]);
    // The parent uses what it declares.
    assert_eq!(own("mod one; struct P; fn f() { one::g() }", "use super::P; fn g() {}", ""), [2]);
    assert_eq!(own("mod one; pub use one::One; fn f(_: One) {} struct P;", "struct One(super::P);", ""), [2]);
    assert_eq!(own("mod one; struct P;", "use super::P;", ""), NONE);
    // Tests may import anything.
    assert_eq!(
        own("mod one; struct P; fn f() { one::g() }", "#[cfg(test)] mod tests { use super::super::P; }", ""),
        NONE
    );
    assert_eq!(own("#[cfg(test)] mod one; struct P; fn f() { one::g() }", "use super::P;", ""), NONE);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(name: &str) -> Crate {
    Crate::read(&root().join(name).join("src"))
}

/// The imports of a crate that violate its floors.
fn violations(own: &Crate, floors: Floors) -> Vec<String> {
    let order: Vec<&str> = floors.concat();
    let place = |room: &str| order.iter().position(|own| *own == room);
    let mut found = Vec::new();
    for (file, (room, names)) in own.rooms_named() {
        let Some(at) = place(&room) else {
            found.push(format!("{file}: the room `{room}` is on no floor"));
            continue;
        };
        let is_above = |other: &&String| place(other).is_none_or(|other| other > at);
        let above = names.iter().filter(is_above);
        found.extend(above.map(|other| format!("{file}: `{room}` names `{other}`, which is not below it")));
    }
    let rooms = own.rooms();
    found.extend(order.iter().filter(|room| !rooms.contains(**room)).map(|room| format!("there is no room `{room}`")));
    found
}
