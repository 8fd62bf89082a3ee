//! JSON (RFC 8259) as it is written: the order of keys and the spelling of numbers and strings stay.
//!
//! The features of `serde_json` that keep them would change how every other crate of a program reads and writes JSON.

use std::{
    collections::{HashMap, HashSet},
    iter,
};

/// The greatest depth of a value that is read.
pub(super) const DEPTH: usize = 128;

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Json {
    /// `null`, `true`, `false` or a number.
    Atom(String),
    /// A string.
    Text(Text),
    Array(Vec<Json>),
    /// The members in their order; no key occurs twice.
    Object(Vec<(Text, Json)>),
}

/// A string, as it is written between its quotation marks, and what it means.
#[derive(Debug, Clone)]
pub(super) struct Text {
    written: String,
    pub(super) value: String,
}

/// Where white space is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Compact,
    /// Each value on a line of its own, indented by so many spaces.
    Indented(usize),
}

impl Json {
    /// Reads a text; `None` if it is not JSON, has a key twice, or is too deep.
    pub(super) fn read(bytes: &[u8]) -> Option<Json> {
        let mut reader = Reader { text: std::str::from_utf8(bytes).ok()?, at: 0 };
        let value = reader.value(DEPTH)?;
        reader.blanks();
        reader.rest().is_empty().then_some(value)
    }

    /// Its value, if it is a string.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(&text.value),
            _ => None,
        }
    }

    /// The member with this key.
    pub(super) fn member(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(own, _)| own.value == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// About how many bytes it takes.
    pub(super) fn weight(&self) -> usize {
        const NODE: usize = size_of::<Json>();
        let text = |text: &Text| text.written.len().saturating_add(text.value.len());
        let of = match self {
            Json::Atom(atom) => atom.len(),
            Json::Text(own) => text(own),
            Json::Array(values) => values.iter().map(Json::weight).fold(0, usize::saturating_add),
            Json::Object(members) => {
                let weights = members.iter().map(|(key, value)| text(key).saturating_add(value.weight()));
                weights.fold(0, usize::saturating_add)
            }
        };
        NODE.saturating_add(of)
    }

    /// The number of values that are within each other.
    pub(super) fn depth(&self) -> usize {
        let below = match self {
            Json::Atom(_) | Json::Text(_) => None,
            Json::Array(values) => values.iter().map(Json::depth).max(),
            Json::Object(members) => members.iter().map(|(_, value)| value.depth()).max(),
        };
        below.unwrap_or(0).saturating_add(1)
    }

    /// True if both mean the same: the order of keys and the spelling of numbers do not count (RFC 6902 §4.6).
    pub(super) fn is_equal(&self, other: &Json) -> bool {
        match (self, other) {
            (Json::Atom(one), Json::Atom(other)) => {
                let numbers = one.parse::<f64>().ok().zip(other.parse::<f64>().ok());
                one == other || numbers.is_some_and(|(one, other)| one.to_bits() == other.to_bits())
            }
            (Json::Text(one), Json::Text(other)) => one.value == other.value,
            (Json::Array(one), Json::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_equal(other))
            }
            (Json::Object(one), Json::Object(members)) => {
                let own: HashMap<&str, &Json> = members.iter().map(|(key, value)| (&*key.value, value)).collect();
                let has = |(key, value): &(Text, Json)| own.get(&*key.value).is_some_and(|own| own.is_equal(value));
                one.len() == members.len() && one.iter().all(has)
            }
            _ => false,
        }
    }

    /// Writes it.
    pub(super) fn write(&self, layout: Layout) -> String {
        let mut out = String::new();
        self.write_to(&mut out, layout, 0);
        out
    }

    fn write_to(&self, out: &mut String, layout: Layout, depth: usize) {
        match self {
            Json::Atom(atom) => out.push_str(atom),
            Json::Text(text) => text.write_to(out),
            Json::Array(values) => write_all(out, layout, depth, ['[', ']'], values, |out, value| {
                value.write_to(out, layout, depth.saturating_add(1));
            }),
            Json::Object(members) => write_all(out, layout, depth, ['{', '}'], members, |out, (key, value)| {
                key.write_to(out);
                out.push_str(if layout == Layout::Compact { ":" } else { ": " });
                value.write_to(out, layout, depth.saturating_add(1));
            }),
        }
    }
}

fn write_all<T>(
    out: &mut String,
    layout: Layout,
    depth: usize,
    [open, close]: [char; 2],
    items: &[T],
    write: impl Fn(&mut String, &T),
) {
    let line = |out: &mut String, depth: usize| {
        if let Layout::Indented(by) = layout {
            out.push('\n');
            out.extend(iter::repeat_n(' ', by.saturating_mul(depth)));
        }
    };
    out.push(open);
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        line(out, depth.saturating_add(1));
        write(out, item);
    }
    if !items.is_empty() {
        line(out, depth);
    }
    out.push(close);
}

