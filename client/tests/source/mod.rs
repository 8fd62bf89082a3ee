//! A Source on the loopback interface: a simple writer of documents, and a server that can be configured to
//! misbehave.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
    thread,
};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::{
    Cancel,
    destination::{Options, SyncError, sync},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::report::Report;

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

#[derive(Default)]
struct State {
    /// The listed resources, by URI, with the body of their digests.
    listed: BTreeMap<String, Vec<u8>>,
    served: BTreeMap<String, Vec<u8>>,
    redirects: BTreeMap<String, String>,
    cut: BTreeSet<String>,
    modified: BTreeMap<String, String>,
    lastmod: Option<String>,
    log: Vec<String>,
    /// Responds before anything else.
    script: Option<Arc<Script>>,
    /// Every body that was ever listed.
    were: HashSet<(String, Vec<u8>)>,
    published: u32,
}

/// A request that a script responds to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) range: Option<String>,
    pub(crate) if_range: Option<String>,
}

/// The bytes of a response, after which the connection is closed; `None` for that of the Source.
type Script = dyn Fn(&Asked) -> Option<Vec<u8>> + Send + Sync;

/// The Source.
pub(crate) struct Source {
    state: Arc<Mutex<State>>,
    host: String,
}

const DOCUMENTS: [&str; 3] = ["/.well-known/resourcesync", "/capabilitylist.xml", "/resourcelist.xml"];

