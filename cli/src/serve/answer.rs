//! The answer to a request: a file or a part of it, that it has not changed, or an error.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    time::UNIX_EPOCH,
};

use flate2::{Compression, write::GzEncoder};
use resourcesync_client::publish::media_type;

use super::request::Request;

/// The file of a folder.
const INDEX: &str = "index.html";

/// Text above this size is sent as it is, since it is compressed in memory.
const PACKED: u64 = 16 << 20;

/// An answer.
pub(super) struct Answer {
    status: u16,
    fields: Vec<(&'static str, String)>,
    body: Body,
}

enum Body {
    None,
    Bytes(Vec<u8>),
    File(io::Take<File>),
}

impl Answer {
    /// The answer to a request for a file of a folder.
    pub(super) fn of(request: &Request, folder: &Path) -> io::Result<Answer> {
        let Some((path, file)) = open(request, folder) else {
            let missing = Answer::error(404);
            return Ok(if request.is_head { Answer { body: Body::None, ..missing } } else { missing });
        };
        let meta = file.metadata()?;
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let (length, tag) = (meta.len(), format!("\"{:x}-{:x}\"", modified.as_nanos(), meta.len()));
        let kind = kind(&path);
        let is_text = kind.starts_with("text/") || kind.ends_with("xml") || kind.ends_with("json");
        let mut fields = vec![("Content-Type", kind), ("ETag", tag.clone()), ("Accept-Ranges", "bytes".to_owned())];
        let is_known =
            |known: &str| known == "*" || known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag);
        if request.field("if-none-match").is_some_and(is_known) {
            return Ok(Answer { status: 304, fields, body: Body::None });
        }
        let is_current = request.field("if-range").is_none_or(|known| known == tag);
        // Several parts, and what is no range, are the whole file.
        let range = request.field("range").filter(|_| is_current).and_then(Range::read);
        if let Some(range) = range {
            let Some((first, last)) = range.of(length) else {
                fields.push(("Content-Range", format!("bytes */{length}")));
                return Ok(Answer { status: 416, fields, body: Body::None });
            };
            fields.push(("Content-Range", format!("bytes {first}-{last}/{length}")));
            return Answer::file(request, 206, fields, file, (first, last.saturating_sub(first).saturating_add(1)));
        }
        fields.push(("Vary", "Accept-Encoding".to_owned()));
        let is_packed = is_text && length <= PACKED && request.field("accept-encoding").is_some_and(takes_gzip);
        if !is_packed {
            return Answer::file(request, 200, fields, file, (0, length));
        }
        // Another coding is another representation.
        fields.retain(|(name, _)| *name != "ETag");
        fields.extend([("ETag", format!("W/{tag}")), ("Content-Encoding", "gzip".to_owned())]);
        if request.is_head {
            return Ok(Answer { status: 200, fields, body: Body::None });
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        io::copy(&mut file.take(length), &mut packed)?;
        let bytes = packed.finish()?;
        fields.push(("Content-Length", bytes.len().to_string()));
        Ok(Answer { status: 200, fields, body: Body::Bytes(bytes) })
    }

