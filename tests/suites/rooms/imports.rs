//! The modules of a crate and their imports, read from the tokens of its sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The names from the root of a crate to a module.
type ModulePath = Vec<String>;

/// The names that each file imports from each other file.
pub(crate) type Imports<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// The modules of a crate that are not only for tests.
#[derive(Default)]
pub(crate) struct Crate {
    files: Vec<String>,
    modules: BTreeMap<ModulePath, Module>,
    for_tests: BTreeSet<ModulePath>,
}

/// A module, which is a file or a block inside a file.
#[derive(Default)]
struct Module {
    file: usize,
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// The paths outside `use` declarations.
    paths: BTreeSet<Vec<String>>,
    /// The identifiers outside `use` declarations.
    words: BTreeSet<String>,
}

/// One branch of a `use` declaration.
struct Use {
    path: Vec<String>,
    /// The name that it binds, `*` for all of them.
    name: String,
    is_public: bool,
}

impl Crate {
    /// Reads the sources below a folder, without binaries.
    pub(crate) fn read(folder: &Path) -> Self {
        let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
        while let Some(open) = folders.pop() {
            for entry in fs::read_dir(open).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                    files.push((name, fs::read_to_string(&path).unwrap()));
                }
            }
        }
        files.retain(|(name, _)| name != "main.rs" && !name.starts_with("bin/"));
        files.sort();
        Self::parse(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// Parses sources by the path of their files below `src`.
    pub(crate) fn parse<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut parsed = Self::default();
        for (name, text) in sources {
            let file = parsed.files.len();
            parsed.files.push(name.to_string());
            parsed.module(&module_path(name), file, text.parse().unwrap());
        }
        let Self { modules, for_tests, .. } = &mut parsed;
        modules.retain(|path, _| !for_tests.iter().any(|test| path.starts_with(test)));
        parsed
    }

    /// The rooms: the modules directly below the root, in files of their own.
    pub(crate) fn rooms(&self) -> BTreeSet<String> {
        let files = self.modules.iter().filter(|(_, module)| self.files[module.file] != "lib.rs");
        files.filter_map(|(path, _)| path.first().cloned()).collect()
    }

    /// The room of each file, and the rooms that it names. What the root re-exports is in the room that defines it; what it defines
    /// counts as a room.
    pub(crate) fn rooms_named(&self) -> BTreeMap<&str, (String, BTreeSet<String>)> {
        let mut named = BTreeMap::<&str, (String, BTreeSet<String>)>::new();
        for (path, module) in self.modules.iter().filter(|(_, module)| self.files[module.file] != "lib.rs") {
            let written = module.uses.iter().map(|own| &own.path).chain(&module.paths);
            let rooms = written.filter_map(|written| self.room_of(&self.absolute(path, written)?));
            let (_, all) = named.entry(&self.files[module.file]).or_insert((path[0].clone(), BTreeSet::new()));
            all.extend(rooms);
        }
        named
    }

    /// The room that a path from the root leads to.
    fn room_of(&self, path: &[String]) -> Option<String> {
        let first = path.first()?;
        let is_room = self.modules.contains_key(&path[..1]);
        let file = self.files_of(path, 0).into_iter().map(|file| &*self.files[file]).find(|file| *file != "lib.rs");
        let room = file.filter(|_| !is_room).map(|file| module_path(file).swap_remove(0));
        Some(room.unwrap_or_else(|| first.clone()))
    }

    /// The names that each file imports from each other file. Declaring and re-exporting a module is no import of it, and an
    /// import of what a file re-exports is one of the file that defines it.
    pub(crate) fn imports(&self) -> Imports<'_> {
        let mut imports = Imports::new();
        for (path, module) in &self.modules {
            let mut add = |target: &[String]| {
                for file in self.files_of(target, 0).into_iter().filter(|file| *file != module.file) {
                    let from = imports.entry(&self.files[module.file]).or_default();
                    from.entry(&self.files[file]).or_default().extend(target.last().cloned());
                }
            };
            for own in &module.uses {
                let Some(target) = self.absolute(path, &own.path) else { continue };
                if own.name == "*" && self.modules.contains_key(&target) {
                    let words = module.words.iter().filter(|word| self.binds(&target, word, 0));
                    words.for_each(|word| add(&join(&target, word)));
                } else if !own.is_public || module.words.contains(&own.name) {
                    add(&target);
                }
            }
            module.paths.iter().filter_map(|written| self.absolute(path, written)).for_each(|target| add(&target));
        }
        imports
    }

    /// A path as written in a module from the root of the crate, unless it leads out of the crate.
    fn absolute(&self, module: &[String], written: &[String]) -> Option<ModulePath> {
        let supers = written.iter().take_while(|name| *name == "super").count();
        let (start, rest): (&[String], _) = match written.first()?.as_str() {
            "crate" => (&[], &written[1..]),
            "self" => (module, &written[1..]),
            "super" => (&module[..module.len().checked_sub(supers)?], &written[supers..]),
            first => {
                let own = self.modules.get(module)?;
                let is_bound = written.len() > 1 && own.uses.iter().any(|own| own.name == first && own.path != [first]);
                if !is_bound && !self.modules.contains_key(&join(module, first)) {
                    return None;
                }
                (module, written)
            }
        };
        Some([start, rest].concat())
    }

    /// The files that define what a path from the root names.
    fn files_of(&self, path: &[String], depth: usize) -> BTreeSet<usize> {
        let mut files = BTreeSet::new();
        // INVARIANT: no chain of re-exports is as long.
        if depth > 16 {
            return files;
        }
        for (at, name) in path.iter().enumerate() {
            let (above, rest) = (&path[..at], &path[at + 1..]);
            let Some(module) = self.modules.get(above) else { return files };
            if !rest.is_empty() && self.modules.contains_key(&path[..=at]) {
                continue;
            }
            let mut is_bound = module.items.contains(name);
            if is_bound {
                files.insert(module.file);
            }
            for own in module.uses.iter().filter(|own| own.name == *name) {
                is_bound = true;
                let target = self.absolute(above, &own.path);
                files.extend(target.into_iter().flat_map(|target| self.files_of(&[&target, rest].concat(), depth + 1)));
            }
            if self.modules.contains_key(&path[..=at]) {
                continue;
            }
            if !is_bound {
                let globs = module.uses.iter().filter(|own| own.name == "*");
                let targets = globs.filter_map(|own| self.absolute(above, &own.path));
                let target = targets.into_iter().find(|target| self.binds(target, name, 0));
                files.extend(match target {
                    Some(target) => self.files_of(&[&join(&target, name), rest].concat(), depth + 1),
                    // The item of a macro or the variant of an enumeration.
                    None => BTreeSet::from([module.file]),
                });
            }
            return files;
        }
        files.extend(self.modules.get(path).map(|module| module.file));
        files
    }

    /// True if a module defines or imports a name.
    fn binds(&self, path: &[String], name: &str, depth: usize) -> bool {
        self.modules.get(path).is_some_and(|module| {
            module.items.contains(name)
                || self.modules.contains_key(&join(path, name))
                || module.uses.iter().any(|own| {
                    let target = (own.name == "*" && depth < 16).then(|| self.absolute(path, &own.path)).flatten();
                    own.name == name || target.is_some_and(|target| self.binds(&target, name, depth + 1))
                })
        })
    }

    fn module(&mut self, path: &[String], file: usize, stream: TokenStream) {
        let mut module = Module { file, ..Module::default() };
        self.tokens(path, &mut module, stream, true);
        self.modules.insert(path.to_vec(), module);
    }

    fn tokens(&mut self, path: &[String], module: &mut Module, stream: TokenStream, is_outside: bool) {
        let tokens = Tokens(stream.into_iter().collect());
        let mut at = 0;
        while let Some(token) = tokens.0.get(at) {
            match token {
                TokenTree::Punct(_) if tokens.is(at, '#') && tokens.group(at + 1).is_some_and(is_test) => {
                    let start = at;
                    at = tokens.end_of_item(at + 2);
                    let declared = (start..at).find(|at| tokens.word(*at) == "mod");
                    self.for_tests.extend(declared.map(|at| join(path, &tokens.word(at + 1))));
                }
                TokenTree::Group(group) => self.tokens(path, module, group.stream(), false),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                TokenTree::Ident(word) => match word.to_string().as_str() {
                    "pub" if tokens.group(at + 1).is_some_and(|group| group.delimiter() == Delimiter::Parenthesis) => {
                        at += usize::from(tokens.word(at + 2) != "use");
                    }
                    "use" => {
                        let end = tokens.end_of_item(at);
                        let is_public = at.checked_sub(1).is_some_and(|before| {
                            tokens.word(before) == "pub"
                                || tokens.group(before).is_some_and(|_| true)
                                    && before.checked_sub(1).is_some_and(|before| tokens.word(before) == "pub")
                        });
                        branches(&tokens.0[at + 1..end], &[], is_public, &mut module.uses);
                        at = end;
                    }
                    "mod" if is_outside && tokens.group(at + 2).is_some() => {
                        let inner = tokens.group(at + 2).map(Group::stream).unwrap_or_default();
                        self.module(&join(path, &tokens.word(at + 1)), module.file, inner);
                        at += 2;
                    }
                    "mod" if is_outside => at += 1,
                    word => {
                        if is_outside && ITEMS.contains(&word) {
                            let name = at + 1 + usize::from(tokens.is(at + 1, '!'));
                            module.items.insert(tokens.word(name));
                        }
                        let mut written = vec![word.to_string()];
                        while tokens.is(at + 1, ':') && tokens.is(at + 2, ':') && !tokens.word(at + 3).is_empty() {
                            at += 3;
                            written.push(tokens.word(at));
                        }
                        module.words.extend(written.first().cloned());
                        if written.len() > 1 {
                            module.paths.insert(written);
                        }
                    }
                },
            }
            at += 1;
        }
    }
}

