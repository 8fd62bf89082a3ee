//! The options of every subcommand that prints, with one meaning everywhere.

use std::path::PathBuf;

use clap::{Args, ColorChoice, ValueHint};

use super::Language;

/// The language, the colours, the amount and the place of the output. `--format` is next to it, since its values differ.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Printing {
    #[command(flatten)]
    pub(crate) terminal: Terminal,
    /// Write the output to FILE instead of standard output
    ///
    /// The file is replaced atomically when it is complete. `-` is standard output.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// The same without a file, for services, whose output has no end.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Terminal {
    #[command(flatten)]
    pub(crate) language: Language,
    /// When to use colours: auto, always or never (NO_COLOR and CLICOLOR_FORCE are honoured)
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: ColorChoice,
    /// Print no progress and no notes, and no summary if the exit status is 0
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
