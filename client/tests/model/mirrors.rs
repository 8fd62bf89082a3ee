//! A mirror of the resources that lies, lacks some, and has earlier states of others.

use std::collections::BTreeMap;

use resourcesync_client::http::Made;

use crate::{random::Random, source::HOST, worse::Documents};

/// The host of the mirror.
pub(crate) const MIRROR: &str = "http://m.example/";

#[derive(Debug)]
pub(crate) struct Mirror {
    random: Random,
    /// The states of resources that it has seen.
    earlier: BTreeMap<String, Vec<Vec<u8>>>,
    /// True once nothing goes wrong any more.
    pub(crate) is_last: bool,
}

impl Mirror {
    pub(crate) fn new(random: Random) -> Mirror {
        Mirror { random, earlier: BTreeMap::new(), is_last: false }
    }

    /// Adds a link to the mirror to each resource in lists of resources and of changes.
    pub(crate) fn link(&self, documents: &mut Documents) {
        for body in documents.values_mut() {
            let Ok(text) = String::from_utf8(body.clone()) else { continue };
            let mut linked = String::new();
            for piece in text.split_inclusive("</url>") {
                let name =
                    piece.split_once("<loc>").and_then(|(_, rest)| rest.split_once("</loc>")?.0.strip_prefix(HOST));
                match (name.filter(|name| name.starts_with("r/")), piece.strip_suffix("</url>")) {
                    (Some(name), Some(entry)) => {
                        linked += &format!("{entry}<rs:ln rel=\"duplicate\" pri=\"1\" href=\"{MIRROR}{name}\"/></url>");
                    }
                    _ => linked += piece,
                }
            }
            *body = linked.into_bytes();
        }
    }

    /// Responds to a request for a resource with this body; `None` if there is no connection.
    pub(crate) fn answer(&mut self, name: &str, body: Option<&Vec<u8>>) -> Option<Made> {
        let earlier = self.earlier.entry(name.to_owned()).or_default();
        let states = earlier.len() as u64;
        earlier.extend(body.cloned());
        let kind = if self.is_last { 9 } else { self.random.below(10) };
        let body = match kind {
            0 => return None,
            1 => None,
            2 => body.map(|body| body.iter().map(|byte| byte ^ 1).collect()),
            3 if states > 0 => Some(earlier[self.random.below(states) as usize].clone()),
            _ => body.cloned(),
        };
        Some(match body {
            Some(body) => Made { status: 200, body, ..Made::default() },
            None => Made { status: 404, ..Made::default() },
        })
    }
}
