//! Options that select the resources, shared by `build` and `dump`.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{Args, ValueHint};
use resourcesync::value::{Algorithm, Uri};

use resourcesync_client::publish::{self, FileSelection, Form, Glob, Inventory, Origin, Unlisted};

use super::{TableOptions, values};

const RESOURCES: &str = "Resources";

/// Which resources to publish, with which metadata.
#[derive(Debug, Args)]
pub(crate) struct Resources {
    /// The folder whose files are the resources
    ///
    /// File names become URIs below --base-uri, percent-encoded byte by byte. Symbolic links, names that begin with a dot and
    /// special files are excluded and counted. --out and its state folder are excluded, too.
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,

    /// Read the resources from a CSV file with a header line; `-` is standard input
    ///
    /// Columns: uri, path (of the file), length, lastmod, type, set, hash (md5:… sha-256:…), md5, sha-1, sha-256, sha-384,
    /// sha-512, and link:RELATION with targets separated by spaces. With `path`, missing values are determined from the file. With DIR the
    /// rows describe its files: `path` is relative to it, and `uri` is needed only where it is not below --base-uri.
    #[arg(long, value_name = "FILE", help_heading = RESOURCES, conflicts_with_all = ["from_jsonl", "stdin"],
        value_hint = ValueHint::FilePath)]
    pub(crate) from_csv: Option<PathBuf>,
    /// Read the resources from JSON lines; `-` is standard input
    ///
    /// Each line is an object such as {"uri": …, "path": …, "length": 5, "lastmod": …, "type": …, "set": …,
    /// "hashes": {"md5": …}, "links": [{"rel": …, "href": …}]}.
    #[arg(long, value_name = "FILE", help_heading = RESOURCES, conflicts_with_all = ["folder", "stdin"],
        value_hint = ValueHint::FilePath)]
    pub(crate) from_jsonl: Option<PathBuf>,
    /// Read the resources as JSON lines from standard input
    #[arg(long, help_heading = RESOURCES, conflicts_with = "folder")]
    pub(crate) stdin: bool,
    #[command(flatten)]
    pub(crate) table: TableOptions,
    /// Required last line of the inventory; nothing is published if it is missing
    #[arg(long, value_name = "TEXT", help_heading = RESOURCES, conflicts_with = "folder", value_parser = values::end_marker)]
    pub(crate) end_marker: Option<String>,
    /// Accept files outside the folder of the inventory, such as `../file` or `/srv/file`
    #[arg(long, help_heading = RESOURCES, conflicts_with = "folder")]
    pub(crate) allow_outside: bool,
    /// Digests to list: md5, sha-1, sha-256, sha-384, sha-512, or none
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sha-256", value_parser = values::algorithm,
        help_heading = RESOURCES)]
    pub(crate) hash: Vec<Option<Algorithm>>,
    /// Media types by file name extension, one per line, such as `tif image/tiff`
    #[arg(long, value_name = "FILE", help_heading = RESOURCES, value_hint = ValueHint::FilePath)]
    pub(crate) type_map: Option<PathBuf>,
    /// Publish only files that match; repeatable
    ///
    /// `*` and `?` match within a name, `**` matches across folders. A pattern without a slash is matched against the file name.
    #[arg(long, value_name = "GLOB", help_heading = RESOURCES, value_parser = values::glob,
        conflicts_with_all = ["from_csv", "from_jsonl", "stdin"])]
    pub(crate) include: Vec<Glob>,
    /// Do not publish files that match, nor the contents of matching folders; repeatable
    ///
    /// What was published before is published as deleted. --exclude applies after --include.
    #[arg(long, value_name = "GLOB", help_heading = RESOURCES, value_parser = values::glob,
        conflicts_with_all = ["from_csv", "from_jsonl", "stdin"])]
    pub(crate) exclude: Vec<Glob>,
    /// Follow symbolic links to files and folders below DIR; links that lead out of it are always excluded
    #[arg(long, help_heading = RESOURCES, conflicts_with_all = ["from_csv", "from_jsonl", "stdin"])]
    pub(crate) follow_symlinks: bool,
    /// Include files and folders whose names begin with a dot
    #[arg(long, help_heading = RESOURCES)]
    pub(crate) hidden: bool,
    /// Continue without unreadable files; their published entries stay, and the exit status is 2
    #[arg(long, help_heading = RESOURCES)]
    pub(crate) skip_unreadable: bool,
    /// Number of files to read in parallel [default: number of processors]
    #[arg(long, short, value_name = "N", help_heading = RESOURCES)]
    pub(crate) jobs: Option<NonZeroUsize>,
}

impl Resources {
    /// Changes in a file.
    pub(crate) fn changes(&self, file: &Path) -> Inventory {
        self.inventory(Form::Jsonl, file)
    }

    fn inventory(&self, form: Form, file: &Path) -> Inventory {
        let (end_marker, allow_outside, table) = (self.end_marker.clone(), self.allow_outside, self.table.table());
        Inventory { end_marker, allow_outside, table, ..Inventory::new(form, file.to_owned()) }
    }

    /// Which resources there are.
    pub(crate) fn options(&self, base_uri: &Uri) -> publish::Resources {
        let inventory = |form, file: &Path| Origin::Inventory(self.inventory(form, file));
        let origin = match (&self.folder, &self.from_csv, &self.from_jsonl) {
            (Some(folder), Some(file), _) => Origin::Table {
                folder: folder.clone(),
                inventory: Inventory { files: Some(folder.clone()), ..self.inventory(Form::Csv, file) },
                unlisted: self.table.unlisted.map(Unlisted::from),
            },
            (Some(folder), ..) => Origin::Folder(folder.clone()),
            (None, Some(file), _) => inventory(Form::Csv, file),
            (None, None, Some(file)) => inventory(Form::Jsonl, file),
            (None, None, None) => inventory(Form::Jsonl, Path::new("-")),
        };
        publish::Resources {
            hash: self.hash.iter().flatten().cloned().collect(),
            type_map: self.type_map.clone(),
            files: FileSelection {
                include: self.include.clone(),
                exclude: self.exclude.clone(),
                hidden: self.hidden,
                follow_symlinks: self.follow_symlinks,
            },
            skip_unreadable: self.skip_unreadable,
            jobs: self.jobs,
            ..publish::Resources::new(origin, base_uri.clone())
        }
    }
}
