//! The response to `Identify`.

use alloc::vec::Vec;

use resourcesync::value::{Parsed, Uri, Value};

use crate::{
    catalogue::Code,
    note::Note,
    page::Identify,
    stamp::{Granularity, Stamp},
};

/// What is wrong with a description of a repository, which was requested from this URL.
pub(crate) fn identify(identify: &Identify, sent: Option<&str>) -> Vec<Note> {
    let mut notes = Vec::new();
    let missing = [
        ("repositoryName", identify.repository_name.is_none()),
        ("baseURL", identify.base_url.is_none()),
        ("protocolVersion", identify.protocol_version.is_none()),
        ("adminEmail", identify.admin_emails.is_empty()),
        ("earliestDatestamp", identify.earliest_datestamp.is_none()),
        ("deletedRecord", identify.deleted_record.is_none()),
        ("granularity", identify.granularity.is_none()),
    ];
    for (element, _) in missing.into_iter().filter(|(_, is_missing)| *is_missing) {
        notes.push(Note::new(Code::OAI_10).arg("element", element));
    }
    let granularity = identify.granularity();
    if let (Some(text), false) = (&identify.granularity, granularity.is_some_and(|(_, is_exact)| is_exact)) {
        notes.push(Note::new(Code::OAI_11).arg("value", text.as_str()));
    }
    if let Some(version) = identify.protocol_version.as_deref().filter(|version| *version != "2.0") {
        notes.push(Note::new(Code::OAI_12).arg("value", version));
    }
    if let (Some(own), Some(sent)) = (identify.base_url.as_deref(), sent)
        && !is_same(own, sent)
    {
        notes.push(Note::new(Code::OAI_13).arg("value", own).arg("sent", sent));
    }
    if let Some(earliest) = &identify.earliest_datestamp {
        let declared = granularity.map(|(granularity, _): (Granularity, bool)| granularity);
        let own = earliest.stamp.map(Stamp::granularity);
        let fits = earliest.is_exact && (declared.is_none() || own == declared);
        if !fits {
            notes.push(Note::new(Code::OAI_14).arg("value", earliest.text.as_str()));
        }
    }
    if let (Some(word), None) = (identify.deleted_record.as_deref(), identify.deletions()) {
        notes.push(Note::new(Code::OAI_15).arg("value", word));
    }
    notes
}

/// The addresses that are none.
pub(crate) fn admin_emails(identify: &Identify) -> impl Iterator<Item = Note> {
    let wrong = identify.admin_emails.iter().filter(|address| !is_email(address));
    wrong.map(|address| Note::new(Code::OAI_17).arg("value", address.as_str()))
}

/// The form that the schema of the protocol requires: something, `@`, and names separated by dots.
fn is_email(address: &str) -> bool {
    let Some((_, host)) = address.rsplit_once('@').filter(|(local, _)| !local.is_empty()) else { return false };
    let names = host.split('.').count();
    !address.contains(char::is_whitespace) && names > 1 && host.split('.').all(|name| !name.is_empty())
}

/// True for two forms of one URL.
fn is_same(one: &str, other: &str) -> bool {
    let normal = |text: &str| match Uri::read(text) {
        Parsed::Exact(uri) | Parsed::Lenient(uri) => uri.normalized(),
        Parsed::Malformed => text.into(),
    };
    one == other || normal(one) == normal(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_the_form_of_the_schema() {
        for (address, is_one) in [
            ("admin@repository.example", true),
            ("a.b+c@x.y.z", true),
            ("mailto:a@b.example", true),
            ("admin@localhost", false),
            ("admin at repository.example", false),
            ("Admin <admin@repository.example>", false),
            ("@repository.example", false),
            ("admin@repository.", false),
            ("", false),
        ] {
            assert_eq!(is_email(address), is_one, "{address}");
        }
    }

    #[test]
    fn forms_of_one_url_are_the_same() {
        assert!(is_same("HTTP://A.example:80/oai", "http://a.example/oai"));
        assert!(!is_same("http://a.example/oai", "https://a.example/oai"));
    }
}
