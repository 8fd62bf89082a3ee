//! Options for tables that were not made for this command, shared by `build` and `dump`.

use clap::Args;
use resourcesync_client::publish::{Ignored, Table, TextEncoding, Unlisted, Zone};

use super::values;

const TABLES: &str = "Tables";

/// How a table is read.
#[derive(Debug, Args)]
pub(crate) struct TableOptions {
    /// The name of a column in the CSV file, such as uri=handle; repeatable
    #[arg(long, value_name = "COLUMN=NAME", value_parser = values::column, help_heading = TABLES,
        conflicts_with_all = ["from_jsonl", "stdin"])]
    pub(crate) column: Vec<(String, String)>,
    /// Columns of the CSV file that are not read, or `all` for every unknown one
    #[arg(long, value_name = "NAMES|all", value_delimiter = ',', help_heading = TABLES,
        conflicts_with_all = ["from_jsonl", "stdin"])]
    pub(crate) ignore_columns: Vec<String>,
    /// The time zone of times without one, such as +09:00
    #[arg(long, value_name = "OFFSET", value_parser = values::offset, help_heading = TABLES,
        allow_hyphen_values = true)]
    pub(crate) zone: Option<Zone>,
    /// The encoding of the CSV file, such as shift_jis [default: recognized]
    ///
    /// UTF-8, Shift_JIS, and UTF-16 with a byte order mark are recognized, and what was recognized is reported unless it is UTF-8.
    #[arg(long, value_name = "NAME", value_parser = values::encoding, help_heading = TABLES,
        conflicts_with_all = ["from_jsonl", "stdin"])]
    pub(crate) encoding: Option<TextEncoding>,
    /// With DIR and a CSV file: what becomes of files without a row; by default nothing is published
    #[arg(long, value_name = "WHAT", value_enum, help_heading = TABLES, requires_all = ["folder", "from_csv"])]
    pub(crate) unlisted: Option<UnlistedFiles>,
}

/// What becomes of files without a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum UnlistedFiles {
    /// They are published with their own metadata
    Publish,
    /// They are not published
    Skip,
}

impl From<UnlistedFiles> for Unlisted {
    fn from(files: UnlistedFiles) -> Unlisted {
        match files {
            UnlistedFiles::Publish => Unlisted::Publish,
            UnlistedFiles::Skip => Unlisted::Skip,
        }
    }
}

impl TableOptions {
    /// The options for the client.
    pub(crate) fn table(&self) -> Table {
        let ignored = match self.ignore_columns.as_slice() {
            [] => Ignored::None,
            [all] if all == "all" => Ignored::Unknown,
            names => Ignored::Named(names.to_vec()),
        };
        Table { columns: self.column.clone(), ignored, zone: self.zone.clone(), encoding: self.encoding }
    }
}