impl Text {
    /// A string that is written without escapes where that is possible.
    pub(super) fn new(value: &str) -> Text {
        let mut written = String::new();
        for character in value.chars() {
            match character {
                '"' | '\\' => written.extend(['\\', character]),
                '\n' => written.push_str("\\n"),
                '\r' => written.push_str("\\r"),
                '\t' => written.push_str("\\t"),
                control if control < ' ' => written.push_str(&format!("\\u{:04x}", u32::from(control))),
                other => written.push(other),
            }
        }
        Text { written, value: value.to_owned() }
    }

    fn write_to(&self, out: &mut String) {
        out.push('"');
        out.push_str(&self.written);
        out.push('"');
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.skip(rest.len().saturating_sub(rest.trim_start_matches([' ', '\t', '\n', '\r']).len()));
    }

    /// Passes over a token after blanks; false if it is not there.
    fn take(&mut self, token: char) -> bool {
        self.blanks();
        let is_there = self.rest().starts_with(token);
        if is_there {
            self.skip(token.len_utf8());
        }
        is_there
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        let depth = depth.checked_sub(1)?;
        self.blanks();
        match self.rest().chars().next()? {
            '"' => self.string().map(Json::Text),
            '[' => {
                self.skip(1);
                let mut values = Vec::new();
                if self.take(']') {
                    return Some(Json::Array(values));
                }
                loop {
                    values.push(self.value(depth)?);
                    if self.take(']') {
                        return Some(Json::Array(values));
                    }
                    self.take(',').then_some(())?;
                }
            }
            '{' => self.object(depth),
            _ => self.atom(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.skip(1);
        let mut members: Vec<(Text, Json)> = Vec::new();
        let mut keys = HashSet::new();
        if self.take('}') {
            return Some(Json::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            // Which of two would count is not defined.
            keys.insert(key.value.clone()).then_some(())?;
            self.take(':').then_some(())?;
            members.push((key, self.value(depth)?));
            if self.take('}') {
                return Some(Json::Object(members));
            }
            self.take(',').then_some(())?;
        }
    }

    fn atom(&mut self) -> Option<Json> {
        let rest = self.rest();
        let end = rest.find(|character: char| !character.is_ascii_alphanumeric() && !"+-.".contains(character));
        let word = rest.get(..end.unwrap_or(rest.len()))?;
        // What serde_json takes is a number of RFC 8259.
        let is_known = matches!(word, "null" | "true" | "false")
            || word.starts_with(|first: char| first == '-' || first.is_ascii_digit())
                && serde_json::from_str::<serde_json::Number>(word).is_ok();
        self.skip(word.len());
        is_known.then(|| Json::Atom(word.to_owned()))
    }

    fn string(&mut self) -> Option<Text> {
        let rest = self.rest().strip_prefix('"')?;
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        })?;
        let written = rest.get(..end)?.to_owned();
        let quoted = self.rest().get(..end.checked_add(2)?)?;
        let value = serde_json::from_str(quoted).ok()?;
        self.skip(quoted.len());
        Some(Text { written, value })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_as_it_was() {
        for text in [
            "null",
            "-0.10e+2",
            "12345678901234567890123",
            r#""\u00e9é\/\"""#,
            r#"{"b":1,"a":[true,{},[],"x"],"":{"z":1.0}}"#,
            "[1,2]",
        ] {
            assert_eq!(Json::read(text.as_bytes()).unwrap().write(Layout::Compact), text);
            let pretty = Json::read(text.as_bytes()).unwrap().write(Layout::Indented(2));
            assert_eq!(Json::read(pretty.as_bytes()).unwrap().write(Layout::Compact), text);
        }
        let pretty = Json::read(br#"{"a":[1,{}],"b":{"c":[]}}"#).unwrap().write(Layout::Indented(2));
        assert_eq!(pretty, "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}");
    }

    #[test]
    fn what_is_not_json_is_not_read() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for text in [
            "",
            "nul",
            "01",
            "1.",
            "+1",
            "NaN",
            "[1,]",
            "[1 2]",
            "{\"a\":1,\"a\":2}",
            "{\"a\"}",
            "{a:1}",
            "\"\u{1}\"",
            "\"\\x\"",
            "\"",
            "1 2",
            "'a'",
            &deep,
        ] {
            assert!(Json::read(text.as_bytes()).is_none(), "{text}");
        }
        assert!(Json::read(b"\"\xff\"").is_none());
    }

    #[test]
    fn equality_is_that_of_values() {
        let read = |text: &str| Json::read(text.as_bytes()).unwrap();
        for (one, other, is_equal) in [
            ("1", "1.0", true),
            ("1", "1e0", true),
            ("1", "2", false),
            (r#""\u0061""#, r#""a""#, true),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#, false),
            ("[1,2]", "[2,1]", false),
            ("null", "false", false),
        ] {
            assert_eq!(read(one).is_equal(&read(other)), is_equal, "{one} {other}");
        }
    }
}
