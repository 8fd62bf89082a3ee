//! Random histories of a repository that publishes through a pipe, with faults: the published Source is always valid and complete.

use std::{
    collections::BTreeMap,
    env, fs,
    io::Write,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::{
    bench::{Bench, Ran},
    build::flawless,
};

/// Random histories in every test; those of npm, in which the command takes its turn, are 200.
const HISTORIES: u64 = 40;
const STEPS: u64 = 6;

/// Random histories; more in a long run.
pub(crate) fn of_environment() -> u64 {
    env::var("HISTORIES").map_or(HISTORIES, |text| text.parse().unwrap())
}

/// A deterministic random number generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// The contents of a repository: the version of each resource, by URI.
pub(crate) type Records = BTreeMap<String, u64>;

/// Entries of lists: URI, change, version.
pub(crate) type Changes = Vec<(String, Option<String>, u64)>;

/// A fault of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The process is killed after this time, in tenths of a millisecond.
    Killed(u64),
    /// Files are limited to this number of blocks, as on a full disk.
    Full(u64),
    /// The input ends after this many thousandths.
    Cut(u64),
    /// The query has no result.
    Empty,
    /// The clock is before the previous run.
    ClockBack,
}

impl Fault {
    fn random(random: &mut Random) -> Fault {
        match random.below(8) {
            0 | 1 => Fault::Killed(random.below(400)),
            2 => Fault::Full(random.below(24)),
            3 => Fault::Cut(random.below(1000)),
            4 => Fault::Empty,
            5 => Fault::ClockBack,
            _ => Fault::None,
        }
    }
}

fn csv(records: &Records) -> String {
    let rows: String = records.iter().map(|(uri, version)| format!("{uri},{version:032x},{version}\n")).collect();
    format!("uri,md5,length\n{rows}#end\n")
}

/// Creates, updates and deletes a few resources.
fn change(records: &mut Records, random: &mut Random, version: u64) {
    for _ in 0..random.below(6) {
        records.insert(format!("https://example.com/{}", random.below(60)), version);
    }
    for _ in 0..random.below(4) {
        let uri = records.keys().nth(usize::try_from(random.below(60)).unwrap()).cloned();
        uri.map(|uri| records.remove(&uri));
    }
    // Deleting everything must be requested explicitly.
    records.insert("https://example.com/always".to_owned(), 1);
}

/// Runs `build` once.
fn run(bench: &Bench, records: &Records, minute: u64, fault: Fault) -> Ran {
    let at = format!("2024-05-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
    let args = ["build", "--from-csv", "-", "--end-marker", "#end", "--base-uri", "https://example.com/"];
    let rest = ["--out", "public", "--at", &at, "--rotate", "8", "--quiet"];
    let mut command = match fault {
        Fault::Full(blocks) => {
            let mut shell = Command::new("sh");
            let inner = bench.command(&[]);
            let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            shell.args(["-c", &limited]).arg(inner.get_program()).current_dir(bench.path(""));
            shell
        }
        _ => bench.command(&[]),
    };
    command.args(args).args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let text = csv(records);
    let input = match fault {
        Fault::Cut(part) => text.get(..text.len() * usize::try_from(part).unwrap() / 1000).unwrap(),
        Fault::Empty => "uri,md5,length\n#end\n",
        _ => &text,
    };
    let mut child = command.spawn().unwrap();
    // A process that ends before reading everything is not a failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    if let Fault::Killed(tenths) = fault {
        thread::sleep(Duration::from_micros(tenths * 100));
        let _ = child.kill();
    }
    child.wait_with_output().unwrap().into()
}

/// The value of an attribute or element in a piece of XML.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: char) -> Option<&'a str> {
    text.split(before).nth(1)?.split(after).next()
}

/// The entries of a document: URI, change, version.
pub(crate) fn entries(text: &str) -> Changes {
    let entry = |entry: &str| {
        let uri = between(entry, "<loc>", '<').unwrap().to_owned();
        let version = between(entry, "length=\"", '"').map_or(0, |length| length.parse().unwrap());
        (uri, between(entry, "change=\"", '"').map(str::to_owned), version)
    };
    text.split("<url>").skip(1).map(entry).collect()
}

/// The published Source, if any: the resources, and all changes in order.
pub(crate) fn published(bench: &Bench) -> Option<(Records, Changes)> {
    let list = fs::read_to_string(bench.path("public/resourcelist.xml")).ok()?;
    let resources = entries(&list).into_iter().map(|(uri, _, version)| (uri, version)).collect();
    let index = bench.read("public/changelist.xml");
    if !index.contains("<sitemapindex") {
        return Some((resources, entries(&index)));
    }
    let lists = index.split("<loc>https://example.com/").skip(1).map(|rest| rest.split('<').next().unwrap());
    Some((resources, lists.flat_map(|name| entries(&bench.read(&format!("public/{name}")))).collect()))
}

/// The state of a harvester that copied the first generation and applied all changes.
pub(crate) fn followed(mut copy: Records, changes: &[(String, Option<String>, u64)]) -> Records {
    for (uri, change, version) in changes {
        match change.as_deref() {
            Some("deleted") => drop(copy.remove(uri)),
            _ => drop(copy.insert(uri.clone(), *version)),
        }
    }
    copy
}

fn history(bench: &Bench, seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for name in ["public", "public.resourcesync"] {
        let _ = fs::remove_dir_all(bench.path(name));
    }
    let (mut records, mut baseline, mut minute) = (Records::new(), None::<Records>, 1);
    for step in 1..=STEPS {
        change(&mut records, &mut random, seed * 100 + step);
        let before = published(bench);
        // The last run shows that any state can be continued.
        let fault = if step == STEPS { Fault::None } else { Fault::random(&mut random) };
        let at = if fault == Fault::ClockBack { 0 } else { minute };
        let ran = run(bench, &records, at, fault);
        minute += 1;
        let context = || format!("history {seed}, step {step}, {fault:?}: {ran:?}");
        let Some((resources, changes)) = published(bench) else {
            assert!(before.is_none() && ran.status != Some(0), "{}", context());
            continue;
        };
        let old = before.map(|(resources, _)| resources);
        if baseline.is_none() {
            baseline = Some(resources.clone());
        }
        match (fault, ran.status) {
            (_, Some(0)) if fault == Fault::Empty => assert!(resources.is_empty(), "{}", context()),
            (_, Some(0)) => assert_eq!(resources, records, "{}", context()),
            // The process was killed before or after the exchange.
            (Fault::Killed(_), _) => assert!(resources == records || Some(&resources) == old.as_ref(), "{}", context()),
            _ => assert_eq!(Some(&resources), old.as_ref(), "{}", context()),
        }
        assert!(fault != Fault::None || ran.status == Some(0), "{}", context());
        assert_eq!(followed(baseline.clone().unwrap(), &changes), resources, "{}", context());
        if matches!(fault, Fault::Killed(_) | Fault::Full(_)) || step == STEPS {
            flawless(bench, "public");
        }
    }
    let left = fs::read_dir(bench.path("public.resourcesync")).unwrap().count();
    assert_eq!(left, 3, "history {seed}: the lock, the number and one generation");
}

#[test]
fn random_histories_with_faults_lose_no_change_and_publish_nothing_invalid() {
    let workers: Vec<_> = (0..4)
        .map(|worker| {
            thread::spawn(move || {
                let bench = Bench::new(&format!("histories-{worker}"));
                (0..of_environment()).filter(|seed| seed % 4 == worker).for_each(|seed| history(&bench, seed));
            })
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}
