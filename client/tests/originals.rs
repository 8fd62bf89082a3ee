//! Audits that compare with the originals that `via` links name.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::{
    Cancel,
    destination::{Audit, AuditOptions, AuditOutcome, Sign, audit_with},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::selection::Selection;

use crate::source::{Place, Source, document, run, tree};

/// Publishes these resources with their bodies, each with the `via` link that it has.
fn publish(source: &Source, resources: &[(&str, &str, Option<String>)]) {
    source.publish();
    let entries: String = resources
        .iter()
        .map(|(path, body, via)| {
            source.serve(&format!("/{path}"), body.as_bytes());
            let mut digester = Digester::new([Algorithm::Sha256]);
            digester.push(body.as_bytes());
            let (hash, length) = (digester.finish(), body.len());
            let link = via.as_ref().map(|via| format!(r#"<rs:ln rel="via" href="{via}"/>"#)).unwrap_or_default();
            let loc = format!("{}{path}", source.start());
            format!(r#"<url><loc>{loc}</loc><rs:md hash="{hash}" length="{length}"/>{link}</url>"#)
        })
        .collect();
    let empty = document(source, r#"capability="resourcelist" at="2024-05-01T00:00:00Z""#, &[]);
    let list = String::from_utf8(empty).unwrap().replace("</urlset>", &format!("{entries}</urlset>"));
    source.serve("/resourcelist.xml", list.as_bytes());
}

fn audit(source: &Source, allowed: &[&Source], folder: &Path, selection: Selection) -> Audit {
    let mut policy = Policy::default();
    policy.start(&source.start()).unwrap();
    allowed.iter().for_each(|other| policy.allow(other.host()).unwrap());
    (policy.limits.http_requests_per_second, policy.limits.http_retries) = (0, 0);
    let client = Arc::new(Client::new(policy, ClientOptions::default()).unwrap());
    let options = AuditOptions { via: true, selection, ..AuditOptions::default() };
    audit_with(folder, Some(&client), &options, &Cancel::default(), &mut |_| {}).unwrap()
}

fn signs(audit: &Audit) -> BTreeMap<String, Sign> {
    let name = |uri: &str| uri.rsplit('/').next().unwrap().to_owned();
    audit.compared.differences.iter().map(|difference| (name(&difference.uri), difference.sign)).collect()
}

fn expected(list: &[(&str, Sign)]) -> BTreeMap<String, Sign> {
    list.iter().map(|(name, sign)| ((*name).to_owned(), *sign)).collect()
}

/// An aggregator and the Source that it republishes, with a copy of the former.
fn aggregated(name: &str) -> (Place, Source, Source) {
    let (place, source, origin) = (Place::new(name), Source::new(), Source::new());
    let via = |path: &str| Some(format!("{}o/{path}", origin.start()));
    publish(&source, &[("same", "bytes", via("same")), ("other", "bytes", via("other")), ("own", "bytes", None)]);
    ["/o/same", "/o/other"].into_iter().for_each(|path| origin.serve(path, b"bytes"));
    run(&source, &place.copy());
    (place, source, origin)
}

#[test]
fn the_copy_is_compared_with_the_bytes_of_the_originals() {
    let (place, source, origin) = aggregated("originals");
    let found = audit(&source, &[&origin], &place.copy(), Selection::default());
    assert_eq!((found.outcome, found.compared.equal, found.compared.originals), (AuditOutcome::Equal, 3, Some(2)));
    origin.serve("/o/other", b"newer");
    let found = audit(&source, &[&origin], &place.copy(), Selection::default());
    assert_eq!((found.outcome, signs(&found)), (AuditOutcome::Different, expected(&[("other", Sign::Diverged)])));
    assert_eq!((found.compared.counts.diverged, found.compared.originals), (1, Some(2)));
    // What is not selected is not compared, and what differs from the Source or was changed here is that.
    origin.clear_log();
    let selection = Selection { include: vec!["same".to_owned()], ..Selection::default() };
    assert_eq!(audit(&source, &[&origin], &place.copy(), selection).compared.originals, Some(1));
    assert_eq!(origin.log(), ["/o/same"]);
    let (name, _) = tree(&place.copy()).into_iter().find(|(name, _)| name.ends_with("/other")).unwrap();
    fs::write(place.copy().join(name), "mine").unwrap();
    origin.clear_log();
    let via = Some(format!("{}o/same", origin.start()));
    publish(&source, &[("same", "later", via.clone()), ("other", "bytes", via), ("own", "bytes", None)]);
    let found = audit(&source, &[&origin], &place.copy(), Selection::default());
    assert_eq!(signs(&found), expected(&[("other", Sign::Damaged), ("same", Sign::Behind)]));
    assert_eq!(origin.log(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_compared_with_its_original_is_undetermined() {
    let (place, source, origin) = aggregated("originals-undetermined");
    // Its host is not allowed: nothing is requested.
    let found = audit(&source, &[], &place.copy(), Selection::default());
    let both = expected(&[("other", Sign::Unverifiable), ("same", Sign::Unverifiable)]);
    assert_eq!((found.outcome, signs(&found), found.compared.originals), (AuditOutcome::Undetermined, both, Some(0)));
    assert!(found.compared.differences.iter().all(|difference| difference.cause.is_some()));
    assert_eq!(origin.log(), Vec::<String>::new());
    // It does not exist any more, or breaks off.
    origin.hide("/o/same");
    origin.cut("/o/other", true);
    let found = audit(&source, &[&origin], &place.copy(), Selection::default());
    assert_eq!((found.outcome, found.compared.originals), (AuditOutcome::Undetermined, Some(0)));
    assert!(found.compared.differences.iter().all(|difference| difference.cause.is_some()), "{found:?}");
    // No entry names an original.
    publish(&source, &[("same", "bytes", None), ("other", "bytes", None), ("own", "bytes", None)]);
    let found = audit(&source, &[&origin], &place.copy(), Selection::default());
    assert_eq!((found.outcome, found.compared.equal), (AuditOutcome::Undetermined, 3));
}
