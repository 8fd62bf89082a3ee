//! A Source with Resource Dumps.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::{collections::BTreeMap, fmt::Write as _};

use resourcesync::{
    build::{BuildOptions, PackageWriter, Resource, ResourceDumpManifest},
    fixity::Digester,
    value::{Algorithm, Hashes},
};
use resourcesync_sync::report::{BytesFrom, Item, PackagePlan, Report};
use resourcesync_tests::package::{Raw, Zip};

use crate::source::{Source, document};

/// More resources than a package and its dump cost requests.
pub(crate) const MANY: u32 = 40;

/// A package of these resources, as the builder of this project writes it.
pub(crate) fn packed(bodies: &BTreeMap<String, Vec<u8>>, at: &str) -> Vec<u8> {
    let up = "https://example.com/capabilitylist.xml".parse().unwrap();
    let manifest = ResourceDumpManifest::new(up, at.parse().unwrap());
    let mut package = PackageWriter::resources(manifest, BuildOptions::default()).unwrap();
    let mut bytes = Vec::new();
    for (uri, body) in bodies {
        let resource = Resource::new(uri.parse().unwrap()).media_type("text/plain".parse().unwrap());
        package.push(resource.hash(hashes(body))).unwrap();
        package.write(body).unwrap();
        bytes.extend(package.take());
    }
    bytes.extend(package.finish().unwrap().rest);
    bytes
}

/// A package of changes: the paths of the resources, the times, and the bytes; none of those that were deleted.
pub(crate) fn packed_changes(source: &Source, interval: &str, changes: &[(&str, &str, Option<&str>)]) -> Vec<u8> {
    let mut entries = String::new();
    let mut members = Vec::new();
    for (number, (path, at, body)) in changes.iter().enumerate() {
        let md = match body {
            Some(body) => {
                members.push(Raw::deflated(&number.to_string(), body.as_bytes()));
                let (hash, length) = (digest(body.as_bytes()), body.len());
                format!(r#"change="updated" hash="{hash}" length="{length}" path="/{number}""#)
            }
            None => r#"change="deleted""#.to_owned(),
        };
        write!(entries, r#"<url><loc>{}{path}</loc><rs:md {md} datetime="{at}"/></url>"#, source.start()).unwrap();
    }
    let empty = document(source, &format!(r#"capability="changedump-manifest" {interval}"#), &[]);
    let manifest = String::from_utf8(empty).unwrap().replace("</urlset>", &format!("{entries}</urlset>"));
    members.insert(0, Raw::deflated("manifest.xml", manifest.as_bytes()));
    Zip::build(&members).bytes
}

/// Offers a Change Dump with these packages, each with its interval.
pub(crate) fn offer_changes(source: &Source, from: &str, packages: &[(&str, &str, &[u8])]) {
    let md: Vec<String> = packages
        .iter()
        .map(|(_, interval, bytes)| format!(r#"{interval} length="{}" hash="{}""#, bytes.len(), digest(bytes)))
        .collect();
    let entries: Vec<(&str, &str)> = packages.iter().zip(&md).map(|((name, ..), md)| (*name, &**md)).collect();
    let head = format!(r#"capability="changedump" from="{from}""#);
    source.serve("/changedump.xml", &document(source, &head, &entries));
    packages.iter().for_each(|(name, _, bytes)| source.serve(&format!("/{name}"), bytes));
}

fn hashes(bytes: &[u8]) -> Hashes {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(bytes);
    digester.finish()
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    hashes(bytes).to_string()
}

/// Lists these resources, and offers a dump with these packages.
pub(crate) fn offer(source: &Source, packages: &[(&str, &[u8])], at: &str) {
    source.publish();
    let lists = [("resourcelist.xml", r#"capability="resourcelist""#), ("dump.xml", r#"capability="resourcedump""#)];
    source.serve("/capabilitylist.xml", &document(source, r#"capability="capabilitylist""#, &lists));
    dump(source, packages, at);
}

/// Offers a dump with these packages, and no list.
pub(crate) fn offer_only(source: &Source, packages: &[(&str, &[u8])], at: &str) {
    source.publish();
    let lists = [("dump.xml", r#"capability="resourcedump""#)];
    source.serve("/capabilitylist.xml", &document(source, r#"capability="capabilitylist""#, &lists));
    dump(source, packages, at);
}

fn dump(source: &Source, packages: &[(&str, &[u8])], at: &str) {
    let md: Vec<String> = packages
        .iter()
        .map(|(_, bytes)| format!(r#"type="application/zip" length="{}" hash="{}""#, bytes.len(), digest(bytes)))
        .collect();
    let entries: Vec<(&str, &str)> = packages.iter().zip(&md).map(|((name, _), md)| (*name, &**md)).collect();
    let head = format!(r#"capability="resourcedump" at="{at}""#);
    source.serve("/dump.xml", &document(source, &head, &entries));
    packages.iter().for_each(|(name, bytes)| source.serve(&format!("/{name}"), bytes));
}

pub(crate) fn bodies(source: &Source, from: u32, text: &str) -> BTreeMap<String, Vec<u8>> {
    let start = source.start();
    (from..MANY).map(|number| (format!("{start}r/{number}"), format!("{text} {number}").into_bytes())).collect()
}

pub(crate) fn list_all(source: &Source, bodies: &BTreeMap<String, Vec<u8>>) {
    let start = source.start();
    bodies.iter().for_each(|(uri, body)| source.put(&uri[start.len() - 1..], body.clone()));
}

pub(crate) fn of_packages(report: &Report) -> usize {
    let is = |item: &&Item| item.bytes_from == Some(BytesFrom::Package);
    report.items.iter().filter(is).count()
}

pub(crate) fn plan(report: &Report) -> PackagePlan {
    report.plan.and_then(|plan| plan.packages).unwrap()
}

/// Requests for resources.
pub(crate) fn requests(source: &Source) -> usize {
    source.log().iter().filter(|path| path.starts_with("/r/")).count()
}
