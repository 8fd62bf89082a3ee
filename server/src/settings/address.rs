//! The address of the administration: TCP, or a Unix socket.

use std::{fmt, net::SocketAddr, path::PathBuf};

/// The address of the administration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminAddress {
    /// A TCP address.
    Tcp(SocketAddr),
    /// A Unix socket.
    Unix(PathBuf),
}

impl std::str::FromStr for AdminAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<AdminAddress, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            let is_supported = cfg!(unix) && !path.is_empty();
            return if is_supported {
                Ok(AdminAddress::Unix(path.into()))
            } else {
                Err(format!("`{text}` is not supported here"))
            };
        }
        let address = text.parse().map_err(|_| format!("`{text}` is neither unix:PATH nor ADDRESS:PORT"))?;
        Ok(AdminAddress::Tcp(address))
    }
}

impl fmt::Display for AdminAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdminAddress::Tcp(address) => write!(f, "{address}"),
            AdminAddress::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
