//! Bytes as a JSON value.

use alloc::{borrow::Cow, string::String, vec::Vec};

use resourcesync::value::to_hex;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::signature;

/// Bytes: in JSON a text, or `{"hex": "…"}` if they are not UTF-8.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Hex {
        hex: String,
    },
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match core::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Written::Hex { hex: to_hex(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Text(text) => Ok(Bytes(text.into_owned().into_bytes())),
            Written::Hex { hex } => {
                signature::bytes(&hex).map(Bytes).ok_or_else(|| D::Error::custom("not hexadecimal"))
            }
        }
    }
}
