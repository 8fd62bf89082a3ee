//! JSON Merge Patch (RFC 7396): an object whose members replace those of the document, and `null` removes them.

use std::collections::{HashMap, HashSet};

use super::json::Json;

/// Applies a patch.
pub(super) fn apply(document: &mut Json, patch: Json) {
    let Json::Object(changes) = patch else {
        *document = patch;
        return;
    };
    if !matches!(document, Json::Object(_)) {
        *document = Json::Object(Vec::new());
    }
    let Json::Object(members) = document else { return };
    let places: HashMap<String, usize> =
        members.iter().enumerate().map(|(place, (key, _))| (key.value.clone(), place)).collect();
    let mut removed: HashSet<usize> = HashSet::new();
    for (key, change) in changes {
        match (places.get(&key.value), change) {
            (place, Json::Atom(atom)) if atom == "null" => removed.extend(place),
            (Some(place), change) => {
                if let Some((_, own)) = members.get_mut(*place) {
                    apply(own, change);
                }
            }
            (None, change) => {
                let mut value = Json::Atom("null".to_owned());
                apply(&mut value, change);
                members.push((key, value));
            }
        }
    }
    let mut place = 0..;
    members.retain(|_| place.next().is_none_or(|place| !removed.contains(&place)));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{super::json::Layout, *};

    #[test]
    fn the_examples_of_the_rfc_are_applied() {
        for (document, patch, result) in [
            (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
            (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
            (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
            (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
            (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
            (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
            (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
            (r#"{"a":"foo"}"#, "null", "null"),
            (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
            ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
            ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
        ] {
            let mut own = Json::read(document.as_bytes()).unwrap();
            apply(&mut own, Json::read(patch.as_bytes()).unwrap());
            assert_eq!(own.write(Layout::Compact), result, "{document} {patch}");
        }
    }
}
