//! JSON Patch (RFC 6902): operations on places that JSON Pointers (RFC 6901) name.

use super::json::{DEPTH, Json, Text};

/// The greatest number of operations.
const OPERATIONS: usize = 100_000;
/// The greatest number of members that are passed, and of bytes that are copied or moved.
const EFFORT: usize = 256 << 20;

/// What a patch may still do: a short one can ask for much work.
struct Effort {
    /// Members that are passed, and bytes that are copied or moved.
    left: usize,
}

impl Effort {
    fn spend(&mut self, amount: usize) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }

    /// True for a value that may be put at this path: documents become no deeper than twice what can be read.
    fn allows(&mut self, path: &[String], value: &Json) -> Option<()> {
        self.spend(value.weight())?;
        (path.len() <= DEPTH && value.depth() <= DEPTH).then_some(())
    }
}

/// Applies a patch; `None` if it is no patch, one of its operations does not fit the document, or they are too much work.
pub(super) fn apply(document: &mut Json, patch: &Json) -> Option<()> {
    let Json::Array(operations) = patch else { return None };
    if operations.len() > OPERATIONS {
        return None;
    }
    let mut effort = Effort { left: EFFORT };
    for operation in operations {
        let member = |name: &str| operation.member(name);
        let path = pointer(member("path")?.text()?)?;
        let from = || pointer(member("from")?.text()?);
        match member("op")?.text()? {
            "add" => add(document, &path, member("value")?.clone(), &mut effort)?,
            "remove" => drop(remove(document, &path, &mut effort)?),
            "replace" => {
                let value = member("value")?;
                effort.allows(&path, value)?;
                *find(document, &path, &mut effort)? = value.clone();
            }
            "move" => {
                let from = from()?;
                // A value cannot be moved into itself.
                if path.len() > from.len() && path.starts_with(&from) {
                    return None;
                }
                let value = remove(document, &from, &mut effort)?;
                add(document, &path, value, &mut effort)?;
            }
            "copy" => {
                let value = find(document, &from()?, &mut effort)?;
                effort.spend(value.weight())?;
                let value = value.clone();
                add(document, &path, value, &mut effort)?;
            }
            "test" => {
                let value = member("value")?;
                effort.spend(value.weight())?;
                find(document, &path, &mut effort)?.is_equal(value).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// The tokens of a JSON Pointer.
fn pointer(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let tokens = text.strip_prefix('/')?.split('/');
    tokens
        .map(|token| {
            let rest = token.replace("~0", "").replace("~1", "");
            (!rest.contains('~')).then(|| token.replace("~1", "/").replace("~0", "~"))
        })
        .collect()
}

/// The index that a token names, in an array with this length or before its end.
fn index(token: &str, most: usize) -> Option<usize> {
    let is_plain = token == "0" || !token.starts_with('0');
    let is_number = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    token.parse().ok().filter(|index| is_plain && is_number && *index <= most)
}

fn find<'j>(mut value: &'j mut Json, path: &[String], effort: &mut Effort) -> Option<&'j mut Json> {
    for token in path {
        value = match value {
            Json::Array(values) => {
                let index = index(token, values.len())?;
                values.get_mut(index)?
            }
            Json::Object(members) => {
                effort.spend(members.len())?;
                members.iter_mut().find(|(key, _)| key.value == *token).map(|(_, value)| value)?
            }
            Json::Atom(_) | Json::Text(_) => return None,
        };
    }
    Some(value)
}

fn add(document: &mut Json, path: &[String], value: Json, effort: &mut Effort) -> Option<()> {
    effort.allows(path, &value)?;
    let Some((last, above)) = path.split_last() else {
        *document = value;
        return Some(());
    };
    match find(document, above, effort)? {
        Json::Array(values) => {
            let at = if last == "-" { values.len() } else { index(last, values.len())? };
            effort.spend(values.len().saturating_sub(at))?;
            values.insert(at, value);
        }
        Json::Object(members) => {
            effort.spend(members.len())?;
            match members.iter_mut().find(|(key, _)| key.value == *last) {
                Some((_, own)) => *own = value,
                None => members.push((Text::new(last), value)),
            }
        }
        Json::Atom(_) | Json::Text(_) => return None,
    }
    Some(())
}

fn remove(document: &mut Json, path: &[String], effort: &mut Effort) -> Option<Json> {
    let (last, above) = path.split_last()?;
    match find(document, above, effort)? {
        Json::Array(values) => {
            let at = index(last, values.len()).filter(|at| *at < values.len())?;
            effort.spend(values.len().saturating_sub(at))?;
            Some(values.remove(at))
        }
        Json::Object(members) => {
            effort.spend(members.len())?;
            let at = members.iter().position(|(key, _)| key.value == *last)?;
            Some(members.remove(at).1)
        }
        Json::Atom(_) | Json::Text(_) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{super::json::Layout, *};

    fn patched(document: &str, patch: &str) -> Option<String> {
        let mut document = Json::read(document.as_bytes()).unwrap();
        apply(&mut document, &Json::read(patch.as_bytes()).unwrap())?;
        Some(document.write(Layout::Compact))
    }

    #[test]
    fn the_examples_of_the_rfc_are_applied() {
        for (document, patch, result) in [
            (r#"{"foo":"bar"}"#, r#"[{"op":"add","path":"/baz","value":"qux"}]"#, r#"{"foo":"bar","baz":"qux"}"#),
            (
                r#"{"foo":["bar","baz"]}"#,
                r#"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
                r#"{"foo":["bar","qux","baz"]}"#,
            ),
            (r#"{"baz":"qux","foo":"bar"}"#, r#"[{"op":"remove","path":"/baz"}]"#, r#"{"foo":"bar"}"#),
            (r#"{"foo":["bar","qux","baz"]}"#, r#"[{"op":"remove","path":"/foo/1"}]"#, r#"{"foo":["bar","baz"]}"#),
            (
                r#"{"baz":"qux","foo":"bar"}"#,
                r#"[{"op":"replace","path":"/baz","value":"boo"}]"#,
                r#"{"baz":"boo","foo":"bar"}"#,
            ),
            (
                r#"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                r#"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                r#"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#,
            ),
            (
                r#"{"foo":["all","grass","cows","eat"]}"#,
                r#"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                r#"{"foo":["all","cows","eat","grass"]}"#,
            ),
            (
                r#"{"baz":"qux","foo":["a",2,"c"]}"#,
                r#"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0}]"#,
                r#"{"baz":"qux","foo":["a",2,"c"]}"#,
            ),
            (r#"{"/":9,"~1":10}"#, r#"[{"op":"test","path":"/~01","value":10}]"#, r#"{"/":9,"~1":10}"#),
            (
                r#"{"foo":["bar"]}"#,
                r#"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
                r#"{"foo":["bar",["abc","def"]]}"#,
            ),
            (r#"{"a":{"b":1}}"#, r#"[{"op":"copy","from":"/a","path":"/c"}]"#, r#"{"a":{"b":1},"c":{"b":1}}"#),
            (r#"{"a":1}"#, r#"[{"op":"add","path":"","value":[1]}]"#, "[1]"),
        ] {
            assert_eq!(patched(document, patch).as_deref(), Some(result), "{patch}");
        }
    }

    #[test]
    fn an_operation_that_does_not_fit_ends_the_patch() {
        for patch in [
            r#"[{"op":"remove","path":"/none"}]"#,
            r#"[{"op":"replace","path":"/none","value":1}]"#,
            r#"[{"op":"add","path":"/none/x","value":1}]"#,
            r#"[{"op":"add","path":"/list/3","value":1}]"#,
            r#"[{"op":"add","path":"/list/01","value":1}]"#,
            r#"[{"op":"remove","path":"/list/-"}]"#,
            r#"[{"op":"remove","path":"/list/2"}]"#,
            r#"[{"op":"remove","path":""}]"#,
            r#"[{"op":"test","path":"/text","value":1}]"#,
            r#"[{"op":"move","from":"/object","path":"/object/x"}]"#,
            r#"[{"op":"add","path":"text","value":1}]"#,
            r#"[{"op":"add","path":"/~2","value":1}]"#,
            r#"[{"op":"add","path":"/x"}]"#,
            r#"[{"op":"spin","path":"/text"}]"#,
            r#"{"op":"remove","path":"/text"}"#,
        ] {
            let document = r#"{"list":[1,2],"text":"x","object":{}}"#;
            assert_eq!(patched(document, patch), None, "{patch}");
        }
    }

    #[test]
    fn a_patch_that_makes_a_document_too_large_or_too_deep_ends() {
        let double = r#"{"op":"copy","from":"/a","path":"/a/-"}"#;
        let deeper = r#"{"op":"copy","from":"","path":"/a/0"}"#;
        for operation in [double, deeper] {
            let patch = format!("[{}]", vec![operation; 200].join(","));
            assert_eq!(patched(r#"{"a":["xxxxxxxxxxxxxxxx"]}"#, &patch), None, "{operation}");
        }
        let path = "/a".repeat(200);
        let nested = format!(r#"{}0{}"#, r#"{"a":"#.repeat(100), "}".repeat(100));
        let inner = "/a".repeat(100);
        let patch =
            format!(r#"[{{"op":"add","path":"{inner}","value":{nested}}},{{"op":"add","path":"{path}","value":1}}]"#);
        assert_eq!(patched(&nested, &patch), None);
    }

    #[test]
    fn a_short_patch_cannot_ask_for_endless_work() {
        let list = format!("[{}]", vec!["0"; 100_000].join(","));
        let patch = format!("[{}]", vec![r#"{"op":"move","from":"/0","path":"/0"}"#; 100_000].join(","));
        assert_eq!(patched(&list, &patch), None);
    }
}
