//! robots.txt (RFC 9309), heeded where the user wants it.

use std::{
    collections::HashMap,
    io::Read,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    client::{Client, Request},
    error::{Kind, Problem},
    url::{Origin, Target},
};

/// What we are called in it.
const AGENT: &str = "resourcesync";
/// Bytes of it that are read; RFC 9309 asks for 500 KiB.
const BYTES: u64 = 512_000;

/// What the origins asked so far let us do.
#[derive(Debug, Default)]
pub(super) struct Robots(Mutex<HashMap<Origin, Arc<Rules>>>);

impl Robots {
    /// Refuses what robots.txt of its origin disallows.
    pub(super) fn check(&self, client: &Client, target: &Target) -> Result<(), Problem> {
        if target.path == "/robots.txt" {
            return Ok(());
        }
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = known().get(&target.origin).cloned();
        let rules = match rules {
            Some(rules) => rules,
            None => {
                let rules = Arc::new(fetch(client, target)?);
                known().entry(target.origin.clone()).or_insert(rules).clone()
            }
        };
        if rules.allow(&target.path) {
            return Ok(());
        }
        Err(Problem::new(Kind::Robots, "robots.txt disallows it"))
    }
}

/// A robots.txt that is not there allows everything; one that cannot be had allows nothing.
fn fetch(client: &Client, target: &Target) -> Result<Rules, Problem> {
    let uri = target.follow("/robots.txt")?.uri;
    let response = match client.follow(&Request::document(uri), false) {
        Ok(response) => response,
        Err(problem) if problem.kind == Kind::Interrupted => return Err(problem),
        Err(_) => return Ok(Rules::nothing()),
    };
    match response.status {
        200..=299 => {
            let mut text = Vec::new();
            let read = response.body.take(BYTES).read_to_end(&mut text);
            Ok(if read.is_ok() { Rules::read(&String::from_utf8_lossy(&text)) } else { Rules::nothing() })
        }
        400..=499 => Ok(Rules::default()),
        _ => Ok(Rules::nothing()),
    }
}

/// What one robots.txt says to us.
#[derive(Debug, Default, PartialEq, Eq)]
struct Rules(Vec<(bool, String)>);

impl Rules {
    fn nothing() -> Rules {
        Rules(vec![(false, "/".to_owned())])
    }

    fn read(text: &str) -> Rules {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let (mut has_named, mut for_us, mut for_all, mut in_agents) = (false, false, false, false);
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("");
            let Some((field, value)) = line.split_once(':') else { continue };
            let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
            match field.as_str() {
                "user-agent" => {
                    if !in_agents {
                        (for_us, for_all, in_agents) = (false, false, true);
                    }
                    let is_named = value.eq_ignore_ascii_case(AGENT);
                    has_named |= is_named;
                    for_us |= is_named;
                    for_all |= value == "*";
                }
                "allow" | "disallow" => {
                    in_agents = false;
                    let rule = (field == "allow", value.to_owned());
                    if for_us && !value.is_empty() {
                        own.push(rule.clone());
                    }
                    if for_all && !value.is_empty() {
                        others.push(rule);
                    }
                }
                _ => {}
            }
        }
        Rules(if has_named { own } else { others })
    }

    /// The longest pattern that fits decides, and of two as long the one that allows.
    fn allow(&self, path: &str) -> bool {
        let fitting = self.0.iter().filter(|(_, pattern)| fits(pattern, path));
        fitting.max_by_key(|(allows, pattern)| (pattern.len(), *allows)).is_none_or(|(allows, _)| *allows)
    }
}

/// `*` stands for anything, `$` at the end for the end. Takes time as the product of both lengths.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !to_end || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if to_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = rest.get(at.saturating_add(part.len())..).unwrap_or(""),
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_for_us_decides() {
        let rules = Rules::read(
            "User-agent: *\nDisallow: /\n\nuser-agent: other\nUser-Agent: ResourceSync # us\nDisallow: /private\nAllow: /private/list*.xml$\nDisallow:\n",
        );
        for (path, allowed) in [
            ("/", true),
            ("/private/a", false),
            ("/private/list1.xml", true),
            ("/private/list1.xml?x", false),
            ("/PRIVATE", true),
        ] {
            assert_eq!(rules.allow(path), allowed, "{path}");
        }
        assert!(!Rules::read("user-agent:*\ndisallow:/a*b\n").allow("/axxb"));
        assert!(Rules::read("").allow("/"));
        assert!(!Rules::nothing().allow("/x"));
        assert!(Rules::read("user-agent: *\ndisallow: /a\nallow: /a\n").allow("/a"));
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_time() {
        let pattern = "*a".repeat(2_000);
        assert!(!fits(&format!("{pattern}b"), &"a".repeat(8_000)));
        assert!(fits(&format!("{pattern}$"), &"a".repeat(8_000)));
    }
}
