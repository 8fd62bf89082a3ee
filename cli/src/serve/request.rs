//! The head of a request: what is asked for, and under which conditions.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{self, Read},
    path::{Component, PathBuf},
};

/// Bytes of a head at most.
const HEAD: usize = 16 << 10;

/// A request for a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Only the head of the answer is wanted.
    pub(super) is_head: bool,
    /// The path below the served folder; `None` if it does not stay there.
    pub(super) path: Option<PathBuf>,
    fields: BTreeMap<String, String>,
}

impl Request {
    /// Reads a request; an error is the status of the answer.
    pub(super) fn read(input: &mut impl Read) -> io::Result<Result<Request, u16>> {
        let (mut head, mut byte) = (Vec::new(), [0; 1]);
        let mut input = io::BufReader::with_capacity(HEAD, input);
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() >= HEAD {
                return Ok(Err(431));
            }
            input.read_exact(&mut byte)?;
            head.extend(byte);
        }
        Ok(Request::parse(&String::from_utf8_lossy(&head)))
    }

    fn parse(head: &str) -> Result<Request, u16> {
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (method, target, version) = (words.next(), words.next(), words.next());
        if !version.is_some_and(|version| version.starts_with("HTTP/1.")) || words.next().is_some() {
            return Err(400);
        }
        let is_head = match method {
            Some("GET") => false,
            Some("HEAD") => true,
            _ => return Err(405),
        };
        let path = path(target.unwrap_or_default());
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        Ok(Request { is_head, path, fields: lines.filter_map(field).collect() })
    }

    /// A header field, by its name in lower case.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }
}

/// The path that a target names, if it stays below the served folder.
fn path(target: &str) -> Option<PathBuf> {
    // Also the whole URI (RFC 9112, section 3.2.2).
    let own = target.strip_prefix("http://").and_then(|rest| rest.get(rest.find('/')?..));
    let text = own.unwrap_or(target).split(['?', '#']).next()?.strip_prefix('/')?;
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let path = name(bytes)?;
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// Names may be in any encoding.
#[cfg(unix)]
fn name(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    (!bytes.contains(&0)).then(|| OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn name(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(OsString::from(String::from_utf8(bytes).ok().filter(|path| !path.contains(['\0', '\\']))?).into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_folder() {
        assert_eq!(path("/a%20b/c.xml?x#y"), Some(PathBuf::from("a b/c.xml")));
        assert_eq!(path("/"), Some(PathBuf::new()));
        assert_eq!(path("http://127.0.0.1:8000/a"), Some(PathBuf::from("a")));
        for target in
            ["/../etc/passwd", "/a/%2e%2e/b", "//etc/passwd", "/%2Fetc/passwd", "/a%00", "/%zz", "/%", "x", "http://x"]
        {
            assert_eq!(path(target), None, "{target}");
        }
        // A name in Shift_JIS, and one with a backslash, which separates folders elsewhere.
        assert_eq!(["/%93%FA", "/a%5Cb"].map(|target| path(target).is_some()), [cfg!(unix); 2]);
    }

    #[test]
    fn a_head_is_read_to_its_end_and_no_longer_than_allowed() {
        let read = |head: &str| Request::read(&mut head.as_bytes());
        let request = read("HEAD /a HTTP/1.1\r\nHost: x\r\nIF-None-Match: \"1\"\r\n\r\n").unwrap().unwrap();
        assert!(request.is_head && request.field("if-none-match") == Some("\"1\""));
        assert_eq!(read("POST / HTTP/1.1\r\n\r\n").unwrap(), Err(405));
        assert_eq!(read("GET /\r\n\r\n").unwrap(), Err(400));
        assert_eq!(read(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(HEAD))).unwrap(), Err(431));
        assert!(read("GET / HTTP/1.1\r\n").is_err());
    }
}
