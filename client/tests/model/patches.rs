//! Patches that lead from the state of a resource before a change to that after it, and others that lead elsewhere.

use std::collections::BTreeMap;

use resourcesync_client::http::Made;

use crate::{
    random::Random,
    source::{HOST, digests},
    worse::Documents,
};

/// Before the number of a patch.
const PATCH: &str = "http://a.example/p/";

/// What a resource says beside the two moments that its changes replace in turn.
const PAD: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

#[derive(Debug)]
pub(crate) struct Patches {
    random: Random,
    /// What the links of each state name: by the digests of the state, the number of the patch.
    states: BTreeMap<String, usize>,
    patches: Vec<Vec<u8>>,
}

/// The body of a resource that can be patched.
fn body(name: &str, [even, odd]: [i64; 2]) -> Vec<u8> {
    format!(r#"{{"name":"{name}","pad":"{PAD}","even":{even},"odd":{odd}}}"#).into_bytes()
}

/// The moments in a body.
fn moments(body: &[u8]) -> [i64; 2] {
    let value: serde_json::Value = serde_json::from_slice(body).unwrap();
    ["even", "odd"].map(|key| value[key].as_i64().unwrap())
}

impl Patches {
    pub(crate) fn new(random: Random) -> Patches {
        Patches { random, states: BTreeMap::new(), patches: Vec::new() }
    }

    /// The next state of a resource. Its patch is right, or leads elsewhere.
    pub(crate) fn change(&mut self, name: &str, before: Option<&[u8]>, now: i64) -> Vec<u8> {
        let Some(before) = before else { return body(name, [now, now]) };
        let (place, mut next) = (usize::from(now % 2 != 0), moments(before));
        next[place] = now;
        let key = ["even", "odd"];
        let patch = match self.random.below(8) {
            0 => format!(r#"{{"{}":{now}}}"#, key[1 - place]),
            1 => format!(r#"{{"{}":{}}}"#, key[place], now + 1),
            2 => format!(r#"{{"{}":{now}"#, key[place]),
            _ => format!(r#"{{"{}":{now}}}"#, key[place]),
        };
        let state = body(name, next);
        self.states.insert(digests(&state).to_string(), self.patches.len());
        self.patches.push(patch.into_bytes());
        state
    }

    /// Adds a link to its patch to each change that states the digest of its resource.
    pub(crate) fn link(&mut self, documents: &mut Documents) {
        for document in documents.values_mut() {
            let Ok(text) = String::from_utf8(document.clone()) else { continue };
            let mut linked = String::new();
            for piece in text.split_inclusive("</url>") {
                let hash = piece.split_once("hash=\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
                let number =
                    hash.and_then(|hash| self.states.get(hash)).filter(|_| piece.contains("change=\"updated\""));
                match (number, piece.strip_suffix("</url>")) {
                    (Some(number), Some(entry)) => {
                        let patch = &self.patches[*number];
                        // The link states what is served, or other digests.
                        let stated = if self.random.once_in(8) { digests(b"other") } else { digests(patch) };
                        linked += &format!(
                            "{entry}<rs:ln rel=\"http://www.openarchives.org/rs/terms/patch\" href=\"{PATCH}{number}\" \
                             type=\"application/merge-patch+json\" length=\"{}\" hash=\"{stated}\"/></url>",
                            patch.len()
                        );
                    }
                    _ => linked += piece,
                }
            }
            *document = linked.into_bytes();
        }
    }

    /// Responds to a request for a patch; `None` for other requests.
    pub(crate) fn answer(&self, name: &str) -> Option<Made> {
        let number: usize = name.strip_prefix(PATCH.strip_prefix(HOST)?)?.parse().ok()?;
        Some(match self.patches.get(number) {
            Some(patch) => Made { status: 200, body: patch.clone(), ..Made::default() },
            None => Made { status: 404, ..Made::default() },
        })
    }
}
