//! A request of a check, and its name in the report.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{call::Call, step::Step};
use crate::request::{Verb, query, url};

/// Maximum characters of an argument in a name.
const LONGEST: usize = 80;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) step: Step,
    /// All arguments, with the verb.
    pub(super) arguments: Vec<(String, String)>,
    /// Arguments of the list, which its token stands for.
    pub(super) first: Vec<(String, String)>,
    /// The page of its list, from 1.
    pub(super) page: u64,
    pub(super) is_post: bool,
    pub(super) identity: bool,
    /// True if the same was requested before.
    pub(super) again: bool,
}

impl Ask {
    /// A request with a verb and arguments.
    pub(super) fn new(step: Step, verb: Verb, arguments: &[(&str, &str)]) -> Ask {
        let own = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        let first: Vec<_> = [("verb", verb.as_str())].iter().chain(arguments).map(own).collect();
        Ask { step, arguments: first.clone(), first, page: 1, is_post: false, identity: false, again: false }
    }

    /// An invalid request with exactly these arguments.
    pub(super) fn raw(step: Step, arguments: Vec<(String, String)>) -> Ask {
        let first = arguments.clone();
        Ask { step, arguments, first, page: 1, is_post: false, identity: false, again: false }
    }

    /// The next page of its list.
    pub(super) fn next(&self, token: &str) -> Ask {
        let verb = self.first.first().cloned().unwrap_or_default();
        let arguments = alloc::vec![verb, ("resumptionToken".to_string(), token.to_string())];
        Ask { arguments, page: self.page.saturating_add(1), again: false, ..self.clone() }
    }

    /// The value of an argument of the list.
    pub(super) fn argument(&self, name: &str) -> Option<&str> {
        self.first.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The verb, if the request has exactly one that exists.
    pub(super) fn verb(&self) -> Option<Verb> {
        Verb::find(self.argument("verb")?)
    }

    /// `ListRecords (oai_dc), page 2`; an invalid request is its query.
    pub(super) fn name(&self) -> String {
        if let Step::Invalid(_) = self.step {
            let shown: Vec<String> =
                self.arguments.iter().map(|(name, value)| format!("{name}={}", shortened(value))).collect();
            return format!("?{}", shown.join("&"));
        }
        let mut name = self.argument("verb").unwrap_or_default().to_string();
        let arguments = self.first.iter().filter(|(name, _)| name != "verb");
        let shown: Vec<String> = arguments
            .map(|(name, value)| match name.as_str() {
                "metadataPrefix" | "identifier" => shortened(value),
                _ => format!("{name}={}", shortened(value)),
            })
            .collect();
        if !shown.is_empty() {
            name.push_str(&format!(" ({})", shown.join(", ")));
        }
        if self.page > 1 {
            name.push_str(&format!(", page {}", self.page));
        }
        for (part, is_part) in [(", again", self.again), (", identity", self.identity), (", POST", self.is_post)] {
            if is_part {
                name.push_str(part);
            }
        }
        name
    }

    /// As it is sent.
    pub(super) fn call(&self, id: u64, base_url: &str) -> Call {
        let query = query(self.arguments.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let (url, form) = match self.is_post {
            true => (url(base_url, ""), Some(query)),
            false => (url(base_url, &query), None),
        };
        Call { id, name: self.name(), url, form, identity: self.identity }
    }
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", value.get(..at).unwrap_or_default()),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_named_by_what_they_ask() {
        let list = Ask::new(Step::Records, Verb::ListRecords, &[("metadataPrefix", "oai_dc"), ("set", "a")]);
        assert_eq!(list.name(), "ListRecords (oai_dc, set=a)");
        let next = list.next("t");
        assert_eq!(next.name(), "ListRecords (oai_dc, set=a), page 2");
        assert_eq!(next.call(7, "http://a.example/oai").url, "http://a.example/oai?verb=ListRecords&resumptionToken=t");
        assert_eq!(Ask { again: true, ..next }.name(), "ListRecords (oai_dc, set=a), page 2, again");
        let post = Ask { is_post: true, ..Ask::new(Step::IdentifyByPost, Verb::Identify, &[]) };
        assert_eq!(post.name(), "Identify, POST");
        let call = post.call(1, "http://a.example/oai?x=1");
        assert_eq!((call.url.as_str(), call.form.as_deref()), ("http://a.example/oai?x=1", Some("verb=Identify")));
        assert_eq!(Ask::raw(Step::Invalid(0), Vec::new()).name(), "?");
    }
}
