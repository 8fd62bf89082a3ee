//! The `resourcesync` program.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    std::process::exit(resourcesync_cli::run(std::env::args_os()));
}
