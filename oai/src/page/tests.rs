//! Tests with intact and damaged pages.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use proptest::{collection::vec, prelude::*};

use super::*;
use crate::{catalogue::Code, limits::Limits};

const DC: &str = "<oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>T</dc:title></oai_dc:dc>";

fn record(identifier: &str, metadata: &str) -> String {
    format!(
        "<record><header><identifier>{identifier}</identifier><datestamp>2025-01-02</datestamp><setSpec>a:b</setSpec></header>\
         <metadata>{metadata}</metadata></record>\n"
    )
}

fn page(records: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH xmlns=\"{OAI}\">\n<responseDate>2026-01-01T00:00:00Z</responseDate>\n\
         <request verb=\"ListRecords\" metadataPrefix=\"oai_dc\">http://a.example/oai</request>\n<ListRecords>\n{}\
         <resumptionToken cursor=\"0\" completeListSize=\"6\">a&amp;b</resumptionToken></ListRecords></OAI-PMH>\n",
        records.concat()
    )
}

fn pieces_by(bytes: &[u8], step: usize, limits: &Limits) -> Vec<Piece> {
    let mut reader = PageReader::new(limits);
    let mut pieces = Vec::new();
    for piece in bytes.chunks(step) {
        reader.push(piece);
        while let Some(piece) = reader.next() {
            pieces.push(piece);
        }
    }
    reader.finish();
    while let Some(piece) = reader.next() {
        pieces.push(piece);
    }
    pieces
}

/// The pieces, asserted to be independent of the window size.
fn pieces(bytes: &[u8]) -> Vec<Piece> {
    limited(bytes, &Limits::default())
}

fn limited(bytes: &[u8], limits: &Limits) -> Vec<Piece> {
    let whole = pieces_by(bytes, bytes.len().max(1), limits);
    for step in [1, 2, 7, 64, 1000] {
        assert_eq!(pieces_by(bytes, step, limits), whole, "{step}");
    }
    whole
}

/// One word for each piece.
fn told(pieces: &[Piece]) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Head(_) => "head".to_string(),
        Piece::Record(record) => record.header.identifier.clone(),
        Piece::Header(header) => format!("header {}", header.identifier),
        Piece::Damaged(damaged) => {
            format!("({} {})", damaged.why.code(), damaged.identifier.as_deref().unwrap_or("-"))
        }
        Piece::Token(token) => format!("token {:?}", token.value),
        Piece::Error(error) => error.code.as_str().to_string(),
        Piece::Note(note) => note.code.to_string(),
        Piece::End(Ending::Whole { .. }) => "whole".into(),
        Piece::End(Ending::Cut(_)) => "cut".into(),
        Piece::End(Ending::NotOai(sniffed)) => format!("not OAI-PMH: {}", sniffed.kind.as_str()),
        other => format!("{other:?}"),
    };
    pieces.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn three(second: &str) -> String {
    page(&[record("1", DC), second.into(), record("3", DC)])
}

#[test]
fn a_good_page_gives_its_records() {
    let text = three(&record("2", DC));
    let all = pieces(text.as_bytes());
    assert_eq!(told(&all), "head, 1, 2, 3, token \"a&b\", whole");
    let Piece::Head(head) = &all[0] else { panic!() };
    assert_eq!(head.arguments, [("verb".into(), "ListRecords".into()), ("metadataPrefix".into(), "oai_dc".into())]);
    let Piece::Record(second) = &all[2] else { panic!() };
    assert_eq!((second.number, &second.header.sets), (2, &alloc::vec!["a:b".to_string()]));
    let place = &text.as_bytes()[second.span.start.offset as usize..second.span.end.offset as usize];
    assert_eq!((place, &*second.raw), (record("2", DC).trim_end().as_bytes(), place));
    let metadata = second.metadata.as_ref().unwrap();
    assert_eq!(&*metadata.raw, DC.as_bytes());
    assert_eq!(&*metadata.standalone(), DC.as_bytes());
    assert_eq!(metadata.root.local, "dc");
    let Piece::Token(token) = &all[4] else { panic!() };
    assert_eq!((token.cursor, token.complete_list_size), (Some(0), Some(6)));
}

