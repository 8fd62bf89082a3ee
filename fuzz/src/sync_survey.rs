//! The documents of a Source as a Destination reads them: reading ends, does not depend on chunking, and lists nothing as complete of which a
//! document was cut.

use resourcesync::{diagnostic::Reason, limits::Limits};
use resourcesync_sync::{
    ListedResource, Survey,
    survey::{Event, Findings, Head, Remembered, Step},
};
use resourcesync_tests::{Answer, Web};

use crate::source::web;

/// Seconds since 1970.
const NOW: i64 = 1_800_000_000;
const START: &str = "http://example.com/";
/// Requests after which reading is considered endless.
const MOST: usize = 2_000;

/// The first two bytes choose the windows and a cut; the rest are responses, as for `source`.
pub fn sync_survey(data: &[u8]) {
    let Some(([window, cut], bytes)) = data.split_first_chunk::<2>() else { return };
    let mut web = web(bytes);
    let mut limits = Limits::default();
    limits.inflate_ratio = 20;
    let survey = |before, polls| Survey::new(START, before, polls, NOW, &limits);
    let first = read(&web, survey(Remembered::default(), false), usize::MAX);
    let again = read(&web, survey(Remembered::default(), false), usize::from(*window) + 1);
    assert_eq!(first, again);
    let (found, listed) = first;
    if found.lists_complete && found.mixed.is_none() && found.older.is_empty() {
        assert!(found.listed >= listed.len() as u64 || found.unreadable_entries > 0, "{found:?}");
        // The same Source has not changed.
        let (later, _) = read(&web, survey(found.remembered.clone(), true), usize::MAX);
        assert!(later.is_unchanged && later.lists_complete, "{later:?}");
        let read: Vec<_> = found.documents.iter().filter(|read| read.unread.is_none()).collect();
        let uri = read.get(usize::from(*cut) % read.len().max(1)).map(|read| read.uri.clone()).unwrap_or_default();
        let Some(Answer::Had { body, .. }) = web.get_mut(&uri) else { return };
        let Some(end) = end(body) else { return };
        body.truncate(usize::from(*cut) * 31 % end);
        let (found, _) = self::read(&web, survey(Remembered::default(), false), usize::MAX);
        assert!(!found.lists_complete, "{uri} {found:?}");
        let (found, _) = self::read(&web, survey(later.remembered, true), usize::MAX);
        assert!(!found.lists_complete, "{uri} {found:?}");
    }
}

/// The start of the last end tag, where that is the end of the document for certain.
fn end(body: &[u8]) -> Option<usize> {
    let has = |part: &[u8]| body.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
    if body.starts_with(&[0x1f, 0x8b]) || has(b"<!") || has(b"<link") || has(b"<html") || has(b"sitemap:") {
        return None;
    }
    if body.windows(2).filter(|window| window == b"<?").count() > 1 {
        return None;
    }
    body.windows(2).rposition(|window| window == b"</").filter(|end| *end > 0)
}

/// Runs a survey as a driver does; the valid entries.
fn read(web: &Web, mut survey: Survey, window: usize) -> (Findings, Vec<ListedResource>) {
    let (mut listed, mut waiting) = (Vec::new(), Vec::new());
    for _ in 0..MOST {
        let Step::Read(request) = survey.next() else { return (survey.finish(), listed) };
        match answer(web, &request.uri) {
            Some((uri, status, headers, body)) => {
                survey.answer(Head { uri, status, headers });
                body.chunks(window).for_each(|chunk| survey.push(chunk));
                survey.end();
            }
            None => survey.failed(Reason::other("no response")),
        }
        for event in survey.events() {
            match event {
                Event::Listed(number, resource) => waiting.push((number, resource)),
                Event::Counts(number) => {
                    listed.extend(waiting.drain(..).filter(|(own, _)| *own == number).map(|(_, resource)| resource));
                }
                Event::Dropped(_) => waiting.clear(),
                Event::Restarted => {
                    listed.clear();
                    waiting.clear();
                }
            }
        }
    }
    panic!("it does not end");
}

type Response<'w> = (String, u16, Vec<(String, String)>, &'w [u8]);

/// The response after redirects.
fn answer<'w>(web: &'w Web, uri: &str) -> Option<Response<'w>> {
    let mut uri = uri.to_owned();
    for _ in 0..10 {
        match web.get(&uri) {
            Some(Answer::Moved(to)) => uri.clone_from(to),
            Some(Answer::Had { status, headers, body }) => {
                return Some((uri, *status, headers.clone().unwrap_or_default(), body));
            }
            Some(Answer::Failed(_)) => return None,
            None => return Some((uri, 404, Vec::new(), b"")),
        }
    }
    None
}
