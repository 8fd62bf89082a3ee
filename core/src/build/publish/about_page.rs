//! The default page that describes a Source.

use alloc::{format, string::String};

use crate::value::Uri;

/// A page in HTML: a description, the starting point, and the links by which browser extensions and harvesters find Capability Lists.
///
/// `documents` is the base of the URIs of the documents, with a trailing slash; `suffix` is the extension of documents.
#[must_use]
pub fn about_page<'a>(
    documents: &Uri,
    sets: impl Iterator<Item = &'a str> + Clone,
    suffix: &str,
    more: &str,
) -> String {
    let base = escaped(documents.as_str());
    let list = |set: &str| match set {
        "" => format!("{base}capabilitylist{suffix}"),
        set => format!("{base}{set}/capabilitylist{suffix}"),
    };
    let link = |list: String| format!("<link rel=\"resourcesync\" href=\"{list}\">\n");
    let item = |list: String| format!("<li><a href=\"{list}\">{list}</a></li>\n");
    let links: String = sets.clone().map(|set| link(list(set))).collect();
    let items: String = sets.map(|set| item(list(set))).collect();
    let start = format!("{base}.well-known/resourcesync");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>ResourceSync at {base}</title>\n{links}</head>\n\
         <body>\n<h1>ResourceSync at {base}</h1>\n\
         <p>The resources of this site can be harvested and kept in step with by \
         <a href=\"https://www.openarchives.org/rs/toc\">ResourceSync</a> (ANSI/NISO Z39.99-2017). \
         Harvesters begin at <a href=\"{start}\">{start}</a>.</p>\n<ul>\n{items}</ul>\n{more}</body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
