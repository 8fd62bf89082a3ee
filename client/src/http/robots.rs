//! robots.txt (RFC 9309), if the policy honours it.

use std::{
    collections::HashMap,
    io::Read,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    error::{Error, ErrorKind},
    limits::Limits,
    request::{Request, Response},
    url::{Origin, Url},
};

/// The product token that groups of rules name.
const AGENT: &str = "resourcesync";
/// Maximum bytes read; RFC 9309 requires 500 KiB.
const BYTES: u64 = 512_000;

/// The robots.txt of each origin, as far as fetched.
#[derive(Debug, Default)]
pub(super) struct Robots(Mutex<HashMap<Origin, Known>>);

#[derive(Debug, Clone)]
enum Known {
    Rules(Arc<Rules>),
    /// The number of failed attempts to fetch it; another may succeed.
    Failed(u64),
}

/// The outcome of one attempt.
enum Fetched {
    Rules(Rules),
    /// A retry may succeed after this time.
    Failed(Option<Duration>),
}

/// Sends one request.
type Fetch<'a> = dyn Fn(&Request) -> Result<Response, Error> + 'a;

impl Robots {
    /// Fails if the robots.txt of the origin disallows the request.
    pub(super) fn check(&self, target: &Url, limits: &Limits, fetch: &Fetch<'_>) -> Result<(), Error> {
        if target.path == "/robots.txt" {
            return Ok(());
        }
        let rules = match self.known(target, limits, fetch)? {
            Ok(rules) => rules,
            Err(retry_after) => return Err(disallowed().temporary(retry_after)),
        };
        if rules.allow(&target.path) { Ok(()) } else { Err(disallowed()) }
    }

    /// The rules of the origin, or the wait before a retry. After the last attempt nothing is allowed.
    fn known(
        &self,
        target: &Url,
        limits: &Limits,
        fetch: &Fetch<'_>,
    ) -> Result<Result<Arc<Rules>, Option<Duration>>, Error> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match known().get(&target.origin) {
            Some(Known::Rules(rules)) => return Ok(Ok(rules.clone())),
            Some(Known::Failed(before)) => *before,
            None => 0,
        };
        let longest = limits.seconds("http_retry_after_seconds");
        let rules = match fetched(target, fetch)? {
            Fetched::Rules(rules) => rules,
            Fetched::Failed(wait) if before < limits.http_retries && wait.is_none_or(|wait| wait <= longest) => {
                known().insert(target.origin.clone(), Known::Failed(before.saturating_add(1)));
                return Ok(Err(wait));
            }
            Fetched::Failed(_) => Rules::nothing(),
        };
        let rules = Arc::new(rules);
        known().insert(target.origin.clone(), Known::Rules(rules.clone()));
        Ok(Ok(rules))
    }
}

fn disallowed() -> Error {
    Error::new(ErrorKind::Robots, Reason::new(ReasonCode::Robots))
}

/// A missing robots.txt allows everything; one that cannot be fetched allows nothing.
fn fetched(target: &Url, fetch: &Fetch<'_>) -> Result<Fetched, Error> {
    let response = match fetch(&Request::get(target.follow("/robots.txt")?.uri)) {
        Ok(response) if response.is_temporary() => return Ok(Fetched::Failed(response.retry_after())),
        Ok(response) => response,
        Err(error) if error.kind == ErrorKind::Interrupted => return Err(error),
        Err(error) if error.is_temporary() => return Ok(Fetched::Failed(error.retry_after())),
        Err(_) => return Ok(Fetched::Rules(Rules::nothing())),
    };
    Ok(Fetched::Rules(match response.status {
        200..=299 => {
            let mut text = Vec::new();
            let read = response.body.take(BYTES).read_to_end(&mut text);
            if read.is_ok() { Rules::read(&String::from_utf8_lossy(&text)) } else { Rules::nothing() }
        }
        400..=499 => Rules::default(),
        _ => Rules::nothing(),
    }))
}

/// The rules of a robots.txt that apply here.
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

    /// The longest matching pattern decides; if two are equally long, the one that allows.
    fn allow(&self, path: &str) -> bool {
        let fitting = self.0.iter().filter(|(_, pattern)| fits(pattern, path));
        fitting.max_by_key(|(allows, pattern)| (pattern.len(), *allows)).is_none_or(|(allows, _)| *allows)
    }
}

/// `*` matches anything, `$` at the end matches the end. Takes time proportional to the product of both lengths.
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
