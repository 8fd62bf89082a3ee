//! Resource Dumps beside the lists: as old as these or older, with all resources or some, and with packages that are damaged, of another
//! publication, or full of other bytes.

use std::{collections::BTreeMap, fmt::Write as _};

use resourcesync_tests::package::{Raw, Zip};

use crate::{
    random::Random,
    source::{HOST, digests},
    worse::Documents,
};

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

/// What is wrong with a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// The end of the archive is missing.
    Cut,
    /// It is not there.
    Missing,
    /// It has other bytes than listed, and its manifest states their digests.
    OtherBytes,
    /// Its manifest states other digests than its members have.
    Manifest,
    /// The resources have each other's bytes.
    Swapped,
}

#[derive(Debug)]
pub(crate) struct Dumps {
    random: Random,
    /// Only with digests can other bytes be told.
    has_digests: bool,
    /// True if the manifests are the lists: then they have all resources, and say what is so.
    pub(crate) are_lists: bool,
    /// True once nothing goes wrong any more.
    pub(crate) is_last: bool,
    /// What was published last, and may stay while the lists go on.
    documents: Documents,
}

impl Dumps {
    pub(crate) fn new(mut random: Random, has_digests: bool, may_be_lists: bool) -> Dumps {
        let are_lists = may_be_lists && random.once_in(3);
        Dumps { random, has_digests, are_lists, is_last: false, documents: Documents::new() }
    }

    /// Adds a dump to the documents of a publication; `at` is the time that it states.
    pub(crate) fn publish(
        &mut self,
        resources: &BTreeMap<String, (Vec<u8>, i64)>,
        at: &str,
        documents: &mut Documents,
    ) {
        let is_older = !self.documents.is_empty() && !self.is_last && self.random.once_in(3);
        if !is_older {
            let before = std::mem::take(&mut self.documents);
            self.write(resources, at, before);
        }
        documents.extend(self.documents.clone());
        for body in documents.values_mut().filter(|body| is_capability_list(body)) {
            let text = String::from_utf8(std::mem::take(body)).unwrap();
            let dump = format!("<url><loc>{HOST}dump.xml</loc><rs:md capability=\"resourcedump\"/></url></urlset>");
            *body = text.replace("</urlset>", &dump).into_bytes();
        }
    }

    fn write(&mut self, resources: &BTreeMap<String, (Vec<u8>, i64)>, at: &str, before: Documents) {
        let is_partial = self.random.once_in(3) && !self.are_lists;
        let mut packed: Vec<(&String, &Vec<u8>)> = resources.iter().map(|(name, (body, _))| (name, body)).collect();
        packed.retain(|_| !is_partial || !self.random.once_in(3));
        let parts = 1 + self.random.below(2) as usize;
        let states_digest = self.random.once_in(2);
        let mut entries = String::new();
        for (number, part) in packed.chunks(packed.len().div_ceil(parts).max(1)).enumerate() {
            let wrong = self.wrong();
            let uri = format!("{HOST}part-{number}.zip");
            let package = package(part, at, wrong);
            let hash = if states_digest { format!(" hash=\"{}\"", digests(&package)) } else { String::new() };
            write!(entries, "<url><loc>{uri}</loc><rs:md length=\"{}\"{hash}/></url>", package.len()).unwrap();
            // The package of an earlier publication may still be there.
            match before.get(&uri).filter(|_| self.random.once_in(8) && !self.is_last) {
                Some(earlier) => drop(self.documents.insert(uri, earlier.clone())),
                None if wrong == Wrong::Missing => {}
                None => drop(self.documents.insert(uri, package)),
            }
        }
        let head = format!("<rs:md capability=\"resourcedump\" at=\"{at}\"/>");
        let dump = format!("<urlset {HEAD}>{head}{entries}</urlset>").into_bytes();
        if self.random.once_in(3) {
            let index =
                format!("<sitemapindex {HEAD}>{head}<sitemap><loc>{HOST}dump-1.xml</loc></sitemap></sitemapindex>");
            self.documents.insert(format!("{HOST}dump.xml"), index.into_bytes());
            self.documents.insert(format!("{HOST}dump-1.xml"), dump);
        } else {
            self.documents.insert(format!("{HOST}dump.xml"), dump);
        }
    }

    fn wrong(&mut self) -> Wrong {
        let kinds = if self.has_digests && !self.are_lists { 12 } else { 8 };
        match self.random.below(kinds) {
            _ if self.is_last => Wrong::Nothing,
            0 => Wrong::Cut,
            1 => Wrong::Missing,
            8 => Wrong::OtherBytes,
            9 => Wrong::Manifest,
            10 => Wrong::Swapped,
            _ => Wrong::Nothing,
        }
    }
}

/// True for a Capability List: the first capability of a document is its own.
fn is_capability_list(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    let own = text.split_once("capability=\"").map(|(_, rest)| rest.starts_with("capabilitylist\""));
    text.contains("<urlset") && own == Some(true)
}

fn package(resources: &[(&String, &Vec<u8>)], at: &str, wrong: Wrong) -> Vec<u8> {
    let mut manifest = format!("<urlset {HEAD}><rs:md capability=\"resourcedump-manifest\" at=\"{at}\"/>");
    let mut members = Vec::new();
    for (number, (name, body)) in resources.iter().enumerate() {
        let mut stored = (*body).clone();
        match wrong {
            Wrong::OtherBytes => stored.iter_mut().for_each(|byte| *byte ^= 1),
            Wrong::Swapped => stored.clone_from(resources[(number + 1) % resources.len()].1),
            _ => {}
        }
        let stated = if wrong == Wrong::Manifest { digests(b"other") } else { digests(&stored) };
        write!(
            manifest,
            "<url><loc>{HOST}{name}</loc><rs:md hash=\"{stated}\" length=\"{}\" path=\"/{number}\"/></url>",
            stored.len()
        )
        .unwrap();
        members.push(Raw::deflated(&number.to_string(), &stored));
    }
    manifest.push_str("</urlset>");
    members.insert(0, Raw::deflated("manifest.xml", manifest.as_bytes()));
    let mut bytes = Zip::build(&members).bytes;
    if wrong == Wrong::Cut {
        bytes.truncate(bytes.len() * 2 / 3);
    }
    bytes
}
