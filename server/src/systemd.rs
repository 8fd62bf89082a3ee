//! Tells systemd what the hub does, if systemd started it (`Type=notify`).

use std::io;

/// The hub accepts requests.
pub(crate) fn ready(status: &str) -> io::Result<()> {
    send(&format!("READY=1\nSTATUS={status}"))
}

/// The hub reads its settings again; [`ready`] follows.
pub(crate) fn reloading() -> io::Result<()> {
    send(&format!("RELOADING=1\nMONOTONIC_USEC={}", monotonic()))
}

/// The hub ends.
pub(crate) fn stopping() -> io::Result<()> {
    send("STOPPING=1")
}

/// Sends a state to the socket that systemd named.
#[cfg(target_os = "linux")]
fn send(state: &str) -> io::Result<()> {
    use std::os::{
        linux::net::SocketAddrExt,
        unix::{
            ffi::OsStrExt,
            net::{SocketAddr, UnixDatagram},
        },
    };
    let Some(path) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    let address = match path.as_bytes().split_first() {
        Some((b'@', name)) => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(&path)?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address).map(drop)
}

/// There is no systemd here.
#[cfg(not(target_os = "linux"))]
fn send(_: &str) -> io::Result<()> {
    Ok(())
}

/// The clock by which systemd knows which reload is meant, in microseconds.
#[cfg(target_os = "linux")]
fn monotonic() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec.saturating_mul(1_000_000).saturating_add(now.tv_nsec / 1_000)
}

#[cfg(not(target_os = "linux"))]
fn monotonic() -> i64 {
    0
}
