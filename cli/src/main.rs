//! The `resourcesync` program.

fn main() {
    std::process::exit(resourcesync_cli::run(std::env::args_os()));
}
