//! Mementos of all states of the resources, some of which are other bytes at times, and the history that runs keep of them.

use std::collections::{BTreeMap, BTreeSet};

use resourcesync_client::http::Made;

use crate::{
    random::Random,
    source::{HOST, digests},
    worse::Documents,
};

/// Before the digest of a state.
const MEMENTO: &str = "m/";

#[derive(Debug)]
pub(crate) struct Mementos {
    random: Random,
    /// The states, by their names.
    states: BTreeMap<String, Vec<u8>>,
    /// Those that a server said are gone: they need not be kept.
    pub(crate) gone: BTreeSet<String>,
    /// True once nothing goes wrong any more.
    pub(crate) is_last: bool,
}

/// The name of the memento of a state.
pub(crate) fn memento(body: &[u8]) -> String {
    format!("{MEMENTO}{}", digests(body).to_string().replace(':', "-"))
}

impl Mementos {
    pub(crate) fn new(random: Random) -> Mementos {
        Mementos { random, states: BTreeMap::new(), gone: BTreeSet::new(), is_last: false }
    }

    /// Notes a state.
    pub(crate) fn add(&mut self, body: &[u8]) {
        self.states.insert(memento(body), body.to_vec());
    }

    /// Adds a link to its memento to each entry that states the digest of its resource.
    pub(crate) fn link(&self, documents: &mut Documents) {
        for document in documents.values_mut() {
            let Ok(text) = String::from_utf8(document.clone()) else { continue };
            let mut linked = String::new();
            for piece in text.split_inclusive("</url>") {
                let hash = piece.split_once("hash=\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
                let name = hash.map(|hash| format!("{MEMENTO}{}", hash.replace(':', "-")));
                let name = name.filter(|name| self.states.contains_key(name) && !piece.contains("\"memento\""));
                match (name, piece.strip_suffix("</url>")) {
                    (Some(name), Some(entry)) => {
                        linked += &format!("{entry}<rs:ln rel=\"memento\" href=\"{HOST}{name}\"/></url>");
                    }
                    _ => linked += piece,
                }
            }
            *document = linked.into_bytes();
        }
    }

    /// Responds to a request for a memento; `None` for other requests.
    pub(crate) fn answer(&mut self, name: &str) -> Option<Made> {
        let body = self.states.get(name)?;
        let is_wrong = !self.is_last && self.random.once_in(8);
        let body = if is_wrong { body.iter().map(|byte| byte ^ 1).collect() } else { body.clone() };
        Some(Made { status: 200, body, ..Made::default() })
    }
}