#[test]
fn every_proper_prefix_of_a_good_page_is_cut() {
    let text = three(&record("2", "<x><![CDATA[]]>é&#233;<!-- - --><?p i?></x>"));
    let end = text.find("</OAI-PMH>").unwrap() + "</OAI-PMH>".len();
    for length in 0..end {
        let all = pieces_by(&text.as_bytes()[..length], 1000, &Limits::default());
        let whole = all.iter().any(|piece| matches!(piece, Piece::End(Ending::Whole { .. })));
        assert!(!whole, "{length}");
        assert!(matches!(all.last(), Some(Piece::End(_))));
    }
}

#[test]
fn a_page_with_a_doctype_or_an_undefined_entity_is_rejected() {
    for metadata in ["<x>&nbsp;</x>", "<x a='&e;'/>", "<!DOCTYPE x>"] {
        let all = pieces(three(&record("2", metadata)).as_bytes());
        assert_eq!(told(&all), "head, 1, OAI-08, cut", "{metadata}");
    }
    for metadata in
        ["<x>&#160;</x>", "<x><![CDATA[&nbsp;<!DOCTYPE x>]]></x>", "<x><!-- &nbsp; --></x>", "<x a='&amp;e;'/>"]
    {
        let all = pieces(three(&record("2", metadata)).as_bytes());
        assert_eq!(told(&all), "head, 1, 2, 3, token \"a&b\", whole", "{metadata}");
    }
}

#[test]
fn comments_and_instructions_around_the_root_are_kept() {
    for (sent, kept) in [
        ("\n <x/> ", "<x/>"),
        (" <!-- a --> <?b c?><x/>", "<!-- a --> <?b c?><x/>"),
        ("<x/>\n<!-- a\n--> ", "<x/>\n<!-- a\n-->"),
        ("<!--<x>--><x y='>'><!-- a --></x><?b?> <!--c--> ", "<!--<x>--><x y='>'><!-- a --></x><?b?> <!--c-->"),
        // Text, which no document has there, ends what is kept.
        ("<!-- a -->b<?c?><x/><!-- d -->e<!-- f -->", "<?c?><x/><!-- d -->"),
        ("<!-- a -->&#32;<x/>", "<x/>"),
    ] {
        let all = pieces(page(&[format!(
            "<record><header><identifier>1</identifier><datestamp>2025-06-01</datestamp></header><metadata>{sent}</metadata><about>{sent}</about></record>"
        )]).as_bytes());
        let record = all.iter().find_map(|piece| if let Piece::Record(record) = piece { Some(record) } else { None });
        let record = record.unwrap_or_else(|| panic!("{}", told(&all)));
        for markup in [record.metadata.as_ref().unwrap(), &record.about[0]] {
            assert_eq!(String::from_utf8_lossy(&markup.raw), kept, "{sent}");
            let declared = kept.replace("<x y", "<x xmlns=\"http://www.openarchives.org/OAI/2.0/\" y");
            let declared = declared.replace("<x/", "<x xmlns=\"http://www.openarchives.org/OAI/2.0/\"/");
            assert_eq!(String::from_utf8_lossy(&markup.standalone()), declared, "{sent}");
        }
    }
}

#[test]
fn one_bad_record_costs_one_record() {
    for (metadata, code) in [
        ("<x>\u{b}</x>", "XML-16"),
        ("<x>&#11;</x>", "XML-17"),
        ("<x>&#55349;</x>", "XML-17"),
        ("<x>a & b</x>", "XML-19"),
        ("<p:x/>", "XML-36"),
        ("<x><?xml version='1.0'?></x>", "XML-31"),
        ("<x></y>", "XML-10"),
        ("<x>", "XML-10"),
        ("</x>", "XML-10"),
        ("<x a='1' a='2'/>", "XML-24"),
        ("<x><record><leader/></record>\u{b}</x>", "XML-16"),
        ("<x>&#11;<![CDATA[</record>\n<record><header>]]></x>", "XML-17"),
        ("<x>&#11;<!-- </record><record><header> --></x>", "XML-17"),
    ] {
        let all = pieces(three(&record("2", metadata)).as_bytes());
        assert_eq!(told(&all), format!("head, 1, OAI-04, ({code} 2), 3, token \"a&b\", whole"), "{metadata}");
        let Some(Piece::Damaged(damaged)) = all.get(3) else { panic!() };
        assert_eq!(damaged.number, 2);
        assert_eq!(&*damaged.raw, record("2", metadata).as_bytes());
    }
    let mut bytes = three(&record("2", "<x>@</x>")).into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'@').unwrap();
    bytes[at] = 0xE9;
    assert_eq!(told(&pieces(&bytes)), "head, 1, OAI-05, (XML-14 2), 3, token \"a&b\", whole");
}

