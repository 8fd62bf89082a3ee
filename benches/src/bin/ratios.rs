//! The numbers of docs/performance.md, each as a ratio to its baseline in the same run.
//!
//! `ratios [--strict] [--quick] [packages] [FOLDER]`; the documents are written to FOLDER, `target/benches` by default. With
//! `--strict` a missed target exits with 1; `packages` measures only packages, and `--quick` small ones. Baselines that are not
//! installed are skipped and named.

use std::{
    env, fs,
    hint::black_box,
    io,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use resourcesync_benches::{
    building, disk,
    inputs::{ENTRIES, Layout, list, mixed_list},
    packages,
    passes::{tokens, whole},
    sharing,
    table::{Row, Target, compare, milliseconds, numbers, print, run},
};

/// Rounds of a comparison; the result is the median of their ratios, since disturbances affect both sides.
const ROUNDS: usize = 25;
/// Lists of the row that shows linear time.
const LISTS: usize = 20;

const REFERENCE: &str = "import logging, resource, sys
logging.disable(logging.CRITICAL)
from resync.resource_list import ResourceList
found = ResourceList()
found.read(sys.argv[1])
print(len(found), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)";
const EXPAT: &str = "import sys
from xml.parsers.expat import ParserCreate
parser = ParserCreate(namespace_separator=' ')
parser.StartElementHandler = lambda name, attributes: None
parser.ParseFile(open(sys.argv[1], 'rb'))";

fn main() -> ExitCode {
    let (mut strict, mut quick, mut only_packages, mut folder) = (false, false, false, PathBuf::from("target/benches"));
    let mut arguments = env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--strict") => strict = true,
            Some("--quick") => quick = true,
            Some("packages") => only_packages = true,
            // This program as a child process, which a row measures.
            Some("check") => return check(&arguments.map(PathBuf::from).collect::<Vec<_>>()),
            _ => folder = argument.into(),
        }
    }
    let sizes = if quick { packages::QUICK } else { packages::REAL };
    let all = fs::create_dir_all(&folder).and_then(|()| {
        let mut all = if only_packages { Vec::new() } else { rows(&folder)? };
        all.extend(packages::rows(&folder, sizes)?);
        Ok(all)
    });
    match all {
        Ok(rows) if print(&rows) || !strict => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ratios: {error}");
            ExitCode::from(2)
        }
    }
}

fn check(files: &[PathBuf]) -> ExitCode {
    match disk::check(files) {
        Ok(report) => {
            println!("{} {}", report.summary.entries, disk::peak_resident().unwrap_or_default());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("ratios: {error}");
            ExitCode::from(2)
        }
    }
}

fn rows(folder: &Path) -> io::Result<Vec<Row>> {
    fs::create_dir_all(folder)?;
    let path = folder.join("list.xml");
    let document = list(0, Layout::Lines);
    fs::write(&path, &document)?;
    let mut rows = vec![
        against_tokenizer("read and check 50,000 entries : quick-xml with attributes", &document, 0.75),
        against_bytes(&document),
        heap(&path)?,
        against_tokenizer("the same with sixteen shapes, five media types and escapes", &mixed_list(), 1.1),
        findings(),
        lists(folder, &path)?,
        resident(folder)?,
    ];
    rows.extend(sharing::rows(&document));
    drop(document);
    rows.extend(building::rows());
    rows.extend(processes(&path)?);
    Ok(rows)
}

fn against_tokenizer(what: &'static str, document: &str, most: f64) -> Row {
    let (ours, baseline, ratio) = compare(ROUNDS, || whole(document), || tokens(document));
    let (ours, baseline) = (milliseconds(ours), milliseconds(baseline));
    Row { what, ours, baseline, ratio, target: Target::AtMost(most) }
}

/// The same if the tokenizer also starts from bytes and must validate UTF-8.
fn against_bytes(document: &str) -> Row {
    let from_bytes = || std::str::from_utf8(black_box(document.as_bytes())).map_or(0, tokens);
    let (ours, baseline, ratio) = compare(ROUNDS, || whole(document), from_bytes);
    let (ours, baseline) = (milliseconds(ours), milliseconds(baseline));
    Row { what: "the same : quick-xml given bytes, not text", ours, baseline, ratio, target: Target::None }
}

fn heap(path: &Path) -> io::Result<Row> {
    let program = env::current_exe()?.with_file_name("heap");
    let held = numbers(Command::new(program).arg(path))?.first().copied().unwrap_or_default();
    let ratio = held as f64 / 1e6;
    let ours = format!("{ratio:.2} MB");
    Ok(Row { what: "heap above the document, MB", ours, baseline: String::new(), ratio, target: Target::AtMost(4.0) })
}

