//! Metadata of some resources, which no list contains: the entries of the resources link to it, and runs copy it with them. It changes and goes
//! with its resource.

use crate::{
    source::{HOST, digests},
    worse::Documents,
};

/// Before the number of a resource.
const METADATA: &str = "d/";

/// The name of the metadata of a resource that has some.
pub(crate) fn metadata(name: &str) -> Option<String> {
    let number: u64 = name.strip_prefix("r/")?.parse().ok()?;
    number.is_multiple_of(4).then(|| format!("{METADATA}{number}"))
}

/// The name of the resource that metadata is about.
pub(crate) fn subject(name: &str) -> Option<String> {
    name.strip_prefix(METADATA).map(|number| format!("r/{number}"))
}

/// The metadata of a resource in this state.
pub(crate) fn about(body: &[u8]) -> Vec<u8> {
    described(&digests(body).to_string())
}

fn described(digest: &str) -> Vec<u8> {
    format!("about {digest}").into_bytes()
}

/// Adds links to the metadata to the entries, with its digest if they state that of the resource.
pub(crate) fn link(documents: &mut Documents) {
    for document in documents.values_mut() {
        let Ok(text) = String::from_utf8(document.clone()) else { continue };
        let mut linked = String::new();
        for piece in text.split_inclusive("</url>") {
            let between = |start: &str, end: char| Some(piece.split_once(start)?.1.split_once(end)?.0);
            let name = between("<loc>", '<').and_then(|loc| metadata(loc.strip_prefix(HOST)?));
            let is_there = !piece.contains("change=\"deleted\"") && !piece.contains("\"describedby\"");
            match (name.filter(|_| is_there), piece.strip_suffix("</url>")) {
                (Some(name), Some(entry)) => {
                    let digest = between("hash=\"", '"').map(|hash| digests(&described(hash)));
                    let hash = digest.map_or_else(String::new, |digest| format!(" hash=\"{digest}\""));
                    linked += &format!("{entry}<rs:ln rel=\"describedby\" href=\"{HOST}{name}\"{hash}/></url>");
                }
                _ => linked += piece,
            }
        }
        *document = linked.into_bytes();
    }
}