const ITEMS: [&str; 9] = ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro_rules"];

struct Tokens(Vec<TokenTree>);

impl Tokens {
    /// The identifier at a position, empty if there is none.
    fn word(&self, at: usize) -> String {
        match self.0.get(at) {
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => String::new(),
        }
    }

    fn is(&self, at: usize, mark: char) -> bool {
        matches!(self.0.get(at), Some(TokenTree::Punct(own)) if own.as_char() == mark)
    }

    fn group(&self, at: usize) -> Option<&Group> {
        match self.0.get(at) {
            Some(TokenTree::Group(group)) => Some(group),
            _ => None,
        }
    }

    /// The position of the `;` or the block that ends an item.
    fn end_of_item(&self, from: usize) -> usize {
        let is_use = (from..from + 4).any(|at| self.word(at) == "use");
        let ends = |at: &usize| {
            self.is(*at, ';') || !is_use && self.group(*at).is_some_and(|group| group.delimiter() == Delimiter::Brace)
        };
        (from..self.0.len()).find(ends).unwrap_or(self.0.len())
    }
}

/// The branches of an import tree.
fn branches(tree: &[TokenTree], stem: &[String], is_public: bool, uses: &mut Vec<Use>) {
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    for branch in tree.split(is_comma).filter(|branch| !branch.is_empty()) {
        let (mut path, mut name) = (stem.to_vec(), None);
        for (at, token) in branch.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    name = branch.get(at + 1).map(ToString::to_string);
                    break;
                }
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(mark) if mark.as_char() == '*' => name = Some(String::from("*")),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    branches(&inner, &path, is_public, uses);
                    path.clear();
                }
                _ => {}
            }
        }
        if let Some(last) = path.last().cloned() {
            uses.push(Use { path, name: name.unwrap_or(last), is_public });
        }
    }
}

/// True for a `cfg` that includes an item only in tests.
fn is_test(attribute: &Group) -> bool {
    let words: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let condition = words.get(1).map(ToString::to_string).unwrap_or_default();
    let has = |name: &str| condition.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
    words[0].to_string() == "cfg" && has("test") && !has("not") && !has("any")
}

fn module_path(file: &str) -> ModulePath {
    let mut modules: Vec<String> = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if modules.last().is_some_and(|last| ["mod", "lib"].contains(&last.as_str())) {
        modules.pop();
    }
    modules
}

fn join(path: &[String], name: &str) -> ModulePath {
    [path, &[name.to_string()]].concat()
}