/// The target is what a document without findings took before entries that repeat others were recognized.
fn findings() -> Row {
    let what = "one line with 50,000 findings : quick-xml with attributes";
    against_tokenizer(what, &list(0, Layout::OneLineWrong), 2.7)
}

/// Twenty different lists, compared with twenty times the first.
fn lists(folder: &Path, first: &Path) -> io::Result<Row> {
    let mut files = vec![first.to_path_buf()];
    for number in 1..LISTS {
        let path = folder.join(format!("list{number}.xml"));
        if !path.exists() {
            fs::write(&path, list(number, Layout::Lines))?;
        }
        files.push(path);
    }
    let run = |files: &[PathBuf]| disk::check(files).map_or(0, |report| report.summary.entries);
    let (ours, baseline, ratio) = compare(3, || run(&files), || run(&files[..1]));
    let ratio = ratio / LISTS as f64;
    let (ours, baseline) = (milliseconds(ours), format!("{LISTS} × {}", milliseconds(baseline)));
    Ok(Row {
        what: "1,000,000 entries in 20 lists : 20 times one list",
        ours,
        baseline,
        ratio,
        target: Target::AtMost(1.1),
    })
}

fn resident(folder: &Path) -> io::Result<Row> {
    let mut files = vec![folder.join("list.xml")];
    files.extend((1..LISTS).map(|number| folder.join(format!("list{number}.xml"))));
    let peak = numbers(Command::new(env::current_exe()?).arg("check").args(files))?.get(1).copied().unwrap_or_default();
    let ratio = peak as f64 / 1e6;
    let target = Target::AtMost(64.0 + (LISTS * ENTRIES * 32) as f64 / 1e6);
    Ok(Row {
        what: "resident with 1,000,000 entries, MB",
        ours: format!("{ratio:.1} MB"),
        baseline: String::new(),
        ratio,
        target,
    })
}

/// Comparisons of whole processes that read from disk.
fn processes(path: &Path) -> io::Result<Vec<Row>> {
    let program = env::current_exe()?;
    let ours = || {
        let mut command = Command::new(&program);
        command.arg("check").arg(path);
        command
    };
    let python = if Path::new("target/benches/python/bin/python").exists() {
        "target/benches/python/bin/python"
    } else {
        "python3"
    };
    let with_python = |source: &str| {
        let mut command = Command::new(python);
        command.arg("-c").arg(source).arg(path);
        command
    };
    let xmllint = || {
        let mut command = Command::new("xmllint");
        command.args(["--noout", "--stream"]).arg(path);
        command
    };
    let mut rows = Vec::new();
    let pair = |rounds: usize, theirs: &dyn Fn() -> Command| {
        let works = theirs().stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        works.then(|| compare(rounds, || run(&mut ours()), || run(&mut theirs())))
    };
    match pair(ROUNDS, &xmllint) {
        Some((ours, baseline, ratio)) => {
            let (ours, baseline) = (milliseconds(ours), milliseconds(baseline));
            rows.push(Row {
                what: "whole process : `xmllint --noout --stream`",
                ours,
                baseline,
                ratio,
                target: Target::AtMost(0.33),
            });
        }
        None => eprintln!("ratios: xmllint does not run here (Debian: libxml2-utils)"),
    }
    match pair(ROUNDS, &|| with_python(EXPAT)) {
        Some((ours, baseline, ratio)) => {
            let (ours, baseline) = (milliseconds(ours), milliseconds(baseline));
            rows.push(Row {
                what: "whole process : expat through Python, elements only",
                ours,
                baseline,
                ratio,
                target: Target::None,
            });
        }
        None => eprintln!("ratios: Python does not run here"),
    }
    match pair(3, &|| with_python(REFERENCE)) {
        Some((time, baseline, ratio)) => {
            let (time, baseline) = (milliseconds(time), milliseconds(baseline));
            let what = "Python reference client : whole process, times faster";
            rows.push(Row { what, ours: time, baseline, ratio: 1.0 / ratio, target: Target::AtLeast(25.0) });
            let memory = |command: &mut Command| {
                numbers(command).map(|numbers| numbers.get(1).copied().unwrap_or_default() as f64 / 1e6)
            };
            let (here, there) = (memory(&mut ours())?, memory(&mut with_python(REFERENCE))?);
            let (ours, baseline) = (format!("{here:.1} MB"), format!("{there:.1} MB"));
            let what = "Python reference client : whole process, times less memory";
            rows.push(Row { what, ours, baseline, ratio: there / here, target: Target::AtLeast(10.0) });
        }
        None => eprintln!("ratios: the Python reference client does not run here (pip install resync, Python ≤ 3.11)"),
    }
    Ok(rows)
}
