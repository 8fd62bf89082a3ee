//! Random histories of stated changes, inventories and snapshots, with faults and two writers: nothing is lost or listed twice.

use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use crate::{
    bench::{Bench, Ran},
    build::{flawless, tree},
    histories::{self, Random, Records, between, entries, followed, published},
};

const STEPS: u64 = 7;
const URIS: u64 = 40;

/// What a run is given.
#[derive(Debug, Clone)]
enum Input {
    Events(String),
    Inventory(String),
    Snapshot,
}

/// A fault of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The process is killed after this time, in tenths of a millisecond.
    Killed(u64),
    /// Files are limited to this number of blocks, as on a full disk.
    Full(u64),
    /// The input ends too early.
    Cut,
    /// A byte of a part of the state is wrong.
    Damaged(&'static str),
    /// The state is missing.
    Removed,
}

const PARTS: [&str; 3] = ["changes.log", "inventory.index", "changes.jsonl"];

impl Fault {
    fn random(random: &mut Random) -> Fault {
        match random.below(12) {
            0..=3 => Fault::Killed(random.below(400)),
            4 => Fault::Full(random.below(12)),
            5 => Fault::Cut,
            6 => Fault::Damaged(PARTS[usize::try_from(random.below(3)).unwrap()]),
            7 => Fault::Removed,
            _ => Fault::None,
        }
    }
}

fn uri(random: &mut Random) -> String {
    format!("https://example.com/{}", random.below(URIS))
}

/// Events and what holds after them.
fn events(random: &mut Random, records: &mut Records, version: u64) -> String {
    let is_json = random.below(2) == 0;
    let mut lines = if is_json { String::new() } else { String::from("change,uri,length,md5\n") };
    for number in 0..=random.below(6) {
        let (uri, version) = (uri(random), version * 10 + number);
        let verb = ["created", "updated", "upsert", "deleted"][usize::try_from(random.below(4)).unwrap()];
        if verb == "deleted" {
            records.remove(&uri);
        } else {
            records.insert(uri.clone(), version);
        }
        lines.push_str(&match (is_json, verb) {
            (true, "deleted") => format!("{{\"change\":\"deleted\",\"uri\":\"{uri}\"}}\n"),
            (true, _) => format!(
                "{{\"change\":\"{verb}\",\"uri\":\"{uri}\",\"length\":{version},\"hashes\":{{\"md5\":\"{version:032x}\"}}}}\n"
            ),
            (false, "deleted") => format!("deleted,{uri},,\n"),
            (false, _) => format!("{verb},{uri},{version},{version:032x}\n"),
        });
    }
    lines + "#end\n"
}

/// An inventory, which repairs what events missed.
fn inventory(random: &mut Random, records: &mut Records, version: u64) -> String {
    for _ in 0..random.below(4) {
        records.insert(uri(random), version * 10);
    }
    let gone = (random.below(3) == 0).then(|| uri(random));
    gone.map(|uri| records.remove(&uri));
    records.insert("https://example.com/always".to_owned(), 1);
    let rows: String = records.iter().map(|(uri, version)| format!("{uri},{version:032x},{version}\n")).collect();
    format!("uri,md5,length\n{rows}#end\n")
}

