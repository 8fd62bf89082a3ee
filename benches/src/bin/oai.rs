//! The numbers of docs/performance.md about harvests, over a server in this process.
//!
//! `oai [--strict]`; the command and the Python harvesters are those of `scripts/bench oai`. With `--strict` a missed target exits
//! with 1. Harvesters that are not installed are skipped and named; so are the packages of this project for Python (`scripts/bench oai` installs the wheel
//! of `scripts/python --release`) and for node (`scripts/npm build`).

use std::{
    env, fs,
    hint::black_box,
    io::{self, BufRead, BufReader, Read, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use flate2::{Compression, write::DeflateEncoder};
use quick_xml::events::Event;
use resourcesync_benches::{
    disk,
    oai_pages::{WINDOW, page, read},
    table::{Row, Target, compare, milliseconds, numbers, print, run, seconds},
};
use resourcesync_oai::{limits::Limits, page::PageReader};
use sha2::{Digest, Sha256};

const ROUNDS: usize = 15;
/// Records of a page.
const RECORDS: usize = 1_000;
/// Pages of the compared harvest.
const PAGES: usize = 50;
/// Pages of the large store.
const LARGE: usize = 1_000;

const SCYTHE: &str = "import json, sys
from oaipmh_scythe import Scythe
with Scythe(sys.argv[1]) as scythe:
    for record in scythe.list_records(metadata_prefix='oai_dc'):
        header = record.header
        print(json.dumps({'identifier': header.identifier, 'datestamp': header.datestamp, 'record': str(record)}))";
const SICKLE: &str = "import json, sys
from sickle import Sickle
for record in Sickle(sys.argv[1]).ListRecords(metadataPrefix='oai_dc'):
    header = record.header
    print(json.dumps({'identifier': header.identifier, 'datestamp': header.datestamp, 'record': record.raw}))";

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let strict = match arguments.next().as_deref().and_then(|own| own.to_str()) {
        // This program as a child process, whose memory a row measures.
        Some("resident") => return resident(arguments.next().map(PathBuf::from)),
        Some("--strict") => true,
        _ => false,
    };
    match rows() {
        Ok(rows) if print(&rows) || !strict => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("oai: {error}");
            ExitCode::from(2)
        }
    }
}

fn rows() -> io::Result<Vec<Row>> {
    let folder = Path::new("target/benches/oai");
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    let mut rows = reading();
    rows.push(memory(folder)?);
    rows.extend(harvests()?);
    rows.extend(bridges(folder)?);
    rows.push(merging(folder)?);
    rows.extend(nothing_new(folder)?);
    Ok(rows)
}

fn events(page: &[u8]) -> u64 {
    let mut reader = quick_xml::Reader::from_reader(page);
    let mut events = 0;
    while let Ok(event) = reader.read_event() {
        events += 1;
        if matches!(black_box(event), Event::Eof) {
            break;
        }
    }
    events
}

fn reading() -> Vec<Row> {
    let (clean, damaged) = (page(0, RECORDS, 2, false), page(0, RECORDS, 2, true));
    let (clean, damaged) = (clean.as_bytes(), damaged.as_bytes());
    let (ours, baseline, ratio) = compare(ROUNDS, || read(clean), || events(clean));
    let rate = RECORDS as f64 / ours / 1e3;
    let (slow, fast, slower) = compare(ROUNDS, || read(damaged), || read(clean));
    vec![
        row("read 1,000 OAI-PMH records : bare quick-xml events", [ours, baseline], ratio, Target::AtMost(4.5)),
        count("OAI-PMH records read a second, thousands", rate, Target::AtLeast(250.0)),
        row("every tenth record damaged : a clean page", [slow, fast], slower, Target::AtMost(2.0)),
    ]
}

fn row(what: &'static str, times: [f64; 2], ratio: f64, target: Target) -> Row {
    let [ours, baseline] = times.map(milliseconds);
    Row { what, ours, baseline, ratio, target }
}

fn count(what: &'static str, number: f64, target: Target) -> Row {
    Row { what, ours: format!("{number:.1}"), baseline: String::new(), ratio: number, target }
}

fn memory(folder: &Path) -> io::Result<Row> {
    let path = folder.join("large.xml");
    fs::write(&path, page(0, 50 * RECORDS, 1, false))?;
    let program = env::current_exe()?;
    let peaks = numbers(Command::new(program).arg("resident").arg(&path))?;
    fs::remove_file(path)?;
    let above = match peaks.as_slice() {
        [before, after] => after.saturating_sub(*before) as f64 / 1e6,
        _ => f64::NAN,
    };
    Ok(count("resident above the start, a page of 50,000 records, MB", above, Target::AtMost(32.0)))
}

