//! Sources as deployed software publishes them: each page of `peers/` is one, with the expected outcome.
//!
//! A page begins with lines of the expected outcome; `===== PATH` begins a response. In documents, `{base}` is the server, and `{md5 PATH}`,
//! `{sha256 PATH}` and `{length PATH}` are those of another response.

use std::{collections::BTreeMap, fs, path::Path};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_tests::server::{Server, reply};
use serde_json::Value;

use super::{decoded, sync, tree};
use crate::bench::Bench;

/// A Source and what becomes of it.
struct Peer {
    head: Vec<(String, String)>,
    pages: BTreeMap<String, String>,
}

impl Peer {
    fn read(path: &Path) -> Peer {
        let text = fs::read_to_string(path).unwrap();
        let (head, pages) = text.split_once("===== ").unwrap();
        let head = head.lines().map(|line| line.split_once(": ").unwrap());
        let page = |page: &str| page.split_once('\n').map(|(path, body)| (path.to_owned(), body.to_owned())).unwrap();
        Peer {
            head: head.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            pages: pages.split("===== ").map(page).collect(),
        }
    }

    fn all(&self, name: &str) -> Vec<&str> {
        self.head.iter().filter(|(own, _)| own == name).map(|(_, value)| &**value).collect()
    }

    fn one(&self, name: &str) -> Option<&str> {
        self.all(name).first().copied()
    }

    fn digest(&self, algorithm: Algorithm, path: &str) -> String {
        let mut digester = Digester::new([algorithm]);
        digester.push(self.pages[path].as_bytes());
        digester.finish().to_string().split_once(':').unwrap().1.to_owned()
    }

    /// A response with its references filled in.
    fn page(&self, path: &str, base: &str) -> Option<Vec<u8>> {
        let mut page = self.pages.get(path)?.replace("{base}", base);
        for (path, body) in &self.pages {
            page = page
                .replace(&format!("{{md5 {path}}}"), &self.digest(Algorithm::Md5, path))
                .replace(&format!("{{sha256 {path}}}"), &self.digest(Algorithm::Sha256, path))
                .replace(&format!("{{length {path}}}"), &body.len().to_string());
        }
        Some(page.into_bytes())
    }
}

fn codes<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().filter_map(|one| one[name].as_str()).collect()
}

#[test]
fn sources_of_deployed_software_are_copied_as_far_as_they_can_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/sync/peers");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 7, "{paths:?}");
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let peer = Peer::read(&path);
        let bench = Bench::new(&format!("sync-peer-{name}"));
        let (served, start) = (Peer::read(&path), peer.one("start").unwrap_or("/").to_owned());
        let server = Server::new(move |asked, stream| {
            let base = format!("http://{}", asked.header("host").unwrap());
            match served.page(&decoded(&asked.path), &base) {
                Some(body) => reply(stream, "200 OK", &[], &body),
                None => reply(stream, "404 Not Found", &[], b"no such page"),
            }
        });
        let status = peer.one("status").unwrap().parse().unwrap();
        let report = sync(&bench, &["--format", "json", &server.url(&start), "copy"]).ends(status).json();
        let outcome = if status == 0 { "in-step" } else { "incomplete" };
        assert_eq!(report["run"]["outcome"], outcome, "{name}: {report:#}");
        assert_eq!(report["asOf"].as_str(), peer.one("as-of").or(report["asOf"].as_str()), "{name}");
        let host = bench.path(&format!("copy/{}", server.place().replace(':', "^")));
        let mut held = peer.all("held");
        held.sort_unstable();
        assert_eq!(tree(&host).into_keys().collect::<Vec<_>>(), held, "{name}: {report:#}");
        for (file, body) in tree(&host) {
            assert_eq!(body, peer.pages[&format!("/{file}")].as_bytes(), "{name}: {file}");
        }
        let by = |way: &str| report["verified"][way].as_u64().unwrap();
        let verified = format!("{} by digest, {} by length, {} by nothing", by("digest"), by("length"), by("nothing"));
        assert_eq!(Some(&*verified), peer.one("verified"), "{name}");
        assert_eq!(codes(&report["diagnostics"], "code"), peer.all("finding"), "{name}");
        let mut failed: Vec<String> = (report["items"].as_array().unwrap().iter())
            .filter_map(|item| Some(format!("{} {}", item["code"].as_str()?, item["uri"].as_str()?)))
            .map(|line| line.replace(&server.url(""), ""))
            .collect();
        failed.sort_unstable();
        assert_eq!(failed, peer.all("failed"), "{name}");
        bench.run(&["audit", "--offline", "copy"]).ends(i32::from(!failed.is_empty()));

        // Nothing changed: the documents are requested once more, and resources only if they failed.
        let before = server.seen().len();
        sync(&bench, &["copy"]).ends(status);
        let again = &server.paths()[before..];
        for file in peer.all("held").iter().filter(|_| status == 0) {
            assert!(!again.iter().any(|path| decoded(path) == format!("/{file}")), "{name}: {again:?}");
        }
    }
}
