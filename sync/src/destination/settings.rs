//! What the user decides about a run: the options, declared for all faces, and what they set.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use resourcesync::{
    limits::Limits,
    value::{Parsed, Uri, Value},
};

use super::declaration::{Declaration, Takes};
use crate::{
    guard::MaxDelete,
    listed_resource::Patch,
    place::{Layout, Map},
    related::Related,
    selection::Selection,
};

const SELECTION: &str = "Selection";
const DELETIONS: &str = "Deletions";
const FILES: &str = "Files";

/// An option of a run.
pub type Setting = Declaration<Settings>;

/// The options of a run, in the order of the help.
pub const OPTIONS: &[Setting] = &[
    Setting::new("dry-run", "", Takes::Nothing(|run| run.dry_run = true))
        .help("Read the documents, compare, and print what would be done; write nothing"),
    Setting::new("full", "", Takes::Nothing(|run| run.reading.full = true))
        .help("Compare everything, even if no document changed; finds files that were changed or removed locally"),
    Setting::new(
        "plan",
        "PLAN",
        Takes::Word(&["auto", "list", "changes", "dump"], |run, word| {
            run.reading.plan = match word {
                "list" => PlanChoice::List,
                "changes" => PlanChoice::Changes,
                "dump" => PlanChoice::Dump,
                _ => PlanChoice::Auto,
            }
        }),
    )
    .by_default("auto")
    .help(
        "Which lists to read: auto, or after the first run list (Resource Lists, then the changes since) or changes (only \
         Change Lists), or dump (as list, but the manifests of Resource Dumps in place of Resource Lists)",
    ),
    Setting::new("require-hash", "", Takes::Nothing(|run| run.require_hash = true))
        .help("Reject resources without a listed digest"),
    Setting::new("accept-older", "", Takes::Nothing(|run| run.reading.accept_older = true))
        .help("Accept lists and changes that are older than those of the previous run"),
    Setting::new("max-age", "DURATION", Takes::Duration(|run, age| run.reading.max_age = Some(age)))
        .help("Report a Source whose newest list or change is older than this, as 30d (SYN-07)"),
    Setting::new(
        "newer",
        "HOW",
        Takes::Word(&["refuse", "accept"], |run, word| run.fetching.accept_newer = word == "accept"),
    )
    .by_default("refuse")
    .help("What to do with a resource that is newer than its list: refuse (keep the existing copy) or accept"),
    Setting::new(
        "mirrors",
        "HOW",
        Takes::Word(&["auto", "never", "only"], |run, word| {
            run.fetching.mirrors = match word {
                "never" => MirrorChoice::Never,
                "only" => MirrorChoice::Only,
                _ => MirrorChoice::Auto,
            }
        }),
    )
    .by_default("auto")
    .help(
        "Whether to fetch resources with a listed digest from their mirrors, as far as these hosts are allowed: auto (before \
         the URI of the resource), never or only",
    ),
    Setting::new(
        "patches",
        "HOW",
        Takes::Word(&["verified", "never"], |run, word| run.fetching.avoids_patches = word == "never"),
    )
    .by_default("verified")
    .help(
        "Whether to patch stored resources in place of fetching them whole: verified (only if the result has the listed \
         digest) or never",
    ),
    Setting::new("patch-with", "TYPE=PROGRAM", Takes::Pairs(|run, kind, program| run.fetching.patch_with(kind, program)))
        .help(
            "Let a program apply the patches of a media type: it gets the names of the old file, of the patch and of the new file, \
             which it makes; repeatable",
        ),
    Setting::new(
        "history",
        "WHAT",
        Takes::Word(&["none", "mementos"], |run, word| run.fetching.keeps_versions = word == "mementos"),
    )
    .by_default("none")
    .help("Keep listed versions below .resourcesync/history: none, or mementos (each one with a memento and a digest)"),
    Setting::new("wait", "DURATION", Takes::Duration(|run, time| run.wait = time))
        .help("Wait this long for another run on the folder to end"),
    Setting::new("set", "URI", Takes::Texts(|run, text| uri(text).map(|uri| run.reading.sets.push(uri))))
        .of(SELECTION)
        .help("Only this Capability List of the Source; repeatable; the first run decides"),
    Setting::new("include", "GLOB", Takes::Texts(|run, text| add(&mut run.selection.include, text)))
        .of(SELECTION)
        .help("Only resources whose path, or whole URI if it has `://`, matches; repeatable"),
    Setting::new("exclude", "GLOB", Takes::Texts(|run, text| add(&mut run.selection.exclude, text)))
        .of(SELECTION)
        .help("No resources whose path, or whole URI if it has `://`, matches; repeatable"),
    Setting::new("type", "TYPE", Takes::Texts(|run, text| add(&mut run.selection.types, text)))
        .of(SELECTION)
        .help("Only resources listed with this media type, as text/plain or image/*; repeatable"),
    Setting::new(
        "collection",
        "URI",
        Takes::Texts(|run, text| uri(text).map(|uri| run.selection.collections.push(uri))),
    )
    .of(SELECTION)
    .help("Only resources that link to this collection; repeatable"),
    Setting::new("max-length", "N", Takes::Number(|run, number| run.selection.max_length = Some(number)))
        .of(SELECTION)
        .help("No resources with a greater listed length, in bytes"),
    Setting::new("with-metadata", "", Takes::Nothing(|run| run.related.metadata = true))
        .of(SELECTION)
        .help("Also the metadata that resources link to (describedby) and no list contains, at allowed hosts"),
    Setting::new("alternates", "TYPE", Takes::Texts(|run, text| run.related.add_alternates(text)))
        .of(SELECTION)
        .help(
            "Also other representations of this media type, as text/plain or image/*, that resources link to (alternate) and \
             no list contains, at allowed hosts; repeatable",
        ),
    Setting::new("no-delete", "", Takes::Nothing(|run| run.max_delete = None))
        .of(DELETIONS)
        .excluding("max-delete")
        .help("Keep everything that is no longer listed"),
    Setting::new(
        "max-delete",
        "N|N%",
        Takes::Text(|run, text| {
            run.max_delete = Some(MaxDelete::read(text).ok_or("expected a number, or a share such as 2%")?);
            Ok(())
        }),
    )
    .of(DELETIONS)
    .help("Maximum number of deletions per run: N or N% [default: 20, or 10% if that is more]"),
    Setting::new("trash", "DURATION", Takes::Duration(|run, time| run.placing.trash = Some(time)))
        .of(DELETIONS)
        .help("Keep deleted files at least this long, as 30d [default: until the next run that ends in step]"),
    Setting::new(
        "layout",
        "LAYOUT",
        Takes::Word(&["uri", "portable", "hash"], |run, word| run.placing.layout = Layout::find(word)),
    )
    .of(FILES)
    .help("How files are named: uri, portable or hash; the first run decides [default: uri]"),
    Setting::new("place", "PREFIX=FOLDER", Takes::Pairs(|run, prefix, folder| run.placing.place(prefix, folder)))
        .of(FILES)
        .help("A folder, below DIR, for the URIs that begin with a prefix; repeatable; the first run decides"),
    Setting::new("relayout", "", Takes::Nothing(|run| run.placing.relayout = true))
        .of(FILES)
        .excluding("dry-run")
        .help("Rename the files to another --layout or --place"),
    Setting::new("rebuild", "", Takes::Nothing(|run| run.placing.rebuild = true))
        .of(FILES)
        .excluding("dry-run")
        .help("Recreate the state from the files and the lists; files that differ are fetched"),
    Setting::new("adopt", "", Takes::Nothing(|run| run.placing.adopt = true))
        .of(FILES)
        .help("Take over files that are there already, if they have the listed digests"),
    Setting::new("overwrite", "", Takes::Nothing(|run| run.placing.overwrite = true))
        .of(FILES)
        .help("Replace foreign files, which are moved to the trash"),
    Setting::new("whole", "", Takes::Nothing(|run| run.placing.whole = true))
        .of(FILES)
        .help("Show readers of the folder all changes of a run at one moment, if the copy is in step"),
    Setting::new(
        "durability",
        "HOW",
        Takes::Word(&["group", "none"], |run, word| run.placing.volatile = word == "none"),
    )
    .of(FILES)
    .by_default("group")
    .help("Sync files to disk: group (all files, in groups) or none"),
    Setting::new("max-bytes", "N", Takes::Number(|run, number| run.fetching.max_bytes = Some(number)))
        .help("Stop fetching after N bytes; the next run continues"),
    Setting::new("max-time", "DURATION", Takes::Duration(|run, time| run.max_time = Some(time)))
        .help("Stop fetching after this time, e.g. 90s, 10m, 2h or 1d; the next run continues"),
    Setting::new(
        "max-listed",
        "N",
        Takes::Number(|run, number| run.max_listed = usize::try_from(number).unwrap_or(usize::MAX)),
    )
    .by_default("1000")
    .help("Resources in the report; the rest are counted"),
];

