//! Percent-encoding.

use alloc::{string::String, vec::Vec};

/// With `%41` read as `A`; what is not UTF-8 then stays as it was.
pub(crate) fn percent_decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    while let [first, after @ ..] = rest {
        let escaped = match after {
            [high, low, ..] if *first == b'%' => digit(*high).zip(digit(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            bytes.push(high << 4 | low);
            rest = after.get(2..).unwrap_or(&[]);
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.into())
}
