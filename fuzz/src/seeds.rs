//! Seeds of each target: the cases of the corpus, their reports, and values taken from them.

use std::{collections::BTreeSet, fs};

use resourcesync::value::{Hashes, Parsed, Value as _};
use resourcesync_oai::harvest::{Checkpoint, Event, Harvest, Output, ResponseHead};
use resourcesync_tests::{Case, all, corpus, oai::OaiCase, sources};
use serde_json::Value;

use crate::{notify_hub::scripts, parcel::contents, source::written, sync_state::states};

/// Longer documents are of little use to a fuzzer.
const SEED_BYTES: usize = 4096;

/// The initial inputs, in a stable order.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let cases = all();
    let documents = || cases.iter().filter(|case| !case.is_package()).map(Case::bytes).filter(|b| b.len() < SEED_BYTES);
    let led = |lead: &[u8], bytes: Vec<u8>| [lead, &bytes].concat();
    match target {
        "document" | "xml" => documents().map(|bytes| led(&[17], bytes)).collect(),
        "repeated" => documents().map(|bytes| led(&[255, 3], bytes)).collect(),
        "repair" => documents().map(|bytes| led(&[200], bytes)).collect(),
        "source" => {
            let webs = sources().into_iter().filter(|case| !case.is_large()).map(|case| written(&case.web()));
            webs.filter(|bytes| bytes.len() < 5 * SEED_BYTES).collect()
        }
        "sync_place" => {
            let uris = values("uri", documents()).into_iter().map(|uri| String::from_utf8_lossy(&uri).into_owned());
            let uris: Vec<String> = uris.chain(PLACES.map(String::from)).collect();
            uris.chunks(8).enumerate().map(|(at, lines)| led(&[at as u8], lines.join("\n").into_bytes())).collect()
        }
        "sync_state" => states(),
        "sync_survey" => {
            let webs = sources().into_iter().filter(|case| !case.is_large()).map(|case| written(&case.web()));
            let webs = webs.filter(|bytes| bytes.len() < 5 * SEED_BYTES);
            webs.map(|bytes| led(&[40, 7], bytes.get(1..).unwrap_or_default().to_vec())).collect()
        }
        "gzip" => documents().map(|bytes| led(&[30], bytes)).collect(),
        "package" => {
            let packages = cases.iter().filter(|case| case.is_package()).map(Case::bytes);
            packages.filter(|bytes| bytes.len() < 4 * SEED_BYTES).map(|bytes| led(&[3], bytes)).collect()
        }
        "parcel" => {
            let webs = sources().into_iter().filter(|case| !case.is_large()).step_by(5);
            let contents = webs.flat_map(|case| contents(&case.web()));
            contents.filter(|bytes| bytes.len() < SEED_BYTES).collect()
        }
        "report" => {
            let reports = cases.iter().map(|case| case.report(usize::MAX).to_json().into_bytes());
            reports.filter(|bytes| bytes.len() < 2 * SEED_BYTES).step_by(4).chain(documents().step_by(16)).collect()
        }
        "selection" => {
            let lines = ["RL AT-07 derived", "GEN-01 CL", "XML-03 GEN", "missing-at ADV"];
            let cycle = lines.iter().cycle();
            documents().step_by(3).zip(cycle).map(|(bytes, line)| led(format!("{line}\n").as_bytes(), bytes)).collect()
        }
        "notify_form" => transcribed("hub.").chain(FORMS.map(String::from)).map(String::into_bytes).collect(),
        "notify_hub" => {
            let forms: Vec<_> = transcribed("hub.").chain(FORMS.map(String::from)).map(String::into_bytes).collect();
            let payloads: Vec<_> =
                documents().filter(|bytes| bytes.windows(19).any(|window| window == b"change-notification")).collect();
            scripts(&forms, &payloads)
        }
        "notify_link" => transcribed("rel=").chain(LINKS.map(String::from)).map(String::into_bytes).collect(),
        "notify_machine" => {
            let script = |seed: u8| (0..120_u8).map(|at| at.wrapping_mul(seed).wrapping_add(seed)).collect();
            (0..24).map(script).chain(SCRIPTS.iter().map(|script| script.to_vec())).collect()
        }
        "notify_request" => {
            let notifications = documents().filter(|bytes| bytes.windows(13).any(|window| window == b"-notification"));
            let requests =
                notifications.map(|bytes| [b"\x01\x07\n<https://example.com/changes>; rel=self\n", &*bytes].concat());
            requests.chain(transcribed("hub.").map(|form| [b"\x00\x01", form.as_bytes(), b"\nx\n"].concat())).collect()
        }
        "oai_page" => {
            let bodies = cases_of_harvests().flat_map(|case| case.answers).map(|answer| answer.body.bytes());
            let bodies: BTreeSet<Vec<u8>> = bodies.filter(|body| body.len() < SEED_BYTES).collect();
            bodies.into_iter().map(|body| led(&[63], body)).collect()
        }
        "oai_state" => {
            let script = |seed: u8| (0..60_u8).map(|at| at.wrapping_mul(seed).wrapping_add(seed)).collect();
            let state = |case: OaiCase| serde_json::to_vec(&first_checkpoint(&case)?).ok();
            (0..24).map(script).chain(cases_of_harvests().step_by(9).filter_map(state)).collect()
        }
        "configuration" => CONFIGURATIONS.iter().map(|text| text.as_bytes().to_vec()).collect(),
        _ => values(target, documents()),
    }
}

