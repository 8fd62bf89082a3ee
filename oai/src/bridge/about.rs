//! What the page of a Source says about the repository that its records come from.

use alloc::{format, string::String};

use crate::{
    harvest::{Facts, Status},
    page::DeletedRecord,
};

/// The origin of the records of a Source.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The base URL of the repository.
    pub repository: &'a str,
    /// Its description.
    pub facts: Option<&'a Facts>,
    /// The first day or second that was harvested, if not everything was.
    pub since: Option<&'a str>,
    /// What is published of a harvest that is not complete, if it is published all the same.
    pub status: Status,
}

impl About<'_> {
    /// As HTML.
    pub fn html(&self) -> String {
        let name = self.facts.and_then(|facts| facts.repository_name.as_deref()).unwrap_or(self.repository);
        let mut text = format!(
            "<h2>Origin</h2>\n<p>The resources are the metadata records of <a href=\"{url}\">{name}</a>, harvested with OAI-PMH from \
             <code>{url}</code>. Each record is as the repository sent it; the link <code>via</code> is the request for it.</p>\n",
            url = escaped(self.repository),
            name = escaped(name),
        );
        let deletions = match self.facts.and_then(|facts| facts.deleted_record) {
            Some(DeletedRecord::Persistent) => {
                "The repository keeps track of all deletions (<code>persistent</code>), and a deletion is published with the time that it reports."
            }
            Some(DeletedRecord::Transient) => {
                "The repository keeps track of deletions for a limited time (<code>transient</code>). Others are found by comparing with a full list of \
                 its identifiers, and published with the time of that comparison."
            }
            Some(DeletedRecord::No) => {
                "The repository keeps no track of deletions (<code>no</code>). They are found by comparing with a full list of its identifiers, and \
                 published with the time of that comparison."
            }
            None => "The repository does not say whether it keeps track of deletions.",
        };
        text.push_str(&format!("<p>{deletions}</p>\n"));
        let earliest = self.facts.and_then(|facts| facts.earliest_datestamp).map(|stamp| format!("{stamp}"));
        if let Some(from) = self.since.or(earliest.as_deref()) {
            text.push_str(&format!("<p>There are records with datestamps from {} on.</p>\n", escaped(from)));
        }
        let warning = match self.status {
            Status::Complete => return text,
            Status::Suspect => {
                "Something contradicts that the last harvest was complete, so that records may be missing."
            }
            Status::Incomplete => "The last harvest was not complete, so that records are missing.",
        };
        text.push_str(&format!("<p><strong>{warning}</strong></p>\n"));
        text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_how_deletions_are_known_and_that_records_are_missing() {
        let facts = Facts {
            repository_name: Some("A & <B>".into()),
            deleted_record: Some(DeletedRecord::Transient),
            ..Facts::default()
        };
        let about = About {
            repository: "http://a.example/oai?x=1&y",
            facts: Some(&facts),
            since: Some("2026-01-01"),
            status: Status::Complete,
        };
        let html = about.html();
        assert!(html.contains("A &amp; &lt;B></a>") && html.contains("x=1&amp;y") && html.contains("transient"));
        assert!(html.contains("from 2026-01-01 on") && !html.contains("<strong>"));
        assert!(About { status: Status::Incomplete, ..about }.html().contains("<strong>"));
    }
}
