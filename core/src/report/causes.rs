//! The probable cause of many broken links, stated once.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{
    Report, Via,
    escape::visible,
    i18n::labels::{Phrases, fill, grouped},
};
use crate::diagnostic::Arg;

/// Links with the same trouble that suggest one cause.
const SEVERAL: u64 = 2;
/// Causes that are shown.
const MOST: usize = 3;

/// A line for each probable cause: documents at another host or scheme, a missing folder.
pub(super) fn causes(report: &Report, phrases: &Phrases) -> Vec<String> {
    let read = |input: &&super::Input| input.bytes > 0 || input.via == Via::Argument;
    let found: BTreeSet<&str> =
        report.inputs.iter().filter(read).map(|input| input.uri.as_deref().unwrap_or(&input.name)).collect();
    let origins: BTreeSet<&str> = found.iter().filter_map(|uri| origin(uri)).collect();
    let Some(own) = origins.iter().next() else { return Vec::new() };
    let mut elsewhere: BTreeMap<&str, u64> = BTreeMap::new();
    let mut missing: BTreeMap<&str, u64> = BTreeMap::new();
    let links = report.diagnostics.iter().filter(|found| matches!(&*found.code, "INP-05" | "INP-06"));
    for uri in links.filter_map(|found| match found.args.get("uri") {
        Some(Arg::Text(uri)) => Some(uri.as_str()),
        _ => None,
    }) {
        let Some(of) = origin(uri) else { continue };
        let (groups, key) = match origins.contains(of) {
            true => (&mut missing, folder(uri)),
            false => (&mut elsewhere, of),
        };
        let count = groups.entry(key).or_default();
        *count = count.saturating_add(1);
    }
    let is_empty = |folder: &&str| *folder != *own && !found.iter().any(|uri| uri.starts_with(folder));
    let several = |(_, count): &(&str, u64)| *count >= SEVERAL;
    let elsewhere = elsewhere.into_iter().filter(several).map(|(other, count)| {
        let is_scheme = host(other) == host(own);
        (if is_scheme { phrases.other_scheme } else { phrases.other_host }, other, count)
    });
    let missing = missing.into_iter().filter(|(folder, _)| is_empty(folder)).filter(several);
    let missing = missing.map(|(folder, count)| (phrases.missing_folder, folder, count));
    let mut causes: Vec<(&str, &str, u64)> = elsewhere.chain(missing).collect();
    causes.sort_by_key(|(.., count)| core::cmp::Reverse(*count));
    let line = |(template, other, count): (&str, &str, u64)| {
        fill(template, &[("n", &*grouped(count)), ("other", &*visible(other)), ("own", &*visible(own))])
    };
    causes.into_iter().take(MOST).map(line).collect()
}

/// Scheme and authority, with a slash.
fn origin(uri: &str) -> Option<&str> {
    let start = uri.find("://")?.saturating_add(3);
    let length = uri.get(start..)?.find('/')?.saturating_add(1);
    uri.get(..start.saturating_add(length))
}

/// An origin without its scheme.
fn host(origin: &str) -> &str {
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

/// Everything up to the last slash of the path.
fn folder(uri: &str) -> &str {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    path.rfind('/').and_then(|end| path.get(..=end)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{i18n::labels, sample};

    fn report(own: &str, code: &str, links: &[&str]) -> Report {
        let mut report = sample::one();
        report.inputs[0].uri = Some(own.into());
        let found = report.diagnostics[0].clone();
        report.diagnostics = links
            .iter()
            .map(|uri| {
                let mut found = found.clone();
                found.code = code.into();
                found.args = [("uri".into(), Arg::Text((*uri).into()))].into();
                found
            })
            .collect();
        report
    }

    #[test]
    fn many_links_to_one_other_place_have_one_cause() {
        let own = "https://new.example/list.xml";
        let of = |code: &str, links: &[&str]| {
            causes(&report(own, code, links), labels::Phrases::of(crate::report::Lang::En))
        };
        let moved = of("INP-06", &["https://old.example/a.xml", "https://old.example/b/c.xml"]);
        assert!(moved[0].contains("2 links") && moved[0].contains("https://old.example/"), "{moved:?}");
        let scheme = of("INP-06", &["http://new.example/a.xml", "http://new.example/b.xml"]);
        assert!(scheme[0].contains("http://new.example/") && scheme[0] != moved[0], "{scheme:?}");
        let folder = of("INP-05", &["https://new.example/files/a", "https://new.example/files/b"]);
        assert!(folder[0].contains("https://new.example/files/"), "{folder:?}");
        // One link is no pattern, and two files of a folder from which others were read are just missing.
        for links in [&["https://old.example/a.xml"][..], &["https://new.example/a", "https://new.example/b"]] {
            assert_eq!(of("INP-05", links), Vec::<String>::new());
        }
    }
}