#[test]
fn a_record_without_its_end_does_not_swallow_the_next() {
    let second = record("2", DC).replace("</metadata></record>", "");
    assert_eq!(
        told(&pieces(three(&second).as_bytes())),
        "head, 1, OAI-09, OAI-04, (XML-10 2), 3, token \"a&b\", whole"
    );
}

#[test]
fn damage_at_the_end_of_the_list_leaves_the_token() {
    let text = page(&[record("1", DC), record("2", "<x>&</x>")]);
    assert_eq!(told(&pieces(text.as_bytes())), "head, 1, OAI-04, (XML-19 2), token \"a&b\", whole");
    let text = text.replace("<resumptionToken cursor=\"0\" completeListSize=\"6\">a&amp;b</resumptionToken>", "");
    assert_eq!(told(&pieces(text.as_bytes())), "head, 1, OAI-04, (XML-19 2), whole");
}

#[test]
fn three_damaged_records_in_a_row_are_no_page() {
    let bad = record("x", "<x>&</x>");
    let text = page(&[record("1", DC), bad.clone(), bad.clone(), record("3", DC), bad.clone()]);
    let ok = "head, 1, OAI-04, (XML-19 x), OAI-04, (XML-19 x), 3, OAI-04, (XML-19 x), token \"a&b\", whole";
    assert_eq!(told(&pieces(text.as_bytes())), ok);
    let text = page(&[record("1", DC), bad.clone(), bad.clone(), bad, record("3", DC)]);
    let cut = "head, 1, OAI-04, (XML-19 x), OAI-04, (XML-19 x), OAI-04, (XML-19 x), cut";
    assert_eq!(told(&pieces(text.as_bytes())), cut);
}

#[test]
fn what_is_not_a_page_is_named() {
    for (text, named) in [
        ("", "not OAI-PMH: empty"),
        ("<!DOCTYPE html><html><body><p>x<br></html>", "not OAI-PMH: HTML"),
        ("<html xmlns='http://www.w3.org/1999/xhtml'/>", "not OAI-PMH: HTML"),
        ("{\"a\": \"<b>\"}", "not OAI-PMH: JSON"),
        ("Service unavailable", "not OAI-PMH: text"),
        ("<rss/>", "not OAI-PMH: XML"),
        ("\u{28}\u{b5}", "not OAI-PMH: text"),
        ("<!DOCTYPE OAI-PMH [<!ENTITY a 'b'>]><OAI-PMH/>", "OAI-08, cut"),
    ] {
        assert_eq!(told(&pieces(text.as_bytes())), named, "{text}");
    }
    assert_eq!(told(&pieces(b"\x28\xb5\x2f\xfd........")), "not OAI-PMH: zstd");
}

#[test]
fn elements_of_the_envelope_inside_metadata_are_data() {
    let inner = format!(
        "<x xmlns='{OAI}'><error code='badVerb'/><record><header><identifier>no</identifier></header></record><resumptionToken>no</resumptionToken></x>"
    );
    let all = pieces(three(&record("2", &inner)).as_bytes());
    assert_eq!(told(&all), "head, 1, 2, 3, token \"a&b\", whole");
    let damaged = record("2", &inner.replace("</x>", "\u{b}</x>"));
    assert_eq!(told(&pieces(three(&damaged).as_bytes())), "head, 1, OAI-04, (XML-16 2), 3, token \"a&b\", whole");
}