const CONFIGURATIONS: &[&str] = &[
    "profile = \"strict\"\nlang = \"ja\"\nfail-on = \"warning\"\n",
    "select = [\"RL\", \"AT-07\"]\nignore = [\"ADV\", \"XML-03\", \"derived\"]\n",
    "[severity]\n\"GEN-22\" = \"error\"\nADV = \"warning\"\n",
    "[limits]\nentries = 100\ntag-bytes = 65536\n",
    "profil = \"strict\"\n",
];

const FORMS: [&str; 2] =
    ["a=1&hub.mode=x&hub.mode=unsubscribe&empty=&=&%E6%97%A5=b+c", "hub.mode=denied&hub.reason=no+more"];

/// Paths of copies.
const PLACES: [&str; 5] = [
    "a.example/^index^3Fq=^2F",
    "a.example^http^8080/r\u{e9}s/^63on",
    "http://a.example/files/../%2e%2e/%5C:*?\u{65e5}",
    "http://a.example/%E6%97%A5%00/con/.resourcesync",
    "data/x/b^~0",
];

const LINKS: [&str; 2] = [
    "</a>; title=\"x, <y>; rel=up\"; rel=\"self  Hub\"\n<b>; rel=hub; anchor=\"/other\"",
    "sha256=5d478ba9d498a38987ca1659a53c3fe3f46afc702b6e0e00d81eab69e94017e2, md5=00",
];

/// The distinct non-empty texts in the transcripts of notifications.
fn transcribed(part: &str) -> impl Iterator<Item = String> {
    fn texts(value: Value, into: &mut BTreeSet<String>) {
        match value {
            Value::String(text) => drop(into.insert(text)),
            Value::Array(values) => values.into_iter().for_each(|value| texts(value, into)),
            Value::Object(fields) => fields.into_iter().for_each(|(_, value)| texts(value, into)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let folders =
        ["notify", "notify/hub"].map(|name| fs::read_dir(corpus().join(name)).expect("the corpus can be read"));
    for path in folders
        .into_iter()
        .flatten()
        .map(|file| file.expect("the corpus can be read").path())
        .filter(|path| path.is_file())
    {
        let transcript = fs::read_to_string(path).expect("a transcript is text");
        let values = transcript.lines().filter_map(|line| serde_json::from_str(line.split_once(' ')?.1).ok());
        values.for_each(|value| texts(value, &mut found));
    }
    found.into_iter().filter(|text| text.len() < SEED_BYTES && text.contains(part)).collect::<Vec<_>>().into_iter()
}

fn cases_of_harvests() -> impl Iterator<Item = OaiCase> {
    resourcesync_tests::oai::cases().into_iter()
}

/// The checkpoint after the first response of a transcript.
fn first_checkpoint(case: &OaiCase) -> Option<Checkpoint> {
    let mut harvest = Harvest::new(case.plan(), case.begins());
    let Output::Call(_) = harvest.poll(case.begins()) else { return None };
    let mut answer = harvest.answer(case.begins(), ResponseHead { status: 200, ..ResponseHead::default() });
    answer.push(&case.answers.first()?.body.bytes());
    answer.finish();
    while answer.next().is_some() {}
    let _ = harvest.handle(case.begins(), Event::Answered(answer.into_answered()));
    match harvest.poll(case.begins()) {
        Output::Save(checkpoint) => Some(*checkpoint),
        _ => None,
    }
}

/// The machine, then: follow, the Capability List, topics, hubs, verifications, deliveries.
const SCRIPTS: &[&[u8]] = &[
    &[
        0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 1, 0, 2, 0, 5, 0, 0, 0, 5, 1, 0, 1, 6, 0, 0, 0, 1, 0,
        6, 0, 0, 3, 1, 0, 9, 2,
    ],
    &[1, 0, 0, 2, 0, 1, 1, 2, 0, 0, 2, 0, 12, 7, 9, 0, 1, 0, 2, 0, 0, 15, 0, 7, 200, 2, 0, 0],
];

/// The texts between quotes and between tags.
fn values(target: &str, documents: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut values: Vec<String> = Vec::new();
    for bytes in documents {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        values.extend(text.split(['"', '\'', '<', '>']).map(str::trim).filter(|v| v.len() > 3).map(String::from));
    }
    values.sort();
    values.dedup();
    let wanted = |value: &String| match target {
        "datetime" => value.starts_with(|c: char| c.is_ascii_digit()) && value.len() < 60,
        "hash" => value.contains(':') && !matches!(Hashes::read(value), Parsed::Malformed),
        "uri" => value.contains("//") || value.starts_with('/'),
        _ => value.len() < 40,
    };
    values.into_iter().filter(wanted).map(String::into_bytes).collect()
}