/// What the user decides about a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How documents are read.
    pub reading: Reading,
    /// Which of the listed resources are copied.
    pub selection: Selection,
    /// Which linked resources are copied with them.
    pub related: Related,
    /// What is fetched.
    pub fetching: Fetching,
    /// Where files are, and which of them are replaced.
    pub placing: Placing,
    /// Accept no resource without a listed digest.
    pub require_hash: bool,
    /// True if bytes are only kept until the program acknowledges their change.
    pub until_acknowledged: bool,
    /// How many resources may be deleted; `None` for none.
    pub max_delete: Option<MaxDelete>,
    /// Time after which no document is read and no transfer is started.
    pub max_time: Option<Duration>,
    /// How long to wait for another run to end.
    pub wait: Duration,
    /// Maximum items in the report.
    pub max_listed: usize,
    /// Write nothing.
    pub dry_run: bool,
    /// What must be equal for the result of a run to be valid for the next one, as the ledger records it.
    pub settled: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            reading: Reading::default(),
            selection: Selection::default(),
            related: Related::default(),
            fetching: Fetching::default(),
            placing: Placing::default(),
            require_hash: false,
            until_acknowledged: false,
            max_delete: Some(MaxDelete::Auto),
            max_time: None,
            wait: Duration::ZERO,
            max_listed: 1_000,
            dry_run: false,
            settled: String::new(),
        }
    }
}

