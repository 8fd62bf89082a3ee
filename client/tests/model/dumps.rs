//! Resource Dumps beside the lists: as old as these or older, with all resources or some, and with packages that are damaged, of another
//! publication, or full of other bytes. Change Dumps beside the Change Lists or in place of them.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
};

use resourcesync_tests::package::{Raw, Zip};

use crate::{
    random::Random,
    source::{Changed, Clock, HOST, digests},
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
    changes: Option<ChangeDump>,
}

/// A Change Dump with a package of the changes of each publication.
#[derive(Debug)]
struct ChangeDump {
    /// True if there are no Change Lists beside it.
    is_list: bool,
    /// The maximum number of packages; those before are gone.
    keep: usize,
    /// The end of the last package.
    from: i64,
    number: u64,
    /// Beginning, end, number and bytes of each; no bytes where the package is missing.
    packages: VecDeque<(i64, i64, u64, Option<Vec<u8>>)>,
}

/// What happens to the resources, and when it is published.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Happened<'s> {
    pub(crate) changes: &'s [Changed],
    pub(crate) now: i64,
    pub(crate) clock: Clock,
}

impl Dumps {
    /// `may_be_lists` if there is one set, and `has_clock` if the clock is always right.
    pub(crate) fn new(mut random: Random, has_digests: bool, may_be_lists: bool, has_clock: bool, since: i64) -> Dumps {
        let are_lists = may_be_lists && random.once_in(3);
        let changes = (may_be_lists && random.once_in(2)).then(|| ChangeDump {
            is_list: has_clock && random.once_in(2),
            keep: 1 + random.below(4) as usize,
            from: since,
            number: 0,
            packages: VecDeque::new(),
        });
        Dumps { random, has_digests, are_lists, is_last: false, documents: Documents::new(), changes }
    }

    /// Adds a dump to the documents of a publication; `at` is the time that it states.
    pub(crate) fn publish(
        &mut self,
        resources: &BTreeMap<String, (Vec<u8>, i64)>,
        at: &str,
        happened: Happened<'_>,
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
        self.publish_changes(happened, documents);
    }

    /// True if the manifests of packages take the place of Resource Lists or of Change Lists.
    pub(crate) fn has_manifests_as_lists(&self) -> bool {
        self.are_lists || self.changes.as_ref().is_some_and(|dump| dump.is_list)
    }

    /// Adds a Change Dump, with one more package.
    fn publish_changes(&mut self, happened: Happened<'_>, documents: &mut Documents) {
        if self.changes.is_none() {
            return;
        }
        let wrong = self.wrong();
        let Some(mut dump) = self.changes.take() else { return };
        let packed = |from, until, wrong| change_package(happened, from, until, wrong);
        let package = (wrong != Wrong::Missing).then(|| packed(dump.from, happened.now, wrong));
        dump.packages.push_back((dump.from, happened.now, dump.number, package));
        (dump.from, dump.number) = (happened.now, dump.number + 1);
        let written = |moment: i64| happened.clock.written(moment).to_string();
        // What remains has all changes since it begins, as it states.
        let is_whole = |from: i64| {
            let is_lost = |change: &&Changed| change.time <= from && written(change.time) == written(from);
            !happened.changes.iter().any(|change| is_lost(&change))
        };
        while dump.packages.len() > dump.keep && is_whole(dump.packages[1].0) {
            dump.packages.pop_front();
        }
        let mut entries = String::new();
        for (from, until, number, package) in &mut dump.packages {
            if self.is_last {
                *package = Some(packed(*from, *until, Wrong::Nothing));
            }
            let length = package.as_ref().map_or(100, Vec::len);
            let interval = format!(r#"from="{}" until="{}""#, written(*from), written(*until));
            let uri = format!("{HOST}changes-{number}.zip");
            write!(entries, r#"<url><loc>{uri}</loc><rs:md {interval} length="{length}"/></url>"#).unwrap();
            documents.extend(package.clone().map(|package| (uri, package)));
        }
        let from = written(dump.packages[0].0);
        let head = format!(r#"<rs:md capability="changedump" from="{from}"/>"#);
        documents
            .insert(format!("{HOST}changedump.xml"), format!("<urlset {HEAD}>{head}{entries}</urlset>").into_bytes());
        for body in documents.values_mut().filter(|body| is_capability_list(body)) {
            let text = String::from_utf8(std::mem::take(body)).unwrap();
            let is_kept = |piece: &&str| !(dump.is_list && piece.contains("capability=\"changelist\""));
            let kept: String = text.split_inclusive("</url>").filter(is_kept).collect();
            let own = format!("<url><loc>{HOST}changedump.xml</loc><rs:md capability=\"changedump\"/></url></urlset>");
            *body = kept.replace("</urlset>", &own).into_bytes();
        }
        self.changes = Some(dump);
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
        let is_list = self.has_manifests_as_lists();
        let kinds = if self.has_digests && !is_list { 12 } else { 8 };
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

/// A package of the changes in an interval.
fn change_package(happened: Happened<'_>, from: i64, until: i64, wrong: Wrong) -> Vec<u8> {
    let written = |moment: i64| happened.clock.written(moment).to_string();
    let mut manifest = format!(
        r#"<urlset {HEAD}><rs:md capability="changedump-manifest" from="{}" until="{}"/>"#,
        written(from),
        written(until)
    );
    let mut members = Vec::new();
    let is_in = |change: &&Changed| change.time > from && change.time <= until && change.only.is_none();
    for (number, Changed { time: at, name, body, was, .. }) in happened.changes.iter().filter(is_in).enumerate() {
        let md = match (body, was) {
            (None, _) => r#"change="deleted""#.to_owned(),
            (Some(body), was) => {
                let mut stored = body.clone();
                if wrong == Wrong::OtherBytes {
                    stored.iter_mut().for_each(|byte| *byte ^= 1);
                }
                let of = if wrong == Wrong::Swapped { &b"other"[..] } else { body };
                let (hash, verb) = (digests(of), if *was { "updated" } else { "created" });
                members.push(Raw::deflated(&number.to_string(), &stored));
                format!(r#"change="{verb}" hash="{hash}" length="{}" path="/{number}""#, body.len())
            }
        };
        write!(manifest, r#"<url><loc>{HOST}{name}</loc><rs:md {md} datetime="{}"/></url>"#, written(*at)).unwrap();
    }
    manifest.push_str("</urlset>");
    members.insert(0, Raw::deflated("manifest.xml", manifest.as_bytes()));
    let mut bytes = Zip::build(&members).bytes;
    if wrong == Wrong::Cut {
        bytes.truncate(bytes.len() * 2 / 3);
    }
    bytes
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
