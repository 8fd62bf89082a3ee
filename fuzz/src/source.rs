//! The crawl of a whole Source ends, its report does not depend on the order and splitting of responses, and an
//! unchanged Source has no findings about changes.

use resourcesync::{
    api::{CrawlOptions, Options, Resources},
    report::Report,
};
use resourcesync_tests::{Answer, Web, crawl};

/// The separator of responses, which does not occur in text.
const BETWEEN: u8 = 0x1e;

/// The first byte chooses the windows; the rest are responses, each a line with URI and status, header fields, an
/// empty line, and a body.
pub fn source(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let web = web(bytes);
    let mut options = Options::default();
    options.limits.inflate_ratio = 20;
    let mut following = CrawlOptions::from(["http://example.com/"]);
    (following.documents, following.resources) = (30, Resources::Sample(2));
    let first = crawl(&web, &options, following.clone(), usize::MAX, false);
    let json = first.to_json();
    assert_eq!(Report::from_json(&json).as_ref(), Ok(&first));
    assert!(first.summary.inputs <= 40, "{}", first.summary.inputs);
    let backwards = crawl(&web, &options, following.clone(), usize::from(*cut) + 1, true);
    assert_eq!(json, backwards.to_json());
    following.earlier = Some(first);
    let later = crawl(&web, &options, following, usize::MAX, false);
    let found = |json: &str| json.split_once("\"summary\"").map(|(_, rest)| rest.to_owned());
    assert_eq!(found(&json), found(&later.to_json()));
}

/// The web of responses in this form.
pub(crate) fn web(bytes: &[u8]) -> Web {
    bytes.split(|byte| *byte == BETWEEN).filter_map(answer).collect()
}

fn answer(bytes: &[u8]) -> Option<(String, Answer)> {
    let end = bytes.windows(2).position(|two| two == b"\n\n")?;
    let (head, body) = bytes.split_at(end);
    let mut lines = str::from_utf8(head).ok()?.lines();
    let (uri, status) = lines.next()?.split_once(' ')?;
    let headers: Vec<(String, String)> =
        lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.into(), value.into())).collect();
    let moved = headers.iter().find(|(name, _)| name == "location").map(|(_, to)| to.clone());
    let answer = match moved {
        Some(to) => Answer::Moved(to),
        None => {
            let headers = Some(headers).filter(|headers| !headers.is_empty());
            Answer::Had { status: status.parse().ok()?, headers, body: body.get(2..)?.to_vec() }
        }
    };
    Some((uri.into(), answer))
}

/// A web in this form, without failing URIs.
pub(crate) fn written(web: &Web) -> Vec<u8> {
    let mut all = vec![40];
    for (uri, answer) in web {
        let (status, headers, body) = match answer {
            Answer::Had { status, headers, body } => (*status, headers.clone().unwrap_or_default(), body.as_slice()),
            Answer::Moved(to) => (302, vec![("location".to_owned(), to.clone())], &[][..]),
            Answer::Failed(_) => continue,
        };
        let headers: String = headers.iter().map(|(name, value)| format!("\n{name}: {value}")).collect();
        all.extend_from_slice(format!("{uri} {status}{headers}\n\n").as_bytes());
        all.extend_from_slice(body);
        all.push(BETWEEN);
    }
    all
}