#[test]
fn a_page_may_use_any_prefix_or_no_namespace() {
    let prefixed =
        page(&[record("1", DC)]).replace("<OAI-PMH xmlns=", "<o:OAI-PMH xmlns:o=").replace("</OAI-PMH", "</o:OAI-PMH");
    let names = [
        "responseDate",
        "request",
        "ListRecords",
        "record",
        "header",
        "identifier",
        "datestamp",
        "setSpec",
        "metadata",
        "resumptionToken",
    ];
    let prefixed = names.iter().fold(prefixed, |text, name| {
        text.replace(&format!("<{name}>"), &format!("<o:{name}>"))
            .replace(&format!("<{name} "), &format!("<o:{name} "))
            .replace(&format!("</{name}>"), &format!("</o:{name}>"))
    });
    assert_eq!(told(&pieces(prefixed.as_bytes())), "head, 1, token \"a&b\", whole");
    let plain = page(&[record("1", DC)]).replace(&format!(" xmlns=\"{OAI}\""), "");
    assert_eq!(told(&pieces(plain.as_bytes())), "OAI-02, head, 1, token \"a&b\", whole");
    let bad = page(&[record("1", DC), record("2", "\u{b}"), record("3", DC)]).replace(&format!(" xmlns=\"{OAI}\""), "");
    assert_eq!(told(&pieces(bad.as_bytes())), "OAI-02, head, 1, OAI-04, (XML-16 2), 3, token \"a&b\", whole");
}

#[test]
fn what_a_record_lacks_is_reported() {
    let text = page(&[
        "<record><metadata><x/></metadata></record>".into(),
        "<record><header><datestamp>2025-01-01</datestamp></header><metadata><x/></metadata></record>".into(),
        record("3", ""),
        "<record><header status='deleted'><identifier>4</identifier><datestamp>2025-01-01T00:00:00</datestamp></header></record>".into(),
        record("5", "<x/><y/>"),
        record("6", DC).replace("<datestamp>2025-01-02</datestamp>", ""),
        "<record><header status='deleted'><identifier>7</identifier><datestamp>2025-01-01</datestamp></header><metadata/></record>".into(),
    ]);
    assert_eq!(
        told(&pieces(text.as_bytes())),
        "head, OAI-42, (missing -), OAI-42, (missing -), OAI-42, (missing 3), OAI-32, 4, OAI-09, (several 5), OAI-42, 6, OAI-39, 7, token \"a&b\", whole"
    );
}

#[test]
fn what_precedes_and_follows_a_page_is_reported() {
    let good = page(&[record("1", DC)]);
    assert_eq!(told(&pieces(format!("\n \n{good}").as_bytes())), "OAI-03, head, 1, token \"a&b\", whole");
    assert_eq!(told(&pieces(format!("{good}<!-- 5 ms -->").as_bytes())), "head, 1, token \"a&b\", whole");
    assert_eq!(told(&pieces(format!("{good}Warning: x").as_bytes())), "head, 1, token \"a&b\", OAI-04, whole");
}

#[test]
fn other_encodings_are_read() {
    let good = page(&[record("é", DC)]).replace("UTF-8", "ISO-8859-1");
    let latin: Vec<u8> = good.chars().map(|character| character as u8).collect();
    let all = pieces(&latin);
    assert_eq!(told(&all), "OAI-05, head, é, token \"a&b\", whole");
    let utf16: Vec<u8> = good.replace("ISO-8859-1", "UTF-16").encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(told(&pieces(&[b"\xfe\xff", &*utf16].concat())), "OAI-05, head, é, token \"a&b\", whole");
    let marked = [b"\xef\xbb\xbf", page(&[record("é", DC)]).as_bytes()].concat();
    assert_eq!(told(&pieces(&marked)), "head, é, token \"a&b\", whole");
}

