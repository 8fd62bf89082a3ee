//! What is too long, too many, cut, or stopped, is never read as if it were whole.

use super::*;

const LIST: &str = "http://a.example/l";

fn read(page: &[u8], limits: &Limits) -> (Findings, Vec<String>) {
    let mut server = Server::new(&[]);
    server.pages.insert(LIST.to_string(), vec![page.to_vec()]);
    server.read(Survey::new(LIST, Remembered::default(), false, NOW, limits), 64)
}

#[test]
fn a_list_of_the_greatest_length_is_read_and_a_longer_one_is_not() {
    let page = list("2020-01-01T00:00:00Z", &["http://a.example/1", "http://a.example/2"]);
    let most = page.len() as u64;
    for (limit, value, is_read) in [
        ("document_bytes", most, true),
        ("document_bytes", most - 1, false),
        ("entries", 2, true),
        ("entries", 1, false),
    ] {
        let mut limits = Limits::default();
        assert!(limits.set(limit, value));
        let (found, listed) = read(page.as_bytes(), &limits);
        assert_eq!((found.lists_complete, listed.is_empty()), (is_read, !is_read), "{limit} {value}");
    }
}

#[test]
fn a_source_of_more_documents_than_the_limit_is_not_complete() {
    for (before, is_read) in [(DOCUMENTS - 1, true), (DOCUMENTS, false)] {
        let mut survey = survey(LIST);
        let read = Read::unread("http://a.example/before", Role::Member, Reason::other("not of interest"));
        survey.found.documents = vec![Read { unread: None, ..read }; before];
        assert_eq!(matches!(survey.next(), Step::Read(_)), is_read, "{before}");
        let found = survey.finish();
        let unread: Vec<&Reason> = found.documents.iter().filter_map(|read| read.unread.as_ref()).collect();
        let limit = Reason::new(ReasonCode::DocumentLimit);
        assert_eq!((found.lists_complete, unread), if is_read { (true, vec![]) } else { (false, vec![&limit]) });
    }
}

#[test]
fn a_survey_that_is_stopped_is_not_complete_and_names_the_document_of_the_moment() {
    let reason = Reason::other("enough");
    let stopped = |mut survey: Survey| {
        survey.events();
        survey.stop(&reason);
        let events = survey.events();
        assert_eq!(survey.next(), Step::Done);
        let found = survey.finish();
        assert!(!found.lists_complete && !found.is_unchanged);
        let unread = found.documents.iter().filter(|read| read.unread.is_some()).map(|read| read.uri.clone());
        (events, unread.collect::<Vec<_>>())
    };
    let requested = |mut survey: Survey| {
        assert!(matches!(survey.next(), Step::Read(_)));
        survey
    };
    let reading = |survey: Survey| {
        let mut survey = requested(survey);
        survey.answer(Head { uri: LIST.to_string(), status: 200, headers: Vec::new() });
        survey
    };
    let known = read(list("2020-01-01T00:00:00Z", &[]).as_bytes(), &Limits::default()).0.remembered;
    let polling = || Survey::new(LIST, known.clone(), true, NOW, &Limits::default());
    for (survey, number) in [
        (survey(LIST), 0),
        (requested(survey(LIST)), 0),
        (reading(survey(LIST)), 1),
        (polling(), 0),
        (reading(polling()), 1),
    ] {
        assert_eq!(stopped(survey), (vec![Event::Dropped(number)], vec![LIST.to_string()]));
    }
}

#[test]
fn a_survey_that_is_stopped_before_an_index_is_read_again_is_not_complete() {
    let mut survey = survey("http://a.example/index");
    assert!(matches!(survey.next(), Step::Read(_)));
    survey.answer(Head { uri: "http://a.example/index".to_string(), status: 200, headers: Vec::new() });
    survey.push(index(&[]).as_bytes());
    survey.end();
    survey.stop(&Reason::other("enough"));
    assert_eq!(survey.next(), Step::Done);
    assert!(!survey.finish().lists_complete);
}

#[test]
fn a_survey_that_has_ended_is_not_stopped() {
    let mut survey = survey(LIST);
    assert!(matches!(survey.next(), Step::Read(_)));
    survey.answer(Head { uri: LIST.to_string(), status: 200, headers: Vec::new() });
    survey.push(list("2020-01-01T00:00:00Z", &[]).as_bytes());
    survey.end();
    assert_eq!(survey.next(), Step::Done);
    survey.stop(&Reason::other("too late"));
    assert!(survey.finish().lists_complete);
}

#[test]
fn what_is_called_out_of_turn_changes_nothing() {
    let mut survey = survey(LIST);
    survey.events();
    survey.answer(Head { uri: LIST.to_string(), status: 200, headers: Vec::new() });
    survey.push(b"<urlset");
    survey.end();
    survey.again();
    survey.failed(Reason::new(ReasonCode::ConnectionClosed));
    assert!(survey.events().is_empty());
    assert!(matches!(survey.next(), Step::Read(request) if request.uri == LIST && request.is_start));
}

#[test]
fn the_entries_of_an_ordinary_sitemap_are_not_kept() {
    let head = Head { uri: LIST.to_string(), status: 200, headers: Vec::new() };
    let mut content = Content::new(Role::Start, false, &head, &Limits::default());
    content.push(document("urlset", "", &["<loc>http://a.example/9</loc>"]).as_bytes(), &mut |_| {});
    content.finish(&mut |_| {});
    assert_eq!((content.entries, content.children.len()), (1, 0));
}
