//! Properties of the XML parser: any chunking gives the same result; every fault gets its detail.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use super::{Cut, Detail, EncodingFault, Event, FaultKind, HISTORY, LimitKind, Xml};
use crate::{
    limits::Limits,
    span::{Place, Span},
};

fn small() -> Limits {
    Limits {
        document_bytes: 4000,
        depth: 5,
        attributes: 20,
        namespaces: 6,
        name_bytes: 40,
        value_bytes: 60,
        tag_bytes: 400,
        ..Limits::default()
    }
}

/// All observable results, as lines; excerpts are requested until they are ready.
fn transcript(mut xml: Xml, bytes: &[u8], step: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut waiting: Vec<(usize, Span)> = Vec::new();
    let mut excerpts: Vec<Cut> = Vec::new();
    let mut ask = |xml: &Xml, waiting: &mut Vec<(usize, Span)>| {
        waiting.retain(|(index, span)| {
            let cut = xml.excerpt(span);
            excerpts.resize(excerpts.len().max(index + 1), Cut::Wait);
            excerpts[*index] = cut.clone();
            cut == Cut::Wait
        });
    };
    let mut asked = 0;
    for window in bytes.chunks(step.max(1)).map(Some).chain([None, Some(&b""[..])]) {
        match window {
            Some(window) => xml.push(window),
            None => xml.finish(),
        }
        ask(&xml, &mut waiting);
        while let Some(event) = xml.next() {
            let (line, spans) = describe(event);
            lines.push(format!("{line} @{:?}", xml.position()));
            for span in spans {
                waiting.push((asked, span));
                asked += 1;
            }
            ask(&xml, &mut waiting);
        }
    }
    assert!(waiting.is_empty());
    lines.push(format!("end @{:?}", xml.position()));
    lines.extend(excerpts.iter().map(|cut| format!("{cut:?}")));
    lines
}

fn assert_same(other: &[String], whole: &[String], hint: &str) {
    for (other, whole) in other.iter().zip(whole) {
        assert_eq!(other, whole, "{hint}");
    }
    assert_eq!(other.len(), whole.len(), "{hint}");
}

fn describe(event: Event<'_>) -> (String, Vec<Span>) {
    let mut spans = Vec::new();
    let mut line = format!("{event:?}");
    match &event {
        Event::Start(start) => {
            line = format!(
                "{} {} {} {:?} {:?}",
                start.prefix,
                start.local,
                start.namespace,
                start.span,
                start.name_span()
            );
            spans.push(start.name_span());
            for attribute in start.attributes() {
                line += &format!(" {attribute:?}");
                spans.push(attribute.span);
            }
            for declaration in start.declarations() {
                line += &format!(" {declaration:?}");
                spans.push(declaration.whole);
            }
        }
        Event::Text { span, .. } | Event::End { span } | Event::Aside { span, .. } | Event::Encoding(_, span) => {
            spans.push(*span);
        }
        Event::Fault(fault) => {
            spans.push(fault.span);
            spans.extend(fault.related);
        }
    }
    (line, spans)
}

fn last_kind(bytes: &[u8], limits: &Limits) -> Option<FaultKind> {
    let mut xml = Xml::new(limits);
    xml.push(bytes);
    xml.finish();
    let mut kind = None;
    while let Some(event) = xml.next() {
        if let Event::Fault(fault) = event {
            kind = Some(fault.kind);
        }
    }
    kind
}