impl Source {
    pub(crate) fn new() -> Source {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                thread::spawn(move || serve(stream, &shared));
            }
        });
        Source { state, host }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn start(&self) -> String {
        format!("http://{}/", self.host)
    }

    /// Adds a resource that is served and listed.
    pub(crate) fn put(&self, path: &str, body: impl Into<Vec<u8>>) {
        let (uri, body) = (format!("http://{}{path}", self.host), body.into());
        let mut state = self.state();
        state.were.insert((path.to_owned(), body.clone()));
        state.listed.insert(uri, body.clone());
        state.served.insert(path.to_owned(), body);
    }

    /// Adds a resource that is listed with a raw path, and served for any path.
    pub(crate) fn list(&self, path: &str, body: &str) {
        self.list_uri(&format!("http://{}{path}", self.host), body);
        self.state().served.insert("*".to_owned(), body.into());
    }

    pub(crate) fn list_uri(&self, uri: &str, body: &str) {
        self.state().listed.insert(uri.to_owned(), body.into());
    }

    pub(crate) fn remove(&self, path: &str) {
        let uri = format!("http://{}{path}", self.host);
        let mut state = self.state();
        state.listed.remove(&uri);
        state.served.remove(path);
    }

    /// True if a resource is listed.
    pub(crate) fn lists(&self, path: &str) -> bool {
        self.state().listed.contains_key(&format!("http://{}{path}", self.host))
    }

    pub(crate) fn clear(&self) {
        self.state().listed.clear();
    }

    pub(crate) fn publish(&self) {
        let number = {
            let mut state = self.state();
            state.published += 1;
            state.published
        };
        self.publish_at(&format!("2024-05-{:02}T{:02}:{:02}:00Z", 1 + number / 1440, number / 60 % 24, number % 60));
    }

    pub(crate) fn publish_at(&self, at: &str) {
        let start = self.start();
        let mut state = self.state();
        let mut list = format!(
            "<urlset {HEAD}><rs:ln rel=\"up\" href=\"{start}capabilitylist.xml\"/><rs:md capability=\"resourcelist\" at=\"{at}\"/>"
        );
        for (uri, body) in &state.listed {
            let mut digester = Digester::new([Algorithm::Md5, Algorithm::Sha256]);
            digester.push(body);
            let hash = digester.finish();
            let uri = uri.replace('&', "&amp;");
            let lastmod = state.lastmod.as_ref().map(|at| format!("<lastmod>{at}</lastmod>")).unwrap_or_default();
            write!(list, "<url><loc>{uri}</loc>{lastmod}<rs:md hash=\"{hash}\" length=\"{}\"/></url>", body.len())
                .unwrap();
        }
        list.push_str("</urlset>");
        let one = |capability: &str, below: &str, path: &str| {
            format!(
                "<urlset {HEAD}><rs:md capability=\"{capability}\"/><url><loc>{start}{path}</loc><rs:md capability=\"{below}\"/></url></urlset>"
            )
        };
        let pages = [
            one("description", "capabilitylist", "capabilitylist.xml"),
            one("capabilitylist", "resourcelist", "resourcelist.xml"),
            list,
        ];
        for (path, page) in DOCUMENTS.into_iter().zip(pages) {
            state.served.insert(path.to_owned(), page.into_bytes());
        }
    }

    pub(crate) fn documents(&self) -> Vec<String> {
        DOCUMENTS.map(str::to_owned).to_vec()
    }

    pub(crate) fn body(&self, path: &str) -> Vec<u8> {
        self.state().served[path].clone()
    }

    /// Serves other bytes than those listed.
    pub(crate) fn serve(&self, path: &str, body: &[u8]) {
        self.state().served.insert(path.to_owned(), body.to_vec());
    }

    /// Serves a resource with this `Last-Modified`.
    pub(crate) fn modified(&self, path: &str, date: &str) {
        self.state().modified.insert(path.to_owned(), date.to_owned());
    }

    /// Lists all resources as modified at this moment.
    pub(crate) fn lastmod(&self, at: &str) {
        self.state().lastmod = Some(at.to_owned());
    }

    pub(crate) fn hide(&self, path: &str) {
        self.state().served.remove(path);
    }

    pub(crate) fn redirect(&self, path: &str, to: &str) {
        self.state().redirects.insert(path.to_owned(), to.to_owned());
    }

    /// Lets a function respond to requests.
    pub(crate) fn script(&self, script: impl Fn(&Asked) -> Option<Vec<u8>> + Send + Sync + 'static) {
        self.state().script = Some(Arc::new(script));
    }

    /// Closes the connection before the last byte.
    pub(crate) fn cut(&self, path: &str, cut: bool) {
        if cut {
            self.state().cut.insert(path.to_owned())
        } else {
            self.state().cut.remove(path)
        };
    }

    /// True if a resource was ever listed with this body.
    pub(crate) fn was(&self, path: &str, body: &[u8]) -> bool {
        self.state().were.contains(&(path.to_owned(), body.to_vec()))
    }

    pub(crate) fn log(&self) -> Vec<String> {
        self.state().log.clone()
    }

    pub(crate) fn clear_log(&self) {
        self.state().log.clear();
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let Ok(mut writer) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    loop {
        let (mut path, mut tag, mut range, mut if_range) = (None, None, None, None);
        loop {
            let mut line = String::new();
            if !reader.read_line(&mut line).is_ok_and(|length| length > 0) {
                return;
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("if-none-match: ") {
                tag = Some(value.to_owned());
            }
            let value = |name: &str| line.to_ascii_lowercase().starts_with(name).then(|| line[name.len()..].to_owned());
            range = value("range: ").or(range);
            if_range = value("if-range: ").or(if_range);
            if path.is_none() {
                path = line.split(' ').nth(1).map(str::to_owned);
            }
        }
        let Some(path) = path else { return };
        let script = state.lock().unwrap().script.clone();
        let asked = Asked { path: path.clone(), range, if_range };
        if let Some(answer) = script.and_then(|script| script(&asked)) {
            state.lock().unwrap().log.push(path);
            let _ = writer.write_all(&answer);
            return;
        }
        let (body, redirect, is_cut, modified) = {
            let mut state = state.lock().unwrap();
            state.log.push(path.clone());
            let body = state.served.get(&path).or_else(|| state.served.get("*")).cloned();
            let modified = state.modified.get(&path).cloned();
            (body, state.redirects.get(&path).cloned(), state.cut.contains(&path), modified)
        };
        let head = |status: &str, more: &str, length: usize| {
            format!("HTTP/1.1 {status}\r\n{more}Content-Length: {length}\r\n\r\n").into_bytes()
        };
        let mut answer = match (redirect, body) {
            (Some(to), _) => head("302 Found", &format!("Location: {to}\r\n"), 0),
            (None, None) => head("404 Not Found", "", 0),
            (None, Some(body)) => {
                let mut digester = Digester::new([Algorithm::Md5]);
                digester.push(&body);
                let own = format!("\"{}\"", digester.finish());
                if tag.as_deref() == Some(&own) {
                    format!("HTTP/1.1 304 Not Modified\r\nETag: {own}\r\n\r\n").into_bytes()
                } else {
                    let modified = modified.map(|date| format!("Last-Modified: {date}\r\n")).unwrap_or_default();
                    let mut answer = head("200 OK", &format!("ETag: {own}\r\n{modified}"), body.len());
                    answer.extend(body);
                    answer
                }
            }
        };
        if is_cut {
            answer.pop();
        }
        if writer.write_all(&answer).is_err() || is_cut {
            return;
        }
    }
}

/// A separate folder for a test.
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    pub(crate) fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("resourcesync-sync-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    pub(crate) fn copy(&self) -> PathBuf {
        self.0.join("copy")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn client(start: &str) -> Arc<Client> {
    let mut policy = Policy::default();
    policy.start(start).unwrap();
    policy.limits.http_requests_per_second = 0;
    policy.limits.http_retries = 0;
    Arc::new(Client::new(policy, ClientOptions::default()).unwrap())
}

pub(crate) fn run_with(start: &str, folder: &Path, options: &Options) -> Result<Report, SyncError> {
    sync(start, folder, &client(start), options, &Cancel::default(), &mut |_| {})
}

pub(crate) fn run(source: &Source, folder: &Path) -> Report {
    run_with(&source.start(), folder, &Options::default()).unwrap()
}

/// The files of a copy, except its private ones.
pub(crate) fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<(String, Vec<u8>)>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.ends_with(".resourcesync") {
                continue;
            }
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

/// The attribute of a resource with five bytes.
pub(crate) const LENGTH: &str = r#"length="5""#;

/// A document with entries: the ends of their URIs, and attributes of `rs:md`.
pub(crate) fn document(source: &Source, head: &str, entries: &[(&str, &str)]) -> Vec<u8> {
    let start = source.start();
    let entry = |(path, md): &(&str, &str)| format!("<url><loc>{start}{path}</loc><rs:md {md}/></url>");
    let entries: String = entries.iter().map(entry).collect();
    format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md {head}/>{entries}</urlset>"#
    )
    .into_bytes()
}

/// Names these sets.
pub(crate) fn describe(source: &Source, sets: &[&str]) {
    let paths: Vec<String> = sets.iter().map(|set| format!("{set}/caps.xml")).collect();
    let entries: Vec<(&str, &str)> = paths.iter().map(|path| (&**path, r#"capability="capabilitylist""#)).collect();
    source.serve("/.well-known/resourcesync", &document(source, r#"capability="description""#, &entries));
}

/// Publishes the documents of a set.
pub(crate) fn publish(source: &Source, set: &str, at: &str, listed: &[&str], changes: &[(&str, &str)]) {
    let (list, change) = (format!("{set}/list.xml"), format!("{set}/changes.xml"));
    let lists = [(&*list, r#"capability="resourcelist""#), (&*change, r#"capability="changelist""#)];
    source.serve(&format!("/{set}/caps.xml"), &document(source, r#"capability="capabilitylist""#, &lists));
    let head = format!(r#"capability="resourcelist" at="{at}""#);
    let listed: Vec<(&str, &str)> = listed.iter().map(|path| (*path, LENGTH)).collect();
    source.serve(&format!("/{list}"), &document(source, &head, &listed));
    let head = r#"capability="changelist" from="2024-05-01T00:00:00Z""#;
    source.serve(&format!("/{change}"), &document(source, head, changes));
}