/// How documents are read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Whether Resource Lists or Change Lists are read.
    pub plan: PlanChoice,
    /// Compare everything, even if no document changed.
    pub full: bool,
    /// Accept lists that are older than earlier ones.
    pub accept_older: bool,
    /// The greatest age of the newest list.
    pub max_age: Option<Duration>,
    /// Capability Lists that are read; empty for what the first run had, or else all. The first run fixes them.
    pub sets: Vec<String>,
    /// Limits of documents.
    pub limits: Limits,
}

/// What is fetched.
#[derive(Debug, Clone, Default)]
pub struct Fetching {
    /// Take what is newer than its list as it is, instead of waiting for a list that describes it.
    pub accept_newer: bool,
    /// Maximum bytes of resources to fetch.
    pub max_bytes: Option<u64>,
    /// Whether mirrors are used.
    pub mirrors: MirrorChoice,
    /// Fetch resources whole, although they could be patched.
    pub avoids_patches: bool,
    /// Keep every listed version that has a memento.
    pub keeps_versions: bool,
    /// Programs that apply patches, with the media types of these.
    pub patch_programs: Vec<(String, String)>,
}

impl Fetching {
    fn patch_with(&mut self, kind: &str, program: &str) -> Result<(), String> {
        let is_type = |text: &str| {
            text.split('/').count() == 2 && !text.contains(|own: char| own.is_whitespace() || "=;".contains(own))
        };
        if !is_type(kind) || program.is_empty() {
            return Err(
                "expected a media type and the name of a program, such as application/x-bsdiff=bspatch".to_owned()
            );
        }
        let kind = kind.to_ascii_lowercase();
        self.patch_programs.retain(|(other, _)| *other != kind);
        self.patch_programs.push((kind, program.to_owned()));
        Ok(())
    }

    /// The program that applies a patch, if the user has named one for its media type.
    pub fn program_of(&self, patch: &Patch) -> Option<&str> {
        let kind = patch.essence();
        self.patch_programs.iter().find(|(own, _)| *own == kind).map(|(_, program)| &**program)
    }
}

/// Whether resources are fetched from mirrors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MirrorChoice {
    /// Before the URI of the resource.
    #[default]
    Auto,
    /// No.
    Never,
    /// And from nowhere else.
    Only,
}

/// Where files are, and which of them are replaced.
#[derive(Debug, Clone, Default)]
pub struct Placing {
    /// How files are named, fixed by the first run. `None` for the layout of the copy, or [`Layout::Uri`] for
    /// a new one.
    pub layout: Option<Layout>,
    /// Folders of URIs that begin alike; empty for what the first run had. The first run fixes them.
    pub maps: Vec<Map>,
    /// Rename the files where the layout or the maps are other than those of the first run.
    pub relayout: bool,
    /// Make a ledger from the files that are there and what is listed; the old one is kept under another name.
    pub rebuild: bool,
    /// Adopt existing files with the listed digests.
    pub adopt: bool,
    /// Replace foreign files, which are moved to the trash.
    pub overwrite: bool,
    /// Do not make files durable before they replace others.
    pub volatile: bool,
    /// Exchange the folder for its next generation in one step, if that is in step.
    pub whole: bool,
    /// How long what was deleted is kept; `None` for until the next run that ends in step.
    pub trash: Option<Duration>,
}

impl Placing {
    fn place(&mut self, prefix: &str, folder: &str) -> Result<(), String> {
        let map = Map::new(prefix, folder).ok_or(
            "expected an http or https URI that ends in `/`, and the name of a folder, such as \
             https://example.com/files/=files",
        )?;
        if let Some(other) = self.maps.iter().find(|other| other.overlaps(&map)) {
            return Err(format!("the folders {} and {} overlap", other.folder, map.folder));
        }
        self.maps.push(map);
        Ok(())
    }
}

fn add(list: &mut Vec<String>, text: &str) -> Result<(), String> {
    list.push(text.to_owned());
    Ok(())
}

fn uri(text: &str) -> Result<String, String> {
    match Uri::read(text) {
        Parsed::Exact(_) | Parsed::Lenient(_) => Ok(text.to_owned()),
        Parsed::Malformed => Err("not an absolute URI".to_owned()),
    }
}

/// The lists that a run reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PlanChoice {
    /// Change Lists where they continue the last run, else Resource Lists and the changes since.
    #[default]
    Auto,
    /// Resource Lists and the changes since, where the lists have changed.
    List,
    /// The manifests of Resource Dumps, where there are any, and the changes since.
    Dump,
    /// Change Lists only, after the first run; missing changes are reported and not made up for.
    Changes,
}

/// The clocks of a driver, and its user.
#[derive(Debug, Clone, Copy, Default)]
pub struct Now {
    /// Seconds since 1970.
    pub seconds: i64,
    /// The time since the run began.
    pub elapsed: Duration,
    /// True if the user has cancelled the run.
    pub is_cancelled: bool,
}