fn utf16(text: &str, little: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

const GOOD: &[&str] = &[
    "<a><!--->--></a>",
    "<a/>",
    "\u{FEFF}<a/>",
    "<?xml version='1.0' encoding=\"utf-8\" standalone='yes'?>\r\n<!-- a - b -->\r<?x y?>\n<a\r\n b='c'\td=\"'\" > \r\n t\r</a >\n<!---->\n",
    "<a>x&amp;y&#x1F980;&#13;]] ]&gt;\r\n\r<![CDATA[ <&]]]]><![CDATA[>\r]]><![CDATA[]]><!--x--><?p q??></a>",
    "<é:漢 xmlns:é='urn:é' é:ö='\tü\r\nß&#10;' x='🦀' y='&lt;'>\r\n<é:漢\n\n/>🦀🦀</é:漢>",
    "<a xmlns='u'><b xmlns=''/><c xmlns='v' p:d='1' xmlns:p='w' p:e='2' e='3'/><xml:d xml:lang='en'/></a>",
    "<a>&quot;&apos;&lt;&gt;\u{85}\u{2028}\u{FFFD}\u{10FFFF}</a>",
    "<a b='x&#60;&#x26;y'\r\n\r\nc=''/>",
    "<?xml version=\"1.0\" encoding='ISO-8859-1'?><a>abc</a>",
    "<a>0123456789012345678901234567890123456789012345678901234567890123456789</a>",
    "<a>01234567890123456789012345678901234567890123456789012345678&amp;&amp;90123456789</a>",
    "<a><![CDATA[0123456789012345678901234567890123456789012345678901234567é漢]]>012345678901234567890123456789012345678901234567890123456789</a>",
    "<a><!-- 0123456789 0123456789 0123456789 0123456789 0123456789 -0123456789 - --><?pi 0123456789 ? > 0123456789 0123456789 0123456789?></a>",
];

fn bad() -> Vec<(Vec<u8>, FaultKind)> {
    use Detail::*;
    let wrong: &[(&str, Detail)] = &[
        ("", EmptyDocument),
        ("\u{FEFF}", EmptyDocument),
        (" \r\n", NoRoot),
        ("<?xml version='1.0'?><!-- -->", NoRoot),
        ("x<a/>", TextBeforeRoot),
        ("{\"a\": 1}", TextBeforeRoot),
        ("\n<![CDATA[]]><a/>", TextBeforeRoot),
        ("\u{FEFF}\u{FEFF}<a/>", TextBeforeRoot),
        ("<?xml version='1.0'?>\n<!DOCTYPE a><a/>", Doctype),
        ("<!doctype html><html/>", Doctype),
        ("<a><b c='d' ", TruncatedTag),
        ("<a><b c='d", TruncatedTag),
        ("<a></a", TruncatedTag),
        ("<a><", TruncatedTag),
        ("<a><!-", TruncatedTag),
        ("<a><b><c/></b>", TruncatedElement),
        ("<a>\r\n text\r\n", TruncatedElement),
        ("<a>&am", TruncatedElement),
        ("<a>]]", TruncatedElement),
        ("<a><!-- -", TruncatedComment),
        ("<a><!-- --", TruncatedComment),
        ("<a><![CDATA[ ]]", TruncatedCdata),
        ("<a><?x ?", TruncatedInstruction),
        ("<?xml version='1.0' ", TruncatedInstruction),
        ("<a><b></a></b>", MismatchedEnd),
        ("<a><b></ab></a>", MismatchedEnd),
        ("</a>", EndWithoutStart),
        ("<a/></a>", EndWithoutStart),
        ("<a/>\n<b/>", SecondRoot),
        ("<a/>\n\u{FEFF}", ContentAfterRoot),
        ("<a/>&amp;", ContentAfterRoot),
        ("<a/><![CDATA[]]>", ContentAfterRoot),
        ("<a>\0</a>", IllegalCharacter),
        ("<a b='\u{1}'/>", IllegalCharacter),
        ("<a><!-- \u{FFFF} --></a>", IllegalCharacter),
        ("<a/>\u{0}", IllegalCharacter),
        ("<a>&#0;</a>", BadCharacterReference),
        ("<a b='&#x;'/>", BadCharacterReference),
        ("<a>&#12</a>", BadCharacterReference),
        ("<a b='&nbsp;'/>", UndefinedEntity),
        ("<a>x &foo; y</a>", UndefinedEntity),
        ("<a>x & y</a>", BareAmpersand),
        ("<a>x &amp</a>", BareAmpersand),
        ("<a b='x&y=1'/>", BareAmpersand),
        ("<a b='<'/>", LessThanInValue),
        ("<a b='c><d e='f'/></a>", LessThanInValue),
        ("<a b=c/>", MissingQuotes),
        ("<a b/>", MissingEquals),
        ("<a b='c'd='e'/>", MissingSpace),
        ("<a b='c' d='e' b='f'/>", DuplicateAttribute),
        ("<a xmlns='b' xmlns='c'/>", DuplicateAttribute),
        ("<a xmlns:p='u' xmlns:q='u' p:b='c' q:b='d'/>", DuplicateAttributeByNamespace),
        ("<a><1b/></a>", BadName),
        ("<a b,c='d'/>", BadName),
        ("<a></1>", BadName),
        ("<a>]]></a>", CdataEndInText),
        ("<a>x]]]]]></a>", CdataEndInText),
        ("<a><!-- a -- b --></a>", DoubleHyphen),
        ("<a><!-----></a>", DoubleHyphen),
        ("<a><!---></a>", TruncatedComment),
        ("<a><? x?></a>", BadTarget),
        ("<a><?x,y?></a>", BadTarget),
        ("<a><?x?y?></a>", BadTarget),
        ("<?XML version='1.0'?><a/>", ReservedTarget),
        ("<a><?xMl ?></a>", ReservedTarget),
        ("\n<?xml version='1.0'?><a/>", LateDeclaration),
        ("<!-- --><?xml version='1.0'?><a/>", LateDeclaration),
        ("<?xml encoding='UTF-8'?><a/>", BadDeclaration),
        ("<?xml version='1.0' encoding='<a/>", BadDeclaration),
        ("<?xml version='1.0' encoding=' '?><a/>", BadEncodingName),
        ("<?xml version='1.0' standalone='maybe'?><a/>", BadStandalone),
        ("<?xml version='1.1'?><a/>", OtherVersion),
        ("<p:a/>", UndeclaredPrefix),
        ("<a><b xmlns:p='u'/><p:c/></a>", UndeclaredPrefix),
        ("<a xmlns:xmlns='u'/>", ReservedPrefix),
        ("<a xmlns:b='http://www.w3.org/2000/xmlns/'/>", ReservedNamespace),
        ("<a xmlns:p=''/>", EmptyPrefixBinding),
        ("<a:b:c xmlns:a='u'/>", NameColons),
        ("<a><?b:c?></a>", NameColons),
        ("<a><!ELEMENT b ANY></a>", BadMarkup),
        ("<a / >", UnexpectedCharacter),
        ("<a></a b>", UnexpectedCharacter),
        ("<a>1 < 2</a>", BareLessThan),
        ("<a></a>\u{1F980}", ContentAfterRoot),
    ];
    let mut all: Vec<(Vec<u8>, FaultKind)> =
        wrong.iter().map(|(text, detail)| (text.as_bytes().to_vec(), FaultKind::NotWellFormed(*detail))).collect();
    let mut add = |bytes: &[u8], kind: FaultKind| all.push((bytes.to_vec(), kind));
    let form = FaultKind::NotWellFormed;
    add(b"<a>\xC3\x28</a>", form(InvalidUtf8));
    add(b"<a b='\xED\xA0\x80'/>", form(InvalidUtf8));
    add(b"<a/>\xF0\x9F", form(InvalidUtf8));
    add(b"<a>\n<b>x\0y\xFF\xFF</b></a>", form(IllegalCharacter));
    add(b"\xFF\xFE<\0a\0>\0\0\xDC", form(InvalidUtf16));
    add(&utf16("\u{FEFF}<a b='\u{1}'/>", true), form(IllegalCharacter));
    let encoding = FaultKind::Encoding;
    add(b"<?xml version='1.0' encoding='windows-1252'?>\n<a>\xE9</a>", encoding(EncodingFault::Declared));
    add(b"<?xml version='1.0' encoding='UTF-16'?>\n<a/>", encoding(EncodingFault::Contradiction));
    add("\u{FEFF}<?xml version='1.0' encoding='latin1'?><a/>".as_bytes(), encoding(EncodingFault::Contradiction));
    add(&utf16("\u{FEFF}<?xml version='1.0' encoding='utf-8'?><a/>", false), encoding(EncodingFault::Contradiction));
    add(&utf16("<a/>", false), encoding(EncodingFault::Utf16WithoutMark));
    add(b"\0\0\xFE\xFF\0\0\0<", encoding(EncodingFault::Utf32));
    add(b"\x4C\x6F\xA7\x94\x93", encoding(EncodingFault::Ebcdic));
    let limit = FaultKind::Limit;
    add("<a><b><a><b><a><b/>".as_bytes(), limit(LimitKind::Depth));
    let many: String = (0..21).map(|index| format!(" a{index}='x'")).collect();
    add(format!("<a{many}/>").as_bytes(), limit(LimitKind::Attributes));
    let many: String = (0..7).map(|index| format!(" xmlns:a{index}='x'")).collect();
    add(format!("<a{many}/>").as_bytes(), limit(LimitKind::Namespaces));
    let long = "n".repeat(41);
    for text in
        [format!("<{long}/>"), format!("<a {long}='b'/>"), format!("<a>&{long};</a>"), format!("<a><?{long} ?></a>")]
    {
        add(text.as_bytes(), limit(LimitKind::NameBytes));
    }
    // A name with an invalid start is not reported as too long, even if its length is detected first because
    // of a split.
    for text in [format!("<1{long}/>"), format!("<a 1{long}='b'/>"), format!("<a><?1{long} ?></a>")] {
        add(text.as_bytes(), form(BadName));
    }
    // Its length is reported regardless of what follows.
    add(&[format!("<a><?{long}?").as_bytes(), b"\x9C ?></a>"].concat(), limit(LimitKind::NameBytes));
    add(format!("<a>\n<b c='{}'/>", "v".repeat(61)).as_bytes(), limit(LimitKind::ValueBytes));
    add(format!("<a>\n<b {}/>", " ".repeat(500)).as_bytes(), limit(LimitKind::TagBytes));
    add(format!("<a>\n<b {}", " ".repeat(500)).as_bytes(), limit(LimitKind::TagBytes));
    add(format!("<a>\n</a {}", " ".repeat(500)).as_bytes(), limit(LimitKind::TagBytes));
    add(format!("<a>\n<b c=\"{}", "\n<d e='f'/>".repeat(50)).as_bytes(), form(LessThanInValue));
    add(format!("<?xml version='1.0' {}", " ".repeat(500)).as_bytes(), limit(LimitKind::TagBytes));
    add(format!("<a>{}", "<b/>漢\n".repeat(700)).as_bytes(), limit(LimitKind::DocumentBytes));
    all
}

#[test]
fn good_documents_have_no_fault_and_bad_ones_their_own() {
    for text in GOOD {
        assert_eq!(last_kind(text.as_bytes(), &small()), None, "{text}");
    }
    for (bytes, kind) in bad() {
        assert_eq!(last_kind(&bytes, &small()), Some(kind), "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn every_detail_has_a_document() {
    let seen: Vec<_> = bad().into_iter().map(|(_, kind)| kind).collect();
    for detail in Detail::ALL {
        assert!(seen.contains(&FaultKind::NotWellFormed(*detail)), "{detail:?}");
    }
}

fn documents() -> Vec<Vec<u8>> {
    let good = GOOD.iter().map(|text| text.as_bytes().to_vec());
    let wide = GOOD.iter().flat_map(|text| {
        let text = format!("\u{FEFF}{}", text.trim_start_matches('\u{FEFF}').replace("utf-8", "utf-16"));
        [utf16(&text, true), utf16(&text, false)]
    });
    let long = [
        format!("<a>\r\n{}<b c='é' d='{}'>\t漢{}</b></a>", "x".repeat(150), "y".repeat(50), "é".repeat(200))
            .into_bytes(),
        format!("<a>{}\r{}&bad;{}", "é".repeat(301), "z".repeat(99), "é".repeat(301)).into_bytes(),
        format!("{}<a/>{}<!-- {} --><b/>", " ".repeat(130), " ".repeat(130), "c".repeat(300)).into_bytes(),
    ];
    good.chain(wide).chain(long).chain(bad().into_iter().map(|(bytes, _)| bytes)).collect()
}

#[test]
fn any_chunking_says_the_same() {
    for bytes in documents() {
        let whole = transcript(Xml::new(&small()), &bytes, bytes.len());
        for step in (1..=24).chain([31, 64, 100, 241, 1000]) {
            let other = transcript(Xml::new(&small()), &bytes, step);
            assert_same(&other, &whole, &format!("by {step}: {:?}", String::from_utf8_lossy(&bytes)));
        }
    }
}

#[test]
fn every_prefix_and_many_mutations_are_read_the_same_in_any_chunking() {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below.max(1)
    };
    let pieces: [&[u8]; 16] = [
        b"<",
        b">",
        b"&",
        b"]]>",
        b"--",
        b"<!--",
        b"-->",
        b"?>",
        b"'",
        b"\"",
        b"\r",
        b"\n",
        b"\xC3\xA9",
        b"\xFF",
        b"/>",
        b" ",
    ];
    for bytes in documents().into_iter().filter(|bytes| bytes.len() < 600) {
        for round in 0..60 {
            let mut bytes = bytes.clone();
            if round < 20 {
                bytes.truncate(random(bytes.len()));
            } else {
                let at = random(bytes.len());
                let end = (at + random(3)).min(bytes.len());
                bytes.splice(at..end, pieces[random(pieces.len())].iter().copied());
            }
            let whole = transcript(Xml::new(&small()), &bytes, 1 << 20);
            for step in [1, 2, 3, 1 + random(40)] {
                let hint = format!("by {step}: {:?}", String::from_utf8_lossy(&bytes));
                assert_same(&transcript(Xml::new(&small()), &bytes, step), &whole, &hint);
            }
        }
    }
}

#[test]
fn a_good_document_cut_anywhere_is_refused() {
    for text in GOOD {
        let end = text.rfind("</").or_else(|| text.rfind("/>")).unwrap_or(0) + 1;
        for cut in 0..end {
            assert!(last_kind(&text.as_bytes()[..cut], &small()).is_some(), "{:?}", &text.as_bytes()[..cut]);
        }
    }
}

#[test]
fn texts_and_values_say_what_the_document_means() {
    let text = "<a b='1\t2\r\n3&#10;4&amp;5'>x\r\ny\rz&lt;<![CDATA[<&\r\n]]></a>";
    let mut xml = Xml::new(&Limits::default());
    xml.push(text.as_bytes());
    xml.finish();
    let (mut texts, mut value) = (Vec::new(), None);
    while let Some(event) = xml.next() {
        match event {
            Event::Start(start) => value = start.attributes().next().map(|attribute| attribute.value.into_owned()),
            Event::Text { text, cdata, .. } => texts.push((text.into_owned(), cdata)),
            _ => {}
        }
    }
    assert_eq!(value.as_deref(), Some("1 2 3\n4&5"));
    assert_eq!(texts, [("x\ny\nz<".to_string(), false), ("<&\n".to_string(), true)]);
}

#[test]
fn places_are_those_of_an_editor() {
    let text = "\u{FEFF}<a>\r\n é<b\r\n  ö='漢' d='e'/></a>";
    let mut xml = Xml::new(&Limits::default());
    xml.push(text.as_bytes());
    xml.finish();
    let mut seen = Vec::new();
    while let Some(event) = xml.next() {
        match event {
            Event::Start(start) => {
                seen.push((start.local.to_string(), start.span.start, start.span.end));
                for attribute in start.attributes() {
                    seen.push((attribute.local.to_string(), attribute.whole.start, attribute.whole.end));
                    seen.push((attribute.value.to_string(), attribute.span.start, attribute.span.end));
                }
            }
            Event::End { span } => seen.push(("end".to_string(), span.start, span.end)),
            _ => {}
        }
    }
    let place = |text: &str, line, column| Place { offset: offset(text), line, column };
    fn offset(before: &str) -> u64 {
        before.len() as u64
    }
    let head = "\u{FEFF}<a>\r\n é<b\r\n  ";
    let expected = [
        ("a", place("\u{FEFF}", 1, 1), place("\u{FEFF}<a>", 1, 4)),
        ("b", place("\u{FEFF}<a>\r\n é", 2, 3), place(&format!("{head}ö='漢' d='e'/>"), 3, 16)),
        ("ö", place(head, 3, 3), place(&format!("{head}ö='漢'"), 3, 8)),
        ("漢", place(&format!("{head}ö='"), 3, 6), place(&format!("{head}ö='漢"), 3, 7)),
        ("d", place(&format!("{head}ö='漢' "), 3, 9), place(&format!("{head}ö='漢' d='e'"), 3, 14)),
        ("e", place(&format!("{head}ö='漢' d='"), 3, 12), place(&format!("{head}ö='漢' d='e"), 3, 13)),
        ("end", place(&format!("{head}ö='漢' d='e'"), 3, 14), place(&format!("{head}ö='漢' d='e'/>"), 3, 16)),
        ("end", place(&format!("{head}ö='漢' d='e'/>"), 3, 16), place(text, 3, 20)),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(name, start, end)| (name.to_string(), start, end)).collect();
    assert_eq!(format!("{seen:?}"), format!("{expected:?}"));
}

#[test]
fn an_excerpt_is_a_piece_of_the_line_around_the_start() {
    let text = format!("<a>\n{}<é/>{}\r\n</a>", "x".repeat(150), "漢".repeat(90));
    let mut xml = Xml::new(&Limits::default());
    xml.push(text.as_bytes());
    xml.finish();
    let mut cut = None;
    let mut at = None;
    while let Some(event) = xml.next() {
        if let Event::Start(start) = event {
            at = Some(start.span);
        }
    }
    if let Some(span) = at {
        cut = Some(xml.excerpt(&span));
    }
    let Some(Cut::Ready(excerpt)) = cut else { unreachable!("{cut:?}") };
    assert_eq!(excerpt.text, format!("{}<é/>{}", "x".repeat(100), "漢".repeat(45)));
    assert_eq!((excerpt.line, excerpt.column, excerpt.highlight), (2, 51, (100, 104)));
    assert_eq!((excerpt.cut_left, excerpt.cut_right), (true, true));
}

#[test]
fn endless_tokens_take_no_memory() {
    for (head, body) in [
        ("<a><!-- ", "- c"),
        ("<a><?p ", "? >"),
        ("<a>", "t &amp;\r"),
        ("<a><![CDATA[", "]] >"),
        ("<a>", "<b/>\n"),
        ("", "\r\n"),
    ] {
        let mut xml = Xml::new(&Limits::default());
        xml.push(head.as_bytes());
        let window = body.repeat((64 << 10) / body.len());
        for _ in 0..100 {
            xml.push(window.as_bytes());
            while let Some(event) = xml.next() {
                assert!(!matches!(event, Event::Fault(_)), "{event:?}");
            }
            assert!(xml.input.text().len() < HISTORY + (400 << 10), "{head}");
            assert!(xml.gathered.text().len() <= 64 << 10);
        }
    }
}

#[test]
fn a_cut_text_says_so() {
    for text in ["x".repeat(70 << 10), "&amp;".repeat(70 << 10), "é".repeat(40 << 10)] {
        for step in [1000, 1 << 20] {
            let document = format!("<a>{text}<![CDATA[{}]]></a>", "y".repeat(64 << 10));
            let mut xml = Xml::new(&Limits::default());
            let mut seen = vec![];
            for window in document.as_bytes().chunks(step) {
                xml.push(window);
                while let Some(event) = xml.next() {
                    if let Event::Text { text, cut, .. } = event {
                        seen.push((text.len(), cut));
                    }
                }
            }
            assert_eq!(seen, [(64 << 10, true), (64 << 10, false)]);
        }
    }
}
