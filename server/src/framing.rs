//! Lines of request headers end with CR LF: proxies disagree about a bare LF, which could hide a second request.
//!
//! hyper accepts a bare LF. Here it becomes a byte that no header may contain, so that hyper answers 400 and closes the connection.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A byte that hyper rejects in every part of a header.
const REJECTED: u8 = 0;
/// The field that says how many bytes follow the header.
const LENGTH: &[u8] = b"content-length:";

/// The bytes of a client, whose headers are checked.
pub(crate) struct Framed<S> {
    stream: S,
    part: Part,
    /// The current line, in lower case, as far as it matters.
    line: Vec<u8>,
    is_after_cr: bool,
    /// A line of the current header had content.
    has_begun: bool,
    length: u64,
}

/// The part of a request that the next byte belongs to.
#[derive(Clone, Copy)]
enum Part {
    Header,
    /// With the number of bytes left.
    Body(u64),
    /// The rest of the connection: chunks, after which the hub closes it, or what follows a rejected byte.
    Rest,
}

impl<S> Framed<S> {
    pub(crate) fn new(stream: S) -> Framed<S> {
        Framed { stream, part: Part::Header, line: Vec::new(), is_after_cr: false, has_begun: false, length: 0 }
    }

    /// Checks bytes, and replaces the first one that is wrong.
    fn check(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            match self.part {
                Part::Rest => return,
                Part::Body(left) => {
                    let count = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
                    bytes = bytes.get_mut(count..).unwrap_or_default();
                    let left = left.saturating_sub(count as u64);
                    self.part = if left == 0 { Part::Header } else { Part::Body(left) };
                }
                Part::Header => {
                    let Some((byte, rest)) = bytes.split_first_mut() else { return };
                    if !self.header(*byte) {
                        *byte = REJECTED;
                        self.part = Part::Rest;
                    }
                    bytes = rest;
                }
            }
        }
    }

    /// Takes a byte of a header. False if it is a line feed without a carriage return, or the reverse, or ends a length that is no number.
    fn header(&mut self, byte: u8) -> bool {
        match (self.is_after_cr, byte) {
            (true, b'\n') => {
                self.is_after_cr = false;
                return self.end_of_line();
            }
            (true, _) | (false, b'\n') => return false,
            (false, b'\r') => self.is_after_cr = true,
            (false, byte) => {
                // Longer lines have neither of the two fields.
                if self.line.len() < 64 {
                    self.line.push(byte.to_ascii_lowercase());
                }
            }
        }
        true
    }

    fn end_of_line(&mut self) -> bool {
        if !self.line.is_empty() {
            self.has_begun = true;
            if self.line.starts_with(b"transfer-encoding") {
                self.length = u64::MAX;
            } else if let Some(digits) = self.line.strip_prefix(LENGTH) {
                let digits = str::from_utf8(digits).unwrap_or_default().trim();
                let Ok(length) = digits.parse::<u64>() else { return false };
                // hyper rejects two that differ.
                self.length = self.length.max(length);
            }
            self.line.clear();
        } else if self.has_begun {
            self.part = match self.length {
                0 => Part::Header,
                u64::MAX => Part::Rest,
                length => Part::Body(length),
            };
            (self.has_begun, self.length) = (false, 0);
        }
        true
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Framed<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if let Poll::Ready(Ok(())) = read {
            self.check(buf.filled_mut().get_mut(before..).unwrap_or_default());
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Framed<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes as hyper receives them, read in pieces of every size.
    fn received(sent: &str) -> String {
        let mut all = None;
        for size in 1..=sent.len() {
            let mut framed = Framed::new(());
            let mut bytes = sent.as_bytes().to_vec();
            bytes.chunks_mut(size).for_each(|piece| framed.check(piece));
            let text = String::from_utf8(bytes).expect("only ASCII is replaced");
            assert_eq!(*all.get_or_insert_with(|| text.clone()), text, "{size}");
        }
        all.unwrap_or_default()
    }

    #[test]
    fn requests_with_complete_line_ends_are_unchanged() {
        let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\na\nb\rc\n\n";
        for sent in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n\r\n".to_owned(),
            // The body is not checked, and the next header is.
            format!("{post}{post}"),
            "\r\n\r\nGET / HTTP/1.1\r\n\r\n".to_owned(),
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\n0\n\n".to_owned(),
            format!("POST / HTTP/1.1\r\nX: {}\r\nCONTENT-LENGTH:  1 \r\n\r\n\nGET / HTTP/1.1\r\n\r\n", "x".repeat(99)),
        ] {
            assert_eq!(received(&sent), sent);
        }
    }

    #[test]
    fn the_first_incomplete_line_end_is_rejected() {
        for (sent, expected) in [
            ("GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\0Host: a\r\n\r\n"),
            ("GET / HTTP/1.1\r\nHost: a\n\nGET", "GET / HTTP/1.1\r\nHost: a\0\nGET"),
            ("GET / HTTP/1.1\r\nHost: a\r\n\nGET", "GET / HTTP/1.1\r\nHost: a\r\n\0GET"),
            ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n", "GET / HTTP/1.1\r\nHost: a\r\0: b\r\n"),
            ("\nGET / HTTP/1.1\r\n\r\n", "\0GET / HTTP/1.1\r\n\r\n"),
            ("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\n", "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\0"),
            ("A\r\nContent-Length: 1,1\r\n\r\n", "A\r\nContent-Length: 1,1\r\0\r\n"),
            (
                "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET / HTTP/1.1\n",
                "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET / HTTP/1.1\0",
            ),
        ] {
            assert_eq!(received(sent), expected);
        }
    }
}
