//! A small web, and a walk over it.

use std::collections::BTreeMap;

use resourcesync::{
    api::{
        Fetch, Following, Method, Missed, Next, Options, PackageDepth, Purpose, Response, Verification, Visit, Visited,
        Walk,
    },
    report::Report,
};

/// What is at each URI.
pub type Web = BTreeMap<String, Answer>;

/// What a URI answers.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Something; without headers there is no HTTP.
    Had {
        /// The status.
        status: u16,
        /// The header fields, in order.
        headers: Option<Vec<(String, String)>>,
        /// All bytes.
        body: Vec<u8>,
    },
    /// It is elsewhere.
    Moved(String),
    /// It cannot be had.
    Missed(Missed),
}

/// Times that an answer leads elsewhere, at most.
const MOVES: usize = 10;

/// The report on a web, got with windows of so many bytes, the answers to as many questions as are open given the last first.
///
/// # Panics
///
/// If the walk waits for an answer that nobody owes it.
pub fn walk(web: &Web, options: &Options, following: Following, window: usize, backwards: bool) -> Report {
    let depth = following.packages;
    let mut walk = Walk::new(options.clone(), following);
    let mut open = Vec::new();
    loop {
        match walk.poll() {
            Next::Fetch(fetch) if backwards => open.push(fetch),
            Next::Fetch(fetch) => walk.handle(answer(web, &fetch, options, depth, window)),
            Next::Wait => {
                let fetch = open.pop().expect("something is open");
                walk.handle(answer(web, &fetch, options, depth, window));
            }
            Next::Done => return walk.finish(),
        }
    }
}

fn answer(web: &Web, fetch: &Fetch, options: &Options, depth: PackageDepth, window: usize) -> Visited {
    let mut uri = &fetch.uri;
    for _ in 0..MOVES {
        let (status, headers, body) = match web.get(uri) {
            None => return missing(fetch),
            Some(Answer::Missed(missed)) => return Visited::missed(fetch, missed.clone()),
            Some(Answer::Moved(to)) => {
                uri = to;
                continue;
            }
            Some(Answer::Had { status, headers, body }) => (*status, headers.clone(), body.as_slice()),
        };
        let response = Response { uri: uri.clone(), status, headers, is_as_sent: true };
        let bytes = if fetch.method == Method::Head { &[] } else { body };
        return if fetch.purpose == Purpose::Package {
            package(bytes, fetch, response, options, depth)
        } else {
            visit(bytes, fetch, response, options, window)
        };
    }
    Visited::missed(fetch, Missed::Failed { reason: "it leads in a circle".into() })
}

fn missing(fetch: &Fetch) -> Visited {
    Visited::missed(fetch, Missed::Missing { reason: "the server answered 404".into() })
}

fn package(bytes: &[u8], fetch: &Fetch, response: Response, options: &Options, depth: PackageDepth) -> Visited {
    let mut verifying = options.clone();
    verifying.no_fixity = depth == PackageDepth::Structure;
    let verification = Verification::new(&verifying, fetch.source(), bytes.len() as u64)
        .met(fetch.media_type.clone(), &fetch.hashes());
    let (outcome, package) = verification.run_for_package(&mut |offset, room| {
        let start = usize::try_from(offset).map_err(|_| "beyond the end")?;
        room.copy_from_slice(bytes.get(start..start + room.len()).ok_or("beyond the end")?);
        Ok(())
    });
    Visited::package(fetch, response, outcome, package)
}

fn visit(bytes: &[u8], fetch: &Fetch, response: Response, options: &Options, window: usize) -> Visited {
    let mut visit = Visit::new(options, fetch, response);
    for part in bytes.chunks(window.clamp(1, bytes.len().max(1))) {
        if visit.wants_more() {
            visit.push(part);
        }
    }
    visit.finish()
}
