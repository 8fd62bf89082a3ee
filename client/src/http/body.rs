//! The body of a response: read like a file, decoded, and never longer than the limits allow.

use std::{fmt, io};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    content_encoding::Coding,
    error::{Error, ErrorKind, Received},
};

/// Bytes read from the connection at a time, small since decoding may expand them a thousandfold.
const WINDOW: usize = 8 << 10;

/// The bytes of a body before content decoding.
pub(super) trait Raw: Send {
    /// Reads as many bytes as are available; 0 at the end.
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error>;
}

/// The body of a response. The errors of reading it are [`Error`]s in an [`io::Error`]: [`Error::of`] takes them out.
pub struct Body {
    raw: Box<dyn Raw>,
    coding: Coding,
    /// Bytes that are still allowed, encoded and decoded.
    packed: u64,
    unpacked: u64,
    limit: u64,
    /// Decoded bytes that were not read yet.
    ready: Vec<u8>,
    given: usize,
    is_over: bool,
    received: Received,
}

impl Body {
    pub(super) fn new(raw: Box<dyn Raw>, coding: Coding, limit: u64) -> Body {
        let (packed, unpacked) = (limit, limit);
        Body {
            raw,
            coding,
            packed,
            unpacked,
            limit,
            ready: Vec::new(),
            given: 0,
            is_over: false,
            received: Received::Head,
        }
    }

    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        if matches!(self.coding, Coding::Identity) {
            let length = self.raw.next(buffer)?;
            self.receive(length);
            return self.count(0, length).map(|()| length);
        }
        while self.given >= self.ready.len() && !self.is_over {
            self.unpack()?;
        }
        let ready = self.ready.get(self.given..).unwrap_or(&[]);
        let length = ready.len().min(buffer.len());
        buffer.iter_mut().zip(ready).for_each(|(place, byte)| *place = *byte);
        self.given = self.given.saturating_add(length);
        Ok(length)
    }

    fn unpack(&mut self) -> Result<(), Error> {
        let mut window = vec![0; WINDOW];
        let length = self.raw.next(&mut window)?;
        self.receive(length);
        let mut ready = std::mem::take(&mut self.ready);
        ready.clear();
        self.given = 0;
        let outcome = match window.get(..length) {
            Some(bytes) if length > 0 => self.coding.push(bytes, &mut |bytes| ready.extend_from_slice(bytes)),
            _ => {
                self.is_over = true;
                self.coding.finish(&mut |bytes| ready.extend_from_slice(bytes))
            }
        };
        self.count(length, ready.len())?;
        self.ready = ready;
        outcome
    }

    fn receive(&mut self, length: usize) {
        if length > 0 {
            self.received = Received::Part;
        }
    }

    fn count(&mut self, packed: usize, unpacked: usize) -> Result<(), Error> {
        let left = |left: u64, length: usize| left.checked_sub(length as u64);
        match (left(self.packed, packed), left(self.unpacked, unpacked)) {
            (Some(packed), Some(unpacked)) => {
                (self.packed, self.unpacked) = (packed, unpacked);
                Ok(())
            }
            _ => {
                let reason = Reason::new(ReasonCode::BodyTooLong).arg("n", self.limit).arg("limit", "http_body_bytes");
                Err(Error::new(ErrorKind::Limit, reason))
            }
        }
    }
}

impl io::Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.next(buffer).map_err(|error| io::Error::other(error.after(self.received)))
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("coding", &self.coding).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Read;

    use super::*;

    /// The same window without end.
    struct Endless(Vec<u8>);

    impl Raw for Endless {
        fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
            let length = self.0.len().min(buffer.len());
            buffer.iter_mut().zip(&self.0).for_each(|(place, byte)| *place = *byte);
            Ok(length)
        }
    }

    impl Raw for io::Cursor<Vec<u8>> {
        fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
            Ok(self.read(buffer).unwrap())
        }
    }

    fn gzip(ratio: u32) -> Coding {
        Coding::of(["GZIP"].into_iter(), ratio).unwrap()
    }

    fn fails(mut body: Body) -> String {
        io::copy(&mut body, &mut io::sink()).unwrap_err().to_string()
    }

    #[test]
    fn a_body_without_end_ends_at_its_limit() {
        let body = Body::new(Box::new(Endless(vec![0; 100])), Coding::Identity, 1_000_000);
        assert_eq!(fails(body), "response body of more than 1000000 bytes (limit http_body_bytes)");
    }

    #[test]
    fn what_is_packed_is_bounded_while_packed_and_when_unpacked() {
        // Empty members, repeated without output.
        let empty = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert!(fails(Body::new(Box::new(Endless(empty)), gzip(200), 1_000_000)).contains("http_body_bytes"));
        let zeros = vec![0; 8 << 20];
        let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        member.extend(miniz_oxide::deflate::compress_to_vec(&zeros, 9));
        member.extend(crc32fast::hash(&zeros).to_le_bytes());
        member.extend((zeros.len() as u32).to_le_bytes());
        let body = |ratio, limit| Body::new(Box::new(io::Cursor::new(member.clone())), gzip(ratio), limit);
        assert!(fails(body(200, 1 << 40)).contains("inflate_ratio"));
        assert!(fails(body(2_000, 1 << 20)).contains("http_body_bytes"));
        assert_eq!(io::copy(&mut body(2_000, 1 << 40), &mut io::sink()).unwrap(), 8 << 20);
    }

    #[test]
    fn what_was_not_asked_for_is_not_unpacked() {
        for encoding in ["br", "deflate", "gzip, gzip", "zstd"] {
            assert_eq!(
                Coding::of([encoding].into_iter(), 200).unwrap_err().kind,
                ErrorKind::ContentEncoding,
                "{encoding}"
            );
        }
        assert!(matches!(Coding::of(["identity", ""].into_iter(), 200), Ok(Coding::Identity)));
        let body = Body::new(Box::new(io::Cursor::new(b"<urlset/>".to_vec())), gzip(200), 100);
        assert!(fails(body).contains("invalid gzip"));
    }
}
