//! Runs that are killed, or fail in the file system, at any write: old copies stay, and the next run produces the same copy.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use resourcesync_tests::server::{Server, reply, silence};

use super::{FAST, copied, publish, respond, serve, start, sync, tree};
use crate::bench::{Bench, Ran};

/// The preloaded library that makes a run fail.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/oai/crash.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sync-crash.so");
        let mut cc = Command::new("cc");
        assert!(
            cc.args(["-shared", "-fPIC", "-O1", "-o"])
                .arg(&library)
                .arg(source)
                .arg("-ldl")
                .status()
                .unwrap()
                .success()
        );
        library
    })
}

fn disturbed(bench: &Bench, args: &[&str], environment: (&str, &str)) -> Ran {
    let mut command = bench.command(&[&["sync"], &FAST[..], args].concat());
    command.env("LD_PRELOAD", library()).env(environment.0, environment.1);
    command.output().unwrap().into()
}

/// A copy of the first state of a Source that is now in its second state.
fn scene(name: &str) -> (Bench, Server) {
    let bench = Bench::new(name);
    let write = |numbers: std::ops::Range<u32>, word: &str| {
        for number in numbers {
            bench.put(&format!("served/files/{}/{number}.txt", number % 3), format!("{word} {number} ").repeat(50));
        }
    };
    write(0..40, "first");
    let server = serve(bench.path("served"));
    publish(&bench, &server, "00:00:00");
    sync(&bench, &[&start(&server), "before"]).ends(0);
    write(20..60, "second");
    (0..8)
        .for_each(|number| fs::remove_file(bench.path(&format!("served/files/{}/{number}.txt", number % 3))).unwrap());
    publish(&bench, &server, "00:01:00");
    (bench, server)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else {
            fs::copy(&path, &place).unwrap();
            let time = fs::metadata(&path).unwrap().modified().unwrap();
            fs::File::options().write(true).open(&place).unwrap().set_modified(time).unwrap();
        }
    }
}

/// Asserts that every file is that of one state or of the other.
fn is_whole(now: &BTreeMap<String, Vec<u8>>, states: [&BTreeMap<String, Vec<u8>>; 2], when: &str) {
    for (name, body) in now {
        assert!(states.iter().any(|state| state.get(name) == Some(body)), "{when}: {name}");
    }
    // Files in both states are never missing.
    for name in states[0].keys().filter(|name| states[1].contains_key(*name)) {
        assert!(now.contains_key(name), "{when}: {name}");
    }
}

fn disturb(name: &str, how: &str, times: u64) {
    let (bench, server) = scene(name);
    let before = copied(&bench, &server, "before");
    let after = tree(&bench.path("served/files"));
    copy(&bench.path("before"), &bench.path("counted"));
    let count = bench.path("count");
    disturbed(&bench, &["counted"], ("CRASH_COUNT", count.to_str().unwrap())).ends(0);
    let all: u64 = bench.read("count").parse().unwrap();
    assert!(all > 40, "{all}");
    let mut noticed = 0;
    for time in 0..times {
        let at = 1 + time * (all - 1) / (times - 1);
        let when = format!("{how} {at}");
        let _ = fs::remove_dir_all(bench.path("copy"));
        copy(&bench.path("before"), &bench.path("copy"));
        let ran = disturbed(&bench, &["copy"], (how, &at.to_string()));
        is_whole(&copied(&bench, &server, "copy"), [&before, &after], &when);
        if ran.status == Some(0) {
            assert_eq!(copied(&bench, &server, "copy"), after, "{when}");
        } else {
            noticed += 1;
            assert!(matches!(ran.status, None | Some(2)), "{when}: {ran:?}");
        }
        sync(&bench, &["copy"]).ends(0);
        assert_eq!(copied(&bench, &server, "copy"), after, "{when}");
        bench.run(&["audit", "--offline", "copy"]).ends(0);
        assert_eq!(fs::read_dir(bench.path("copy/.resourcesync/staging")).unwrap().count(), 0, "{when}");
    }
    assert!(noticed > times / 2, "{noticed} of {times}");
}

#[test]
fn a_run_that_is_killed_at_any_write_is_made_up_for_by_the_next() {
    disturb("sync-crash-kill", "CRASH_KILL", 30);
}

#[test]
fn a_full_disk_leaves_the_old_copies_and_the_next_run_goes_on() {
    disturb("sync-crash-full", "CRASH_FAIL", 30);
}

#[test]
fn a_killed_run_leaves_the_beginning_of_a_large_body_and_the_next_one_continues_it() {
    const SENT: usize = 9 << 20;
    let bench = Bench::new("sync-crash-large");
    let whole: Vec<u8> = (0..10_u32 << 18).flat_map(|number| number.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
    bench.put("served/files/large", &whole);
    let (folder, stalls) = (bench.path("served"), Arc::new(AtomicBool::new(true)));
    let is_stalled = stalls.clone();
    let server = Server::new(move |asked, stream| {
        if asked.path != "/files/large" {
            return respond(&folder, asked, stream);
        }
        let size = whole.len();
        if is_stalled.load(Ordering::SeqCst) {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\nETag: \"1\"\r\n\r\n");
            std::io::Write::write_all(stream, &[head.as_bytes(), &whole[..SENT]].concat())?;
            return silence(stream);
        }
        let range = asked.header("range").unwrap();
        let from: usize = range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse().unwrap();
        assert_eq!(asked.header("if-range"), Some("\"1\""));
        let headers = ["ETag: \"1\"".to_owned(), format!("Content-Range: bytes {from}-{}/{size}", size - 1)];
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        reply(stream, "206 Partial Content", &headers, &whole[from..])
    });
    publish(&bench, &server, "00:00:00");
    let uri = start(&server);
    let args = [&["sync"], &FAST[..], &[&uri, "copy"]].concat();
    let mut run = bench.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let staging = bench.path("copy/.resourcesync/staging");
    let is_noted =
        || fs::read_dir(&staging).into_iter().flatten().any(|entry| entry.unwrap().path().extension().is_some());
    while !is_noted() {
        assert!(run.try_wait().unwrap().is_none(), "it ended");
        thread::sleep(Duration::from_millis(20));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    stalls.store(false, Ordering::SeqCst);
    assert_eq!(copied(&bench, &server, "copy").len(), 0);
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let asked: Vec<_> = server.seen().into_iter().filter(|asked| asked.path == "/files/large").collect();
    assert_eq!(asked.len(), 2);
    let from = asked[1].header("range").and_then(|range| range[6..].strip_suffix('-')).unwrap();
    assert!(from.parse::<usize>().unwrap() >= 8 << 20, "{from}");
    assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")));
    assert_eq!(fs::read_dir(&staging).unwrap().count(), 0);
}
