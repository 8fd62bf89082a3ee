//! Replies as text.

use resourcesync_notify::exchange::{Headers, Reply};

pub(crate) fn plain_text(status: u16, body: &str) -> Reply {
    let headers = Headers::default().with("Content-Type", "text/plain; charset=utf-8");
    Reply { status, headers, body: body.as_bytes().to_vec() }
}

/// The reply while the store does not accept anything.
pub(crate) fn unavailable(word: &str) -> Reply {
    let headers = Headers::default().with("Content-Type", "text/plain; charset=utf-8").with("Retry-After", "30");
    Reply { status: 503, headers, body: format!("{word}: try again later\n").into_bytes() }
}