/// Prints the peak of resident memory before and after a page was read.
fn resident(path: Option<PathBuf>) -> ExitCode {
    let before = disk::peak_resident().unwrap_or_default();
    let Some(mut file) = path.and_then(|path| fs::File::open(path).ok()) else { return ExitCode::from(2) };
    let mut reader = PageReader::new(&Limits::default());
    let mut window = vec![0; WINDOW];
    while let Ok(length @ 1..) = file.read(&mut window) {
        reader.push(&window[..length]);
        while let Some(piece) = reader.next() {
            black_box(&piece);
        }
    }
    println!("{before} {}", disk::peak_resident().unwrap_or_default());
    ExitCode::SUCCESS
}

/// A repository with this number of pages; an incremental harvest finds nothing.
struct Repository {
    url: String,
    requests: Arc<AtomicUsize>,
}

impl Repository {
    fn new(pages: usize, records: usize) -> io::Result<Repository> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/oai", listener.local_addr()?);
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = requests.clone();
        // The few pages are generated in advance, since the server is not measured.
        let made: Arc<Vec<String>> =
            Arc::new((0..pages.min(PAGES)).map(|at| page(at, records, pages, false)).collect());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (made, counted) = (made.clone(), counted.clone());
                thread::spawn(move || serve(stream, &made, (pages, records), &counted));
            }
        });
        Ok(Repository { url, requests })
    }
}

fn serve(
    stream: TcpStream,
    made: &[String],
    (pages, records): (usize, usize),
    requests: &AtomicUsize,
) -> io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    while let Some(request) = lines.next() {
        let request = request?;
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        requests.fetch_add(1, Ordering::Relaxed);
        let body = respond(&request, made, (pages, records));
        write!(out, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
    }
    Ok(())
}

fn respond(request: &str, made: &[String], (pages, records): (usize, usize)) -> String {
    let about = |verb: &str, content: &str| {
        format!(
            "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"{verb}\">http://127.0.0.1/oai</request>{content}</OAI-PMH>"
        )
    };
    if request.contains("verb=Identify") {
        return about(
            "Identify",
            "<Identify><repositoryName>a</repositoryName><baseURL>http://127.0.0.1/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@a.example</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify>",
        );
    }
    if request.contains("verb=ListMetadataFormats") {
        let format = "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a.example/dc.xsd</schema><metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat>";
        return about("ListMetadataFormats", &format!("<ListMetadataFormats>{format}</ListMetadataFormats>"));
    }
    if request.contains("from=") {
        return about("ListRecords", "<error code=\"noRecordsMatch\"/>");
    }
    let token = request.split_once("resumptionToken=p").map_or("0", |(_, rest)| rest);
    let number = token.split(|own: char| !own.is_ascii_digit()).next().and_then(|own| own.parse().ok()).unwrap_or(0);
    made.get(number).filter(|_| pages <= PAGES).cloned().unwrap_or_else(|| page(number, records, pages, false))
}

fn command(arguments: &[&str]) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?.with_file_name("resourcesync"));
    command.args(["oai", "harvest", "--quiet", "--limit", "http_requests_per_second=0"]).args(arguments);
    Ok(command)
}

fn harvests() -> io::Result<Vec<Row>> {
    let repository = Repository::new(PAGES, RECORDS)?;
    let ours = || command(&[&repository.url]).map_or(0, |mut command| run(&mut command));
    let python = Path::new("target/benches/python/bin/python");
    let time = seconds(ours);
    let rate = (PAGES * RECORDS) as f64 / time / 1e3;
    let mut rows = vec![count("records harvested to lines a second, thousands", rate, Target::AtLeast(100.0))];
    let peers = [
        ("oaipmh_scythe", SCYTHE, "harvest 50,000 records to lines : oaipmh-scythe", Target::AtLeast(6.0)),
        ("sickle", SICKLE, "harvest 50,000 records to lines : sickle", Target::None),
    ];
    for (module, script, what, target) in peers {
        let peer = |script: &str| run(Command::new(python).args(["-c", script, &repository.url]));
        if peer(&format!("import {module}")) == 0 {
            eprintln!("oai: {module} is not installed");
            continue;
        }
        let (baseline, ours, ratio) = compare(3, || peer(script), ours);
        rows.push(row(what, [ours, baseline], ratio, target));
    }
    Ok(rows)
}

/// Harvests from Python and from node, in thousands of records a second.
const BINDINGS: [(&str, &str, &str, &str, f64); 3] = [
    ("python", "resourcesync", PYTHON, "records a second from Python, identifiers read, thousands", 100.0),
    ("python", "resourcesync", PYTHON_METADATA, "records a second from Python, metadata read, thousands", 80.0),
    ("node", "resourcesync/oai", NODE, "records a second from node, identifiers read, thousands", 60.0),
];
// Each prints the microseconds of a harvest, without the start of its interpreter.
const PYTHON: &str = "import sys, time
from resourcesync import oai
start = time.perf_counter()
count = sum(1 for record in oai.harvest(sys.argv[1], delay=0) if record.identifier)
print(count, int((time.perf_counter() - start) * 1e6))";
const PYTHON_METADATA: &str = "import sys, time
from resourcesync import oai
start = time.perf_counter()
count = sum(1 for record in oai.harvest(sys.argv[1], delay=0) if record.standalone())
print(count, int((time.perf_counter() - start) * 1e6))";
const NODE: &str = "import { pathToFileURL } from 'node:url';
const { harvest } = await import(pathToFileURL('wasm/dist/oai-node.js'));
const start = performance.now();
let count = 0;
for await (const record of harvest(process.argv[1], { delay: 0 })) count += record.identifier ? 1 : 0;
console.log(count, Math.round((performance.now() - start) * 1000));";

