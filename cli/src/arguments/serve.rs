//! The options of `resourcesync serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueHint};

use super::{Terminal, examples};

/// `serve`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::SERVE)]
pub(crate) struct Serve {
    /// The folder, such as --out of `build`
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// The address to listen on; port 0 is any free one, which is printed
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8018")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) terminal: Terminal,
}
