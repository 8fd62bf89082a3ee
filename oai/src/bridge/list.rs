//! A list that is harvested, and the set of resources that it becomes.

use alloc::{borrow::ToOwned, format, string::String};

use super::short_digest;

/// The most characters of a name before its digest.
const LONGEST: usize = 100;

/// A format, of the whole repository or of a set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct List {
    /// The format.
    pub prefix: String,
    /// The set; none for the whole repository.
    pub set: Option<String>,
}

impl List {
    /// The list of a format.
    pub fn new(prefix: &str, set: Option<&str>) -> List {
        List { prefix: prefix.to_owned(), set: set.map(ToOwned::to_owned) }
    }

    /// The name of its set of resources: `oai_dc` or `oai_dc.physics`. Names are those of folders: where characters are replaced, and where
    /// another list could have the same name, the beginning of a digest is added.
    pub fn name(&self) -> String {
        let text = match &self.set {
            None => self.prefix.clone(),
            Some(set) => format!("{}.{set}", self.prefix),
        };
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
        let is_distinct = self.set.as_ref().is_none_or(|set| !set.contains('.') && !self.prefix.contains('.'));
        if is_distinct
            && text.len() <= LONGEST
            && text.bytes().all(is_plain)
            && !text.starts_with('.')
            && !text.ends_with('.')
        {
            return text;
        }
        let shown = text.bytes().map(|byte| match byte {
            b':' => '.',
            byte if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) => char::from(byte),
            _ => '_',
        });
        let shown: String = shown.take(LONGEST).collect();
        let exact = format!("{} {}", self.prefix, self.set.as_deref().unwrap_or_default());
        format!("{}-{}", shown.trim_start_matches('.'), short_digest(&exact))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeSet, string::ToString};

    use resourcesync::publish::check_set;

    use super::*;

    #[test]
    fn any_list_has_a_name_of_its_own_that_is_a_folder() {
        let lists = [
            ("oai_dc", None),
            ("oai_dc", Some("physics")),
            ("jpcoar_2.0", None),
            ("a.b", Some("c")),
            ("a", Some("b.c")),
            ("a.b.c", None),
            ("a", Some("b:c")),
            ("a", Some("b_c")),
            ("a", Some("B_c")),
            ("..", None),
            ("a", Some("../../etc")),
            ("a", Some("")),
            ("", None),
            ("a", Some("日本")),
            ("a", Some(&"x".repeat(300))),
            ("a", Some(&"x".repeat(301))),
        ];
        let mut names = BTreeSet::new();
        for (prefix, set) in lists {
            let name = List::new(prefix, set).name();
            assert_eq!(check_set(&name), Ok(()), "{name}");
            assert!(name.len() <= 120, "{name}");
            assert!(name.is_empty() == prefix.is_empty() && names.insert(name.to_lowercase()), "{name}");
        }
        assert_eq!(List::new("oai_dc", Some("physics")).name(), "oai_dc.physics");
        assert_eq!(List::new("jpcoar_2.0", None).name(), "jpcoar_2.0".to_string());
    }
}