fn bindings(repository: &Repository) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (language, module, script, what, least) in BINDINGS {
        let mut command = match language {
            "python" => Command::new("target/benches/python/bin/python"),
            _ => Command::new("node"),
        };
        match language {
            "python" => command.args(["-c", script]),
            _ => command.args(["--input-type=module", "-e", script]),
        };
        let found = numbers(command.arg(&repository.url)).unwrap_or_default();
        match found.as_slice() {
            [records, microseconds] if *records == (PAGES * RECORDS) as u64 => {
                let thousands = *records as f64 / *microseconds as f64 * 1e3;
                rows.push(count(what, thousands, Target::AtLeast(least)));
            }
            _ => eprintln!("oai: {module} is not installed for {language}"),
        }
    }
    Ok(rows)
}

/// The metadata of a page, hashed and deflated as those of a package are, and nothing else.
fn hash_and_deflate(pages: &[String]) -> u64 {
    let mut bytes = 0;
    for page in pages {
        for record in page.split("<metadata>").skip(1) {
            let text = record.split("</metadata>").next().unwrap_or_default().as_bytes();
            black_box(Sha256::digest(text));
            let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
            bytes += deflated.write_all(text).and_then(|()| deflated.finish()).map_or(0, |own| own.len() as u64);
        }
    }
    bytes
}

/// From pages to a Resource Dump.
fn bridges(folder: &Path) -> io::Result<Vec<Row>> {
    let repository = Repository::new(PAGES, RECORDS)?;
    let pages: Vec<String> = (0..PAGES).map(|at| page(at, RECORDS, PAGES, false)).collect();
    let out = folder.join("bridge");
    let place = out.join("public");
    let ours = || {
        let _ = fs::remove_dir_all(&out);
        let made = fs::create_dir_all(&out).and_then(|()| {
            let mut command = Command::new(env::current_exe()?.with_file_name("resourcesync"));
            command.args(["oai", "bridge", "--quiet", "--limit", "http_requests_per_second=0", "--form", "dump"]);
            command.args(["--base-uri", "http://127.0.0.1/", &repository.url, "--out"]).arg(&place);
            Ok(run(&mut command))
        });
        made.unwrap_or_default()
    };
    let (time, baseline, ratio) = compare(3, ours, || hash_and_deflate(&pages));
    let requests = repository.requests.load(Ordering::Relaxed) as f64 / 3.0;
    let rate = (PAGES * RECORDS) as f64 / time / 1e3;
    fs::remove_dir_all(&out)?;
    let what = "page to Resource Dump : bare hash and deflate, times as fast";
    let mut rows = vec![
        row(what, [time, baseline], ratio.recip(), Target::AtLeast(0.7)),
        count("records bridged into a Resource Dump a second, thousands", rate, Target::AtLeast(30.0)),
        count("requests of a bridge for each page", requests / PAGES as f64, Target::AtMost(1.1)),
    ];
    rows.extend(bindings(&repository)?);
    Ok(rows)
}

/// The peak memory of a harvest of 1,000,000 records into a store, and of the merge of its catalogue.
fn merging(folder: &Path) -> io::Result<Row> {
    let repository = Repository::new(LARGE, RECORDS)?;
    let store = folder.join("merged");
    let mut child = command(&["--into", &store.to_string_lossy(), "--store", "jsonl", &repository.url])?
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = peak.max(disk::peak_resident_of(child.id()).unwrap_or_default());
        thread::sleep(Duration::from_millis(20));
    }
    fs::remove_dir_all(store)?;
    let what = "resident, harvest of 1,000,000 records with its catalogue, MB";
    Ok(count(what, if peak == 0 { f64::NAN } else { peak as f64 / 1e6 }, Target::AtMost(64.0)))
}

fn nothing_new(folder: &Path) -> io::Result<Vec<Row>> {
    let repository = Repository::new(LARGE, RECORDS)?;
    let store = folder.join("store");
    let store = store.to_string_lossy();
    run(&mut command(&["--into", &store, "--store", "jsonl", &repository.url])?);
    let before = repository.requests.load(Ordering::Relaxed);
    let time = seconds(|| command(&[&store]).map_or(0, |mut command| run(&mut command)));
    let requests = repository.requests.load(Ordering::Relaxed) - before;
    fs::remove_dir_all(folder.join("store"))?;
    Ok(vec![
        count("nothing new in a store of 1,000,000 records, s", time, Target::AtMost(5.0)),
        count("its requests", requests as f64, Target::AtMost(3.0)),
    ])
}