    fn file(
        request: &Request,
        status: u16,
        mut fields: Vec<(&'static str, String)>,
        mut file: File,
        (first, length): (u64, u64),
    ) -> io::Result<Answer> {
        fields.push(("Content-Length", length.to_string()));
        file.seek(SeekFrom::Start(first))?;
        let body = if request.is_head { Body::None } else { Body::File(file.take(length)) };
        Ok(Answer { status, fields, body })
    }

    /// An answer without a file.
    pub(super) fn error(status: u16) -> Answer {
        let text = format!("{status} {}\n", reason(status)).into_bytes();
        let kind = ("Content-Type", "text/plain; charset=utf-8".to_owned());
        let mut fields = vec![kind, ("Content-Length", text.len().to_string())];
        if status == 405 {
            fields.push(("Allow", "GET, HEAD".to_owned()));
        }
        Answer { status, fields, body: Body::Bytes(text) }
    }

    pub(super) fn write(self, out: &mut impl Write) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} {}\r\nConnection: close\r\n", self.status, reason(self.status));
        for (name, value) in &self.fields {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        out.write_all(head.as_bytes())?;
        match self.body {
            Body::None => {}
            Body::Bytes(bytes) => out.write_all(&bytes)?,
            Body::File(mut file) => drop(io::copy(&mut file, out)?),
        }
        out.flush()
    }
}

/// Opens the file of a request, unless a link leads out of the folder.
fn open(request: &Request, folder: &Path) -> Option<(std::path::PathBuf, File)> {
    // A publication exchanges the folder, so it is resolved for each request.
    let root = fs::canonicalize(folder).ok()?;
    let mut path = fs::canonicalize(root.join(request.path.as_ref()?)).ok()?;
    if path.is_dir() {
        path = fs::canonicalize(path.join(INDEX)).ok()?;
    }
    // Opening a pipe would wait for its other end.
    let is_ours = path.starts_with(&root) && fs::metadata(&path).is_ok_and(|meta| meta.is_file());
    let file = is_ours.then(|| File::open(&path).ok())??;
    Some((path, file))
}

/// The media type of a file.
fn kind(path: &Path) -> String {
    if path.ends_with(".well-known/resourcesync") {
        return "application/xml".to_owned();
    }
    match media_type(path) {
        Some(kind) if kind == "text/xml" => "application/xml".to_owned(),
        Some(kind) if kind.starts_with("text/") => format!("{kind}; charset=utf-8"),
        Some(kind) => kind,
        None => "application/octet-stream".to_owned(),
    }
}

/// True if a list of codings has gzip, and does not exclude it.
fn takes_gzip(codings: &str) -> bool {
    codings.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_excluded = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_excluded
    })
}

/// A part of a file (RFC 9110, section 14.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    /// From a byte to another one, or to the end.
    From(u64, Option<u64>),
    /// This many bytes at the end.
    Last(u64),
}

impl Range {
    /// `None` for several ranges, and for what is none.
    fn read(text: &str) -> Option<Range> {
        let number = |text: &str| text.parse().ok().filter(|_| !text.starts_with('+'));
        match text.strip_prefix("bytes=")?.trim().split_once('-')? {
            ("", suffix) => number(suffix).map(Range::Last),
            (first, "") => Some(Range::From(number(first)?, None)),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Range::From(first, Some(last)))
            }
        }
    }

    /// Its first and last byte; `None` if the file has none of it.
    fn of(self, length: u64) -> Option<(u64, u64)> {
        let end = length.checked_sub(1)?;
        match self {
            Range::From(first, last) => (first <= end).then(|| (first, last.map_or(end, |last| last.min(end)))),
            Range::Last(count) => (count > 0).then(|| (length.saturating_sub(count), end)),
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        304 => "Not Modified",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        416 => "Range Not Satisfiable",
        431 => "Request Header Fields Too Large",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_within_the_file_or_refused() {
        let part = |text: &str, length| Range::read(text).unwrap().of(length);
        assert_eq!(part("bytes=0-0", 10), Some((0, 0)));
        assert_eq!(part("bytes=5-", 10), Some((5, 9)));
        assert_eq!(part("bytes=5-99", 10), Some((5, 9)));
        assert_eq!(part("bytes=-3", 10), Some((7, 9)));
        assert_eq!(part("bytes=-30", 10), Some((0, 9)));
        assert_eq!(["bytes=10-", "bytes=-0"].map(|range| part(range, 10)), [None, None]);
        assert_eq!(part("bytes=0-0", 0), None);
        for none in ["bytes=3-2", "bytes=0-1,3-4", "bytes=x", "bytes=-", "bytes=+0-+3", "lines=1-2"] {
            assert_eq!(Range::read(none), None, "{none}");
        }
    }

    #[test]
    fn gzip_is_sent_where_it_is_not_excluded() {
        assert!(["gzip", "br, GZIP;q=0.5", "deflate,gzip;q=1"].into_iter().all(takes_gzip));
        assert!(!["", "br", "gzip;q=0", "gzip; q=0.0", "x-gzip2"].into_iter().any(takes_gzip));
    }
}
