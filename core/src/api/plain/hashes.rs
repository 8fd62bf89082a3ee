//! Digests by algorithm, in the order written.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};

/// Digests by algorithm, in the order written: in JSON an object, `{"md5": "1584…", "sha-256": "8549…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Digests(Vec<(String, String)>);

impl Digests {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(algorithm, digest)| (algorithm.as_str(), digest.as_str()))
    }

    /// The digest of an algorithm.
    pub fn get(&self, algorithm: &str) -> Option<&str> {
        self.iter().find(|(own, _)| *own == algorithm).map(|(_, digest)| digest)
    }

    /// The first of each algorithm: an object has each name once, and a repeated algorithm is a finding.
    pub(super) fn first(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_first =
            |(place, (own, _)): &(usize, (&str, &str))| self.iter().take(*place).all(|(before, _)| before != *own);
        self.iter().enumerate().filter(is_first).map(|(_, digest)| digest)
    }

    /// Adds one.
    pub fn push(&mut self, algorithm: impl Into<String>, digest: impl Into<String>) {
        self.0.push((algorithm.into(), digest.into()));
    }
}

impl<A: Into<String>, D: Into<String>> FromIterator<(A, D)> for Digests {
    fn from_iter<I: IntoIterator<Item = (A, D)>>(pairs: I) -> Digests {
        Digests(pairs.into_iter().map(|(algorithm, digest)| (algorithm.into(), digest.into())).collect())
    }
}

impl Serialize for Digests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.first())
    }
}

impl<'de> Deserialize<'de> for Digests {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digests, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Digests;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("digests by algorithm")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Digests, M::Error> {
                let mut digests = Digests::default();
                while let Some((algorithm, digest)) = map.next_entry::<String, String>()? {
                    digests.push(algorithm, digest);
                }
                Ok(digests)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}