fn command(bench: &Bench, input: &Input, minute: u64, fault: Fault, random: &mut Random) -> Command {
    let at = format!("2024-05-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
    let mut args = vec!["build", "--out", "public", "--at", &at, "--base-uri", "https://example.com/", "--quiet"];
    match input {
        Input::Events(_) => args.extend(["--changes", "-", "--end-marker", "#end", "--rotate", "6"]),
        Input::Inventory(_) => args.extend(["--from-csv", "-", "--end-marker", "#end", "--rotate", "8"]),
        Input::Snapshot => args.extend(["--snapshot", "now"]),
    }
    if matches!(input, Input::Events(_)) {
        args.extend(
            [&["--snapshot", "never"][..], &["--snapshot", "9 changes"], &[]]
                [usize::try_from(random.below(3)).unwrap()],
        );
    }
    let mut command = match fault {
        Fault::Full(blocks) => {
            let mut shell = Command::new("sh");
            let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            shell.args(["-c", &limited]).arg(bench.command(&[]).get_program()).current_dir(bench.path(""));
            shell
        }
        _ => bench.command(&[]),
    };
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(mut command: Command, input: &Input, fault: Fault) -> Child {
    let mut child = command.spawn().unwrap();
    let text = match input {
        Input::Events(text) | Input::Inventory(text) => text.as_str(),
        Input::Snapshot => "",
    };
    let text = if fault == Fault::Cut { text.strip_suffix("#end\n").unwrap_or_default() } else { text };
    // A process that ends before reading everything is not a failure of the test.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child
}

fn finish(mut child: Child, fault: Fault) -> Ran {
    if let Fault::Killed(tenths) = fault {
        thread::sleep(Duration::from_micros(tenths * 100));
        let _ = child.kill();
    }
    child.wait_with_output().unwrap().into()
}

/// The state of a harvester that starts with the present Resource List.
fn started(bench: &Bench) -> Records {
    let list = bench.read("public/resourcelist.xml");
    let at = between(&list, "at=\"", '"').unwrap().trim_end_matches('Z');
    let resources = entries(&list).into_iter().map(|(uri, _, version)| (uri, version)).collect();
    let index = bench.read("public/changelist.xml");
    let lists: Vec<String> = match index.contains("<sitemapindex") {
        true => {
            let names = index.split("<loc>https://example.com/").skip(1).map(|rest| rest.split('<').next().unwrap());
            names.map(|name| bench.read(&format!("public/{name}"))).collect()
        }
        false => vec![index],
    };
    let is_later = |entry: &&str| between(entry, "datetime=\"", '"').unwrap().trim_end_matches('Z') > at;
    let later: String = lists
        .iter()
        .flat_map(|list| list.split("<url>").skip(1))
        .filter(is_later)
        .map(|entry| format!("<url>{entry}"))
        .collect();
    followed(resources, &entries(&later))
}

/// Makes the state unusable; returns how to restore it.
fn damage(bench: &Bench, fault: Fault) -> Option<Box<dyn FnOnce()>> {
    let folder = bench.path(&format!("public.resourcesync/{}", bench.read("public/.generation").trim()));
    match fault {
        Fault::Removed => {
            let away = bench.path("away");
            fs::rename(&folder, &away).unwrap();
            Some(Box::new(move || fs::rename(away, folder).unwrap()))
        }
        Fault::Damaged(part) => {
            let path = folder.join(part);
            let whole = fs::read(&path).ok().filter(|bytes| !bytes.is_empty())?;
            let mut damaged = whole.clone();
            let place = damaged.len() / 2;
            *damaged.get_mut(place)? ^= 1;
            fs::write(&path, damaged).unwrap();
            Some(Box::new(move || fs::write(path, whole).unwrap()))
        }
        _ => None,
    }
}

fn history(bench: &Bench, seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for name in ["public", "public.resourcesync"] {
        let _ = fs::remove_dir_all(bench.path(name));
    }
    let (mut records, mut baseline, mut minute, mut was_killed) = (Records::new(), None::<Records>, 1, false);
    for step in 1..=STEPS {
        let (mut wanted, is_last) = (records.clone(), step == STEPS);
        let input = match random.below(6) {
            _ if step == 1 => Input::Events(events(&mut random, &mut wanted, seed * 100 + step)),
            0 => Input::Inventory(inventory(&mut random, &mut wanted, seed * 100 + step)),
            1 => Input::Snapshot,
            _ => Input::Events(events(&mut random, &mut wanted, seed * 100 + step)),
        };
        let fault = if is_last || step == 1 { Fault::None } else { Fault::random(&mut random) };
        // Damage after a kill is two faults at once.
        let is_unusable = matches!(fault, Fault::Damaged(_) | Fault::Removed) && !was_killed;
        let fault = if matches!(fault, Fault::Damaged(_) | Fault::Removed) && was_killed { Fault::None } else { fault };
        let restore = if is_unusable { damage(bench, fault) } else { None };
        let is_damaged = restore.is_some();
        let before = (step > 1).then(|| tree(&bench.path("public")));
        let second = (matches!(input, Input::Events(_)) && fault == Fault::None && !is_last && random.below(3) == 0)
            .then(|| {
                let mut both = wanted.clone();
                let other = Input::Events(events(&mut random, &mut both, seed * 100 + step + 50));
                (start(command(bench, &other, minute + 1, fault, &mut random), &other, fault), other)
            });
        let ran = finish(start(command(bench, &input, minute, fault, &mut random), &input, fault), fault);
        let context = format!("history {seed}, step {step}, {fault:?}, {input:?}: {ran:?}");
        let mut expected = vec![wanted.clone()];
        let other = second.map(|(child, other)| (finish(child, fault), other));
        if let Some((other, Input::Events(theirs))) = &other {
            // Each publishes or records nothing; the one with the earlier time comes second only if the other had nothing to publish.
            assert!(ran.status == Some(0) || other.status == Some(0), "{context} {other:?}");
            let Input::Events(own) = &input else { panic!("{context}") };
            let after = |order: [(&Ran, &String); 2]| {
                let mut after = records.clone();
                order.iter().filter(|(ran, _)| ran.status == Some(0)).for_each(|(_, lines)| replay(lines, &mut after));
                after
            };
            expected = vec![after([(&ran, own), (other, theirs)]), after([(other, theirs), (&ran, own)])];
        } else if fault == Fault::None {
            assert_eq!(ran.status, Some(0), "{context}");
        } else if is_damaged && fault != Fault::Damaged("changes.jsonl")
            || fault == Fault::Cut && !matches!(input, Input::Snapshot)
        {
            // The changes of the open list are read only if it is written.
            assert_eq!(ran.status, Some(2), "{context}");
        }
        if other.is_none() && ran.status != Some(0) {
            match fault {
                Fault::Killed(_) => expected.push(records.clone()),
                _ => {
                    assert_eq!(before.as_ref(), Some(&tree(&bench.path("public"))), "{context}");
                    expected = vec![records.clone()];
                }
            }
        }
        restore.into_iter().for_each(|restore| restore());
        minute += 2;
        was_killed = matches!(fault, Fault::Killed(_));
        if was_killed {
            flawless(bench, "public");
            // Any run completes or withdraws the publication first.
            bench.run(&["build", "--out", "public", "--verify-state"]).ends(0);
        }
        let (resources, changes) = published(bench).unwrap();
        let baseline = baseline.get_or_insert_with(|| resources.clone());
        let copy = followed(baseline.clone(), &changes);
        assert!(expected.contains(&copy), "{context}: {copy:?}, not {expected:?}");
        assert_eq!(started(bench), copy, "{context}");
        records = copy;
        if !was_killed {
            flawless(bench, "public");
        }
    }
    bench.run(&["build", "--out", "public", "--verify-state"]).ends(0);
    let left = fs::read_dir(bench.path("public.resourcesync")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.collect();
    assert_eq!(left.len(), 3, "history {seed}: the lock, the number and one generation, not {left:?}");
}

/// Applies the lines of events.
fn replay(lines: &str, records: &mut Records) {
    for line in lines.lines().filter(|line| line.contains("https:")) {
        let start = line.find("https:").unwrap();
        let uri: String = line[start..].chars().take_while(|own| !"\",".contains(*own)).collect();
        if line.contains("deleted") {
            records.remove(&uri);
            continue;
        }
        let rest =
            line.split("\"length\":").nth(1).unwrap_or_else(|| line[start + uri.len()..].trim_start_matches(','));
        let version: String = rest.chars().take_while(char::is_ascii_digit).collect();
        records.insert(uri, version.parse().unwrap());
    }
}

#[test]
fn random_histories_of_stated_changes_with_faults_lose_nothing_and_list_nothing_twice() {
    let workers: Vec<_> = (0..4)
        .map(|worker| {
            thread::spawn(move || {
                let bench = Bench::new(&format!("event-histories-{worker}"));
                (0..histories::of_environment())
                    .filter(|seed| seed % 4 == worker)
                    .for_each(|seed| history(&bench, seed));
            })
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}
