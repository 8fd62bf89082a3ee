//! The client of the administration, for the command.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::Duration,
};

use resourcesync_notify::hub::Secret;

use crate::settings::AdminAddress;

/// The time that the client waits.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends a request to the administration of a running hub. Returns the status and the body.
///
/// # Errors
///
/// If the hub is not reachable, or its answer is broken.
pub fn request(
    address: &AdminAddress,
    token: Option<&Secret>,
    method: &str,
    path: &str,
    body: &str,
) -> io::Result<(u16, String)> {
    let mut answer = Vec::new();
    let token = token.map(|token| format!("Authorization: Bearer {}\r\n", token.0)).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{token}Connection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    match address {
        AdminAddress::Tcp(address) => {
            let mut stream = TcpStream::connect_timeout(address, Duration::from_secs(10))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(request.as_bytes())?;
            stream.read_to_end(&mut answer)?;
        }
        #[cfg(unix)]
        AdminAddress::Unix(path) => {
            let mut stream = std::os::unix::net::UnixStream::connect(path)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(request.as_bytes())?;
            stream.read_to_end(&mut answer)?;
        }
        #[cfg(not(unix))]
        AdminAddress::Unix(_) => return Err(io::ErrorKind::Unsupported.into()),
    }
    let answer = String::from_utf8(answer).map_err(io::Error::other)?;
    let broken = || io::Error::other("the answer is not HTTP");
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(broken)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
    Ok((status, body.to_owned()))
}
