//! The options of `resourcesync fix`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use resourcesync::report::Lang;

use super::{examples, values};

/// `fix`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::FIX)]
pub(crate) struct Fix {
    /// The document, or `-` for standard input
    ///
    /// A packed document has to be unpacked first. The document is held in memory.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Write the repaired document to OUT; `-` is standard output
    ///
    /// The file is written beside its place and moved there when it is complete.
    #[arg(long, short, value_name = "OUT", conflicts_with = "in_place", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Replace FILE by the repaired document, in one step
    #[arg(long, short)]
    pub(crate) in_place: bool,
    /// Also show what changes; without --output and --in-place that is all that is done
    #[arg(long)]
    pub(crate) diff: bool,
    /// The zone of datetimes that name none: Z, +09:00, -03:30 …
    ///
    /// Without it such datetimes are left as they are: what was meant only their author knows.
    #[arg(long, value_name = "ZONE", value_parser = values::zone, allow_hyphen_values = true)]
    pub(crate) zone: Option<i16>,
    /// Language of the findings that remain: en or ja
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = values::lang(), hide_possible_values = true)]
    pub(crate) lang: Lang,
    /// When to use colours: auto, always or never (NO_COLOR and CLICOLOR_FORCE are honoured)
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: clap::ColorChoice,
    /// Do not list repairs and remaining findings
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