#[test]
fn errors_and_the_other_verbs_are_read() {
    let head =
        format!("<OAI-PMH xmlns=\"{OAI}\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>u</request>");
    let all = |body: &str| pieces(format!("{head}{body}</OAI-PMH>").as_bytes());
    assert_eq!(told(&all("<error code='noRecordsMatch'/>")), "head, noRecordsMatch, whole");
    assert_eq!(
        told(&all("<error code='x'>y</error><error code='badVerb'>z</error>")),
        "head, OAI-52, x, badVerb, whole"
    );
    assert_eq!(told(&all("")), "head, OAI-09, whole");
    assert_eq!(told(&all("<ListRecords/>")), "head, OAI-20, whole");
    let identify = all(
        "<Identify><repositoryName>N &amp; <![CDATA[M]]></repositoryName><baseURL>u</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@b</adminEmail><adminEmail>c@d</adminEmail><earliestDatestamp>2000-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity><compression>gzip</compression><description><d xmlns='urn:d'>x</d></description></Identify>",
    );
    let Some(Piece::Identify(identify)) = identify.get(1) else { panic!() };
    assert_eq!(identify.repository_name.as_deref(), Some("N & M"));
    assert_eq!(identify.admin_emails, ["a@b", "c@d"]);
    assert_eq!(identify.deletions(), Some(DeletedRecord::No));
    assert_eq!(&*identify.descriptions[0].raw, b"<d xmlns='urn:d'>x</d>");
    let sets = all(
        "<ListSets><set><setSpec>a</setSpec><setName>A</setName><setDescription><x/></setDescription></set></ListSets>",
    );
    let Some(Piece::Set(set)) = sets.get(1) else { panic!() };
    assert_eq!((set.spec.as_deref(), set.name.as_deref(), set.descriptions.len()), (Some("a"), Some("A"), 1));
    let formats = all(
        "<ListMetadataFormats><metadataFormat><metadataPrefix>p</metadataPrefix><schema>s</schema><metadataNamespace>n</metadataNamespace></metadataFormat></ListMetadataFormats>",
    );
    let Some(Piece::MetadataFormat(format)) = formats.get(1) else { panic!() };
    assert_eq!((format.prefix.as_deref(), format.namespace.as_deref()), (Some("p"), Some("n")));
    let headers = "<ListIdentifiers><header status='deleted'><identifier>1</identifier><datestamp>2025-01-01</datestamp></header><header><identifier>\u{1}</identifier></header><header><identifier>3</identifier><datestamp>2025-01-01</datestamp></header></ListIdentifiers>";
    assert_eq!(told(&all(headers)), "head, header 1, OAI-04, (XML-16 -), header 3, whole");
}

#[test]
fn scope_and_language_come_from_around() {
    let text =
        page(&[record("1", "<x><p:y/></x>").replace("<metadata>", "<metadata xml:lang='ja' xmlns:p='urn:p&amp;'>")]);
    let all = pieces(text.as_bytes());
    let Some(Piece::Record(one)) = all.get(1) else { panic!() };
    let alone = one.metadata.as_ref().unwrap().standalone().into_owned();
    let expected = format!("<x xmlns=\"{OAI}\" xmlns:p=\"urn:p&amp;\" xml:lang=\"ja\"><p:y/></x>");
    assert_eq!(String::from_utf8(alone).unwrap(), expected);
}

#[test]
fn a_record_beyond_the_limit_costs_one_record() {
    let limits = Limits { oai_record_bytes: 1000, ..Limits::default() };
    let long = |length: usize| record("2", &format!("<x>{}</x>", "é\n".repeat(length)));
    for length in [400, 30_000, 100_000] {
        let text = three(&long(length));
        let all = limited(text.as_bytes(), &limits);
        assert_eq!(told(&all), "head, 1, OAI-04, (oai_record_bytes 2), 3, token \"a&b\", whole", "{length}");
        let (Piece::Damaged(damaged), Piece::Record(third)) = (&all[3], &all[4]) else { panic!() };
        assert_eq!(damaged.raw.len(), 1000);
        let before = &text[..third.span.start.offset as usize];
        assert!(text[before.len()..].starts_with("<record>"));
        assert_eq!(third.span.start.line as usize, before.matches('\n').count() + 1);
        assert_eq!(third.span.start.column, 1);
    }
    let fits = limited(three(&long(200)).as_bytes(), &limits);
    assert_eq!(told(&fits), "head, 1, 2, 3, token \"a&b\", whole");
}

