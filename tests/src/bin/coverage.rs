//! Prints the page on coverage; `scripts/docs` writes it to `docs/coverage.md`.

use std::io::{self, Write};

use resourcesync_tests::coverage;

fn main() -> io::Result<()> {
    io::stdout().write_all(coverage::page().as_bytes())
}
