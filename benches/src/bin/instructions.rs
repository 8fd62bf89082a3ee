//! `instructions whole|tokens` makes one pass over a list in memory, for callgrind to count.

use std::{env, process::ExitCode};

use resourcesync_benches::{
    inputs::{Layout, list},
    passes::{tokens, whole},
};

fn main() -> ExitCode {
    let document = list(0, Layout::Lines);
    let seen = match env::args().nth(1).as_deref() {
        Some("whole") => whole(&document),
        Some("tokens") => tokens(&document),
        _ => 0,
    };
    ExitCode::from(u8::from(seen == 0))
}