#[test]
fn a_text_inside_metadata_may_be_of_any_length() {
    let text = three(&record("2", &format!("<x>{}</x>", "long ".repeat(300_000))));
    let all = pieces_by(text.as_bytes(), 64 << 10, &Limits::default());
    assert_eq!(told(&all), "head, 1, 2, 3, token \"a&b\", whole");
    let Piece::Record(second) = &all[2] else { panic!() };
    assert_eq!(second.metadata.as_ref().unwrap().raw.len(), 1_500_007);
}

#[test]
fn limits_of_a_header_quarantine_the_record() {
    let limits = Limits { oai_sets_per_record: 2, oai_token_bytes: 2, ..Limits::default() };
    let many = record("2", DC).replace("<setSpec>a:b</setSpec>", &"<setSpec>a</setSpec>".repeat(3));
    assert_eq!(told(&limited(three(&many).as_bytes(), &limits)), "head, 1, (oai_sets_per_record 2), 3, cut");
}

proptest! {
    #[test]
    fn windows_never_matter(edits in vec((any::<prop::sample::Index>(), 0..EDITS.len(), any::<bool>()), 0..4), step in 1_usize..200) {
        let mut text = three(&record("2", "<x a='b'><![CDATA[x]]><!-- y --></x>")).into_bytes();
        for (at, edit, replace) in edits {
            let at = at.index(text.len());
            let end = if replace { (at + EDITS[edit].len()).min(text.len()) } else { at };
            text.splice(at..end, EDITS[edit].bytes());
        }
        let limits = Limits { oai_record_bytes: 400, ..Limits::default() };
        let whole = pieces_by(&text, text.len(), &limits);
        prop_assert_eq!(pieces_by(&text, step, &limits), whole.clone());
        prop_assert!(matches!(whole.last(), Some(Piece::End(_))));
        prop_assert_eq!(whole.iter().filter(|piece| matches!(piece, Piece::End(_))).count(), 1);
    }
}

/// Inputs that damage a page.
const EDITS: [&str; 16] = [
    "",
    "<",
    ">",
    "&",
    "\u{b}",
    "</record>",
    "<record>",
    "<record><header>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?x",
    "</ListRecords>",
    "é",
    "'",
];

#[test]
fn damage_is_repaired_as_far_as_allowed() {
    let repaired = |metadata: &str, repair: Repair| {
        let mut bytes = three(&record("2", metadata)).into_bytes();
        bytes.iter_mut().filter(|byte| **byte == b'@').for_each(|byte| *byte = 0xE9);
        let Some(Piece::Damaged(damaged)) = pieces(&bytes).into_iter().find(|piece| matches!(piece, Piece::Damaged(_)))
        else {
            panic!()
        };
        let repaired = damaged.repair(repair)?;
        let raw = repaired.record.metadata.as_ref()?.standalone().into_owned();
        let changes = repaired.changes.into_iter().map(|change| {
            let at = change.offset as usize;
            let place = String::from_utf8_lossy(&damaged.raw[at..(at + 3).min(damaged.raw.len())]).into_owned();
            format!("{}>{} at {place}", change.was, change.now)
        });
        Some((String::from_utf8(raw).ok()?, changes.collect::<Vec<_>>()))
    };
    let both = |metadata: &str, standalone: &str, changes: &[&str]| {
        let expected = Some((standalone.to_string(), changes.iter().map(ToString::to_string).collect()));
        assert_eq!(repaired(metadata, Repair::Characters), expected, "{metadata}");
        assert_eq!(repaired(metadata, Repair::All), expected, "{metadata}");
    };
    let oai = format!(" xmlns=\"{OAI}\"");
    both(
        "<x>a\u{b}b&#11;c\u{fffe}d</x>",
        &format!("<x{oai}>abcd</x>"),
        &["U+000B> at \u{b}b&", "&#11;> at &#1", "U+FFFE> at \u{fffe}"],
    );
    both("<x>caf@ et th@</x>", &format!("<x{oai}>café et thé</x>"), &["E9>é at \u{fffd} e", "E9>é at \u{fffd}</"]);
    both("<x>caf@ &#1;</x>", &format!("<x{oai}>café </x>"), &["E9>é at \u{fffd} &", "&#1;> at &#1"]);
    let structural = |metadata: &str, standalone: &str, change: &str| {
        assert_eq!(repaired(metadata, Repair::Characters), None, "{metadata}");
        let expected = Some((standalone.to_string(), alloc::vec![change.to_string()]));
        assert_eq!(repaired(metadata, Repair::All), expected, "{metadata}");
    };
    structural("<?xml version='1.0'?><x/>", &format!("<x{oai}/>"), "<?xml version='1.0'?>> at <?x");
    structural(
        "<dc:title>x</dc:title>",
        "<dc:title xmlns:dc=\"http://purl.org/dc/elements/1.1/\">x</dc:title>",
        "> xmlns:dc=\"http://purl.org/dc/elements/1.1/\" at ><h",
    );
    for metadata in ["<own:title/>", "<x>&#11;&nbsp;</x>", "<x></y>", "<x>a & b</x>"] {
        assert_eq!(repaired(metadata, Repair::All), None, "{metadata}");
    }
}

