//! A test bench: a working folder, a way to run the command, and documents.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// The folder of one test, initially empty and removed at the end.
pub(crate) struct Bench(PathBuf);

impl Bench {
    /// Creates a folder with this name, which no other test uses.
    pub(crate) fn new(name: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Bench(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and its parent folders.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) -> &Bench {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The command in this folder, with a clean environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_resourcesync"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        for name in ["RESOURCESYNC_LANG", "LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] {
            command.env_remove(name).env_remove(name.to_lowercase());
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().unwrap().into()
    }

    /// Runs a script in this folder, which may mount file systems that nobody else sees.
    #[cfg(target_os = "linux")]
    pub(crate) fn with_own_mounts(&self, script: &str) {
        let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        let ran = Command::new("unshare")
            .args(if is_root { &["--mount"][..] } else { &["--map-root-user", "--mount"] })
            .args(["sh", "-c", script])
            .current_dir(&self.0)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
    }

    /// Runs it with this standard input.
    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeder = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        let _ = feeder.join().unwrap();
        output.into()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// Asserts the exit status.
    #[track_caller]
    pub(crate) fn ends(self, status: i32) -> Ran {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// The distinct codes of a report.
pub(crate) fn codes(report: &Value) -> Vec<String> {
    let mut codes: Vec<_> =
        report["groups"].as_array().unwrap().iter().map(|group| group["code"].as_str().unwrap().to_owned()).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// The names in a list of a report.
pub(crate) fn names<'a>(report: &'a Value, list: &str) -> Vec<&'a str> {
    report[list]
        .as_array()
        .map(|items| items.iter().map(|item| item["name"].as_str().unwrap()).collect())
        .unwrap_or_default()
}

/// A Resource List with this number of entries and without findings.
pub(crate) fn list(entries: usize) -> String {
    let mut xml = String::from(HEAD);
    for number in 0..entries {
        xml.push_str(&format!(
            "<url><loc>http://example.com/{number}</loc><lastmod>2013-01-02T13:00:00Z</lastmod></url>\n"
        ));
    }
    xml + "</urlset>\n"
}

/// The start of a Resource List.
pub(crate) const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
<rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
"#;

/// A Resource List without `at`: RL-03, nothing else.
pub(crate) fn wrong() -> String {
    list(2).replace(r#" at="2013-01-03T09:00:00Z""#, "")
}

/// A sitemap without ResourceSync elements.
pub(crate) const SITEMAP: &str =
    r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://example.com/</loc></url></urlset>"#;

/// Compresses with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    packed.extend(miniz_oxide::deflate::compress_to_vec(bytes, 6));
    packed.extend(crc32fast::hash(bytes).to_le_bytes());
    packed.extend((bytes.len() as u32).to_le_bytes());
    packed
}
