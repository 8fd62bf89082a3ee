//! The first stage of reading an input: decompresses gzip and sniffs the first bytes.

use alloc::{boxed::Box, vec::Vec};

use super::sniff::{HEAD, Sniffed, sniff};
use crate::{
    codec::{Gunzip, GunzipError},
    model::Kind,
};

/// Bytes of the magic number of gzip.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Receives the decompressed bytes of an input.
pub(crate) trait Unpacked {
    /// Called once, with the first bytes and, if these are not XML, the detected format and kind.
    fn begin(&mut self, head: &[u8], other: Option<(&'static str, Kind)>);

    /// Receives the next bytes, including the first ones.
    fn push(&mut self, bytes: &[u8]);

    /// Reports invalid gzip data; no more bytes follow.
    fn broken(&mut self, error: GunzipError);
}

/// Reads an input from pushed bytes.
#[derive(Debug)]
pub(crate) struct Input {
    gunzip: Gzip,
    /// The first bytes, buffered until there are enough: first for the magic number, then decompressed for sniffing.
    head: Vec<u8>,
    /// True once the decompressed bytes were sniffed.
    begun: bool,
}

#[derive(Debug)]
enum Gzip {
    /// To be detected; with the maximum ratio.
    Expected(u32),
    /// The input is not gzip, or must not be decompressed.
    Plain,
    Unpacking(Box<Gunzip>),
    Broken,
}

impl Input {
    /// Creates an input that may be gzip, with at most `ratio` decompressed bytes per compressed byte.
    pub(crate) fn new(ratio: u32) -> Input {
        Input { gunzip: Gzip::Expected(ratio), head: Vec::new(), begun: false }
    }

    /// Creates an input in which gzip is not decompressed.
    pub(crate) fn bare() -> Input {
        Input { gunzip: Gzip::Plain, head: Vec::new(), begun: false }
    }

    /// Reads the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut dyn Unpacked) {
        let Input { gunzip, head, begun } = self;
        match gunzip {
            Gzip::Expected(ratio) => {
                let wanted = MAGIC.len().saturating_sub(head.len());
                let (own, rest) = bytes.split_at_checked(wanted).unwrap_or((bytes, &[]));
                head.extend_from_slice(own);
                if head.len() == MAGIC.len() {
                    *gunzip = if *head == MAGIC { Gzip::Unpacking(Box::new(Gunzip::new(*ratio))) } else { Gzip::Plain };
                    let magic = core::mem::take(head);
                    self.push(&magic, out);
                    self.push(rest, out);
                }
            }
            Gzip::Plain => unpacked(head, begun, bytes, false, out),
            Gzip::Unpacking(own) => {
                let outcome = own.push(bytes, &mut |bytes| unpacked(head, begun, bytes, true, out));
                outcome.unwrap_or_else(|error| self.broken(error, out));
            }
            Gzip::Broken => {}
        }
    }

    /// Ends the input.
    pub(crate) fn finish(&mut self, out: &mut dyn Unpacked) {
        let Input { gunzip, head, begun } = self;
        if let Gzip::Unpacking(own) = gunzip {
            let outcome = own.finish(&mut |bytes| unpacked(head, begun, bytes, true, out));
            if let Err(error) = outcome {
                return self.broken(error, out);
            }
        }
        self.flush(out);
    }

    fn broken(&mut self, error: GunzipError, out: &mut dyn Unpacked) {
        self.flush(out);
        self.gunzip = Gzip::Broken;
        out.broken(error);
    }

    /// Passes on an input that is shorter than the sniffed range.
    fn flush(&mut self, out: &mut dyn Unpacked) {
        if !self.begun && !matches!(self.gunzip, Gzip::Broken) {
            let is_packed = matches!(self.gunzip, Gzip::Unpacking(_));
            begin(&mut self.head, &mut self.begun, is_packed, out);
        }
    }
}

fn unpacked(head: &mut Vec<u8>, begun: &mut bool, bytes: &[u8], is_packed: bool, out: &mut dyn Unpacked) {
    if *begun {
        return out.push(bytes);
    }
    let (own, rest) = bytes.split_at_checked(HEAD.saturating_sub(head.len())).unwrap_or((bytes, &[]));
    head.extend_from_slice(own);
    if head.len() == HEAD {
        begin(head, begun, is_packed, out);
        out.push(rest);
    }
}

fn begin(head: &mut Vec<u8>, begun: &mut bool, is_packed: bool, out: &mut dyn Unpacked) {
    *begun = true;
    let head = core::mem::take(head);
    let other = match sniff(&head) {
        Sniffed::Xml => None,
        Sniffed::Gzip if is_packed => Some(("gzip inside gzip", Kind::Unknown)),
        Sniffed::Gzip => Some(("a gzip file", Kind::Unknown)),
        Sniffed::Other(words, kind) => Some((words, kind)),
    };
    out.begin(&head, other);
    out.push(&head);
}