#[test]
fn what_the_schema_does_not_have_is_noted_wherever_it_is() {
    let head = "<header><identifier>1</identifier><datestamp>2025-06-01</datestamp><setSpec>a</setSpec></header>";
    let whole = format!("<record>{head}<metadata><x/></metadata><about><y/></about><about><z/></about></record>");
    let about = "<about><y/></about>";
    let noted = |text: &str| {
        let all = pieces(text.as_bytes());
        let note = all.iter().find_map(|piece| match piece {
            Piece::Note(note) if note.code == Code::OAI_09 => Some(note.clone()),
            _ => None,
        });
        note.map(|note| {
            let problem = note.args.get(1).map_or_else(|| "".into(), |(_, problem)| problem.clone());
            (note.args[0].1.clone(), problem, note.loses())
        })
    };
    let right = page(core::slice::from_ref(&whole));
    assert_eq!(noted(&right), None);
    for (from, to, element, problem) in [
        ("<header>", "<header status='active'>", "status", "attribute"),
        ("<header>", "<header xml:lang='en' x='1'>", "x", "attribute"),
        ("<record>", "<record x='1'>", "x", "attribute"),
        ("<record>", "<record>text", "#text", "text"),
        ("<metadata>", "<metadata>text", "#text", "text"),
        ("<x/>", "<x/><y/>", "y", "content"),
        (about, "<about/>", "about", "content"),
        (about, "<about><y/><z/></about>", "z", "content"),
        ("<setSpec>a</setSpec></header>", "</header>", "", ""),
        ("</header>", "<note/></header>", "note", "content"),
        ("</header>", "<datestamp>2025-06-01</datestamp></header>", "datestamp", "order"),
        ("</header>", &format!("</header>{about}"), "metadata", "order"),
        (head, "", "", ""),
        (&whole, &format!("<record><metadata><x/></metadata>{head}</record>"), "header", "order"),
        (&whole, &format!("<resumptionToken>c</resumptionToken>{whole}"), "record", "order"),
        ("<responseDate>", "<request>http://a.example/oai</request><responseDate>", "responseDate", "order"),
        ("verb=\"ListRecords\"", "verb=\"ListIdentifiers\"", "ListRecords", "verb"),
        ("<ListRecords>", "<error code='badVerb'/><ListRecords>", "ListRecords", ""),
        ("</ListRecords>", "</ListRecords><error code='badVerb'/>", "error", "order"),
    ] {
        let text = right.replacen(from, to, 1);
        assert_ne!(text, right, "{from}");
        let expected = (!element.is_empty()).then(|| (element.into(), problem.into(), false));
        assert_eq!(noted(&text), expected, "{to}");
    }
}
