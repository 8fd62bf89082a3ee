//! Checks that in each crate a room imports only rooms below it, so that there is no upward import and no cycle between rooms.
//!
//! A room is a file or folder directly in `src`. The tables list the rooms from the bottom up; the one of the core is also the
//! table in its `lib.rs`.
#![allow(missing_docs, clippy::unwrap_used)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A floor: its rooms, of which each may import those named before it.
type Floors = &'static [&'static [&'static str]];

const CORE: Floors = &[
    &["bytes", "edit_distance", "limits", "span", "codec", "xml", "value", "fixity", "diagnostic"],
    &["model"],
    &["rules", "report", "write", "read"],
    &["validate", "package", "source", "build", "repair"],
    &["api"],
];

const CLIENT: Floors = &[
    &["cancel", "catalogue", "system", "progress", "sort"],
    &["meter", "parallel"],
    &["folder", "package"],
    &["http"],
    &["batch", "crawl", "oai", "notify", "publish", "destination"],
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
        "validate",
        "oai",
        "sync",
        "listen",
    ],
];

#[test]
fn the_rooms_of_each_crate_import_only_what_is_below_them() {
    for (src, floors) in [("core/src", CORE), ("client/src", CLIENT), ("cli/src", CLI)] {
        assert_eq!(violations(src, floors), Vec::<String>::new(), "{src}");
    }
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
    ] {
        assert!(named(text, 2).contains("up"), "{text}");
    }
    for text in [
        "//! See [`crate::up`].",
        "/// See [`crate::up`].\nfn f() {}",
        "#[cfg(test)]\nmod tests { use crate::up::Thing; }",
        "#[cfg(all(test, feature = \"x\"))]\nmod tests { use crate::up::Thing; }",
        "use super::up::Thing;",
        "const UP: &str = \"crate::up\";",
        "use other::up::Thing;",
    ] {
        assert!(!named(text, 2).contains("up"), "{text}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The imports of a crate that violate its floors.
fn violations(src: &str, floors: Floors) -> Vec<String> {
    let order: Vec<&str> = floors.concat();
    let place = |room: &str| order.iter().position(|own| *own == room);
    let mut found = Vec::new();
    let mut rooms = BTreeSet::new();
    for (path, text) in sources(&root().join(src)) {
        let (room, depth) = room_of(&path);
        if ["lib", "main"].contains(&room.as_str()) {
            continue;
        }
        let Some(own) = place(&room) else {
            found.push(format!("{path}: the room `{room}` is on no floor"));
            continue;
        };
        for other in named(&text, depth) {
            if place(&other).is_none_or(|other| other > own) {
                found.push(format!("{path}: `{room}` names `{other}`, which is not below it"));
            }
        }
        rooms.insert(room);
    }
    found.extend(order.iter().filter(|room| !rooms.contains(**room)).map(|room| format!("there is no room `{room}`")));
    found
}

/// The room of a file, and the number of modules around its items, including that of the file.
fn room_of(path: &str) -> (String, usize) {
    let mut modules: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if modules.last() == Some(&"mod") {
        modules.pop();
    }
    (modules[0].to_string(), modules.len())
}

/// All sources below a folder by path, except those only for tests.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let (mut files, mut folders, mut for_tests) = (Vec::new(), vec![folder.to_path_buf()], BTreeSet::new());
    while let Some(open) = folders.pop() {
        for entry in fs::read_dir(open).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|end| end != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let own = if path.ends_with("mod.rs") || path.ends_with("lib.rs") || path.ends_with("main.rs") {
                path.parent().unwrap().to_path_buf()
            } else {
                path.with_extension("")
            };
            for_tests.extend(test_modules(&text).map(|name| own.join(name + ".rs")));
            files.push((path, text));
        }
    }
    files.sort();
    let is_own = |path: &PathBuf| !for_tests.contains(path);
    let relative = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    files.into_iter().filter(|(path, _)| is_own(path)).map(|(path, text)| (relative(&path), text)).collect()
}

/// The modules in separate files that are compiled only for tests.
fn test_modules(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().collect();
    let name = |pair: &[&str]| {
        let own = pair[1].strip_prefix("mod ")?.strip_suffix(';')?;
        (pair[0] == "#[cfg(test)]").then(|| own.to_string())
    };
    lines.windows(2).filter_map(name).collect::<Vec<_>>().into_iter()
}

/// The rooms that a source names, except in tests and documentation.
fn named(text: &str, depth: usize) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    visit(&text.parse().unwrap(), depth, &mut rooms);
    rooms
}

fn visit(stream: &TokenStream, depth: usize, rooms: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let ident = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => ident.to_string(),
        _ => String::new(),
    };
    let is = |at: usize, own: char| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == own);
    let opens_path = |at: usize, word: &str| ident(at) == word && is(at + 1, ':') && is(at + 2, ':');
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let (true, Some(TokenTree::Group(attribute))) = (is(at, '#'), tokens.get(at + 1))
            && is_test(attribute)
        {
            at += 2;
            while tokens.get(at).is_some_and(|token| !ends_item(token)) {
                at += 1;
            }
        } else if let TokenTree::Group(group) = token {
            visit(&group.stream(), depth, rooms);
        } else {
            let mut supers = 0;
            while opens_path(at, "super") {
                (at, supers) = (at + 3, supers + 1);
            }
            let from_crate = opens_path(at, "crate");
            at += if from_crate { 3 } else { 0 };
            if from_crate || supers == depth {
                match tokens.get(at) {
                    Some(TokenTree::Group(tree)) => rooms.extend(first_names(tree.stream())),
                    _ => drop(rooms.insert(ident(at))),
                }
            }
        }
        at += 1;
    }
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    }
}

/// True for `#[cfg(test)]` and what contains it.
fn is_test(attribute: &Group) -> bool {
    let text = attribute.to_string();
    text.starts_with("[cfg") && text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test")
}

/// The first names of the branches of an import tree.
fn first_names(tree: TokenStream) -> Vec<String> {
    let (mut names, mut is_first) = (Vec::new(), true);
    for token in tree {
        match token {
            TokenTree::Ident(ident) if is_first => {
                names.push(ident.to_string());
                is_first = false;
            }
            TokenTree::Punct(comma) if comma.as_char() == ',' => is_first = true,
            _ => {}
        }
    }
    names
}
