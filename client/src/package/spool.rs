//! A package from a pipe: archives are read from their end, so it is first copied to an anonymous temporary file.

use std::{
    fs::File,
    io::{self, Read, Write},
};

use resourcesync::{
    api::is_package,
    diagnostic::{Reason, ReasonCode},
};

use crate::{cancel::Cancel, system::reason};

/// Bytes needed to distinguish a package from a document.
const TELLING: usize = 8;

/// The content of a pipe: a document, passed on immediately, or a package, copied to a temporary file. The first bytes decide.
#[derive(Debug)]
pub struct PipedInput {
    limit: u64,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Not enough bytes yet to decide.
    Head(Vec<u8>),
    Document,
    Package {
        file: Result<File, Reason>,
        size: u64,
    },
}

impl PipedInput {
    /// `limit`: the maximum size of a package.
    #[must_use]
    pub fn new(limit: u64) -> PipedInput {
        PipedInput { limit, kind: Kind::Head(Vec::new()) }
    }

    /// Receives the next bytes; those of a document are passed on.
    pub fn push(&mut self, bytes: &[u8], document: &mut dyn FnMut(&[u8])) {
        match &mut self.kind {
            Kind::Head(head) => {
                head.extend_from_slice(bytes);
                if head.len() >= TELLING {
                    self.decide(document);
                }
            }
            Kind::Document => document(bytes),
            Kind::Package { file, size } => {
                *size = size.saturating_add(bytes.len() as u64);
                if let Ok(kept) = file {
                    let outcome = if *size > self.limit {
                        Err(Reason::new(ReasonCode::PipedPackageTooLarge).arg("n", self.limit))
                    } else {
                        kept.write_all(bytes).map_err(|error| not_kept(&error))
                    };
                    if let Err(reason) = outcome {
                        *file = Err(reason);
                    }
                }
            }
        }
    }

    fn decide(&mut self, document: &mut dyn FnMut(&[u8])) {
        let Kind::Head(head) = &mut self.kind else { return };
        let head = std::mem::take(head);
        self.kind = if is_package(&head) {
            Kind::Package { file: tempfile::tempfile().map_err(|error| not_kept(&error)), size: 0 }
        } else {
            Kind::Document
        };
        self.push(&head, document);
    }

    /// Ends the input. Returns the package and its size in bytes, if it is one, or why it could not be
    /// stored.
    #[must_use]
    pub fn finish(mut self, document: &mut dyn FnMut(&[u8])) -> Option<Result<(File, u64), Reason>> {
        self.decide(document);
        match self.kind {
            Kind::Package { file, size } => Some(file.map(|file| (file, size))),
            Kind::Head(_) | Kind::Document => None,
        }
    }
}

fn not_kept(error: &io::Error) -> Reason {
    Reason::other(format!("it could not be kept in a temporary file: {}", reason(error)))
}

/// Reads a package from a stream, such as standard input.
///
/// # Errors
///
/// If it is no package, is larger than the limit, or cannot be read or kept.
pub fn read(mut stream: impl Read, limit: u64, cancel: &Cancel) -> Result<(File, u64), Reason> {
    let mut piped = PipedInput::new(limit);
    let mut window = vec![0; 64 << 10];
    loop {
        match stream.read(&mut window) {
            _ if cancel.is_cancelled() => return Err(Reason::new(ReasonCode::Interrupted)),
            Ok(0) => break,
            Ok(length) => {
                let mut is_document = false;
                piped.push(window.get(..length).unwrap_or(&[]), &mut |_| is_document = true);
                if is_document {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(reason(&error)),
        }
    }
    piped.finish(&mut |_| {}).unwrap_or_else(|| Err(Reason::new(ReasonCode::NotPackage)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The result of these bytes, pushed one by one: the document, or the size of a package.
    fn sorted(bytes: &[u8], limit: u64) -> (Vec<u8>, Option<Result<u64, Reason>>) {
        let mut piped = PipedInput::new(limit);
        let mut document = Vec::new();
        for byte in bytes {
            piped.push(&[*byte], &mut |part| document.extend_from_slice(part));
        }
        let package = piped.finish(&mut |part| document.extend_from_slice(part));
        (document, package.map(|kept| kept.map(|(_, size)| size)))
    }

    #[test]
    fn a_document_passes_and_a_package_is_kept_however_they_are_cut() {
        assert_eq!(sorted(b"<urlset/>", 99), (b"<urlset/>".to_vec(), None));
        assert_eq!(sorted(b"<a/>", 99), (b"<a/>".to_vec(), None));
        assert_eq!(sorted(b"", 99), (vec![], None));
        assert_eq!(sorted(b"PK\x03\x04 and so on", 99), (vec![], Some(Ok(14))));
        assert_eq!(sorted(b"PK\x03\x04", 99), (vec![], Some(Ok(4))));
    }

    #[test]
    fn no_more_is_kept_than_the_limit() {
        let (_, package) = sorted(b"PK\x03\x04 and so on", 13);
        assert!(package.unwrap().unwrap_err().to_string().contains("package_bytes (13)"));
    }
}
