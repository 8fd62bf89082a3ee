//! The `resourcesync` program.

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(resourcesync_cli::run(std::env::args_os()));
}
