//! Seeds of each target: the cases of the corpus, their reports, and values taken from them.

use resourcesync::value::{Hashes, Parsed, Value};
use resourcesync_tests::{Case, all, sources};

use crate::source::written;

/// Longer documents teach a fuzzer little.
const SEED_BYTES: usize = 4096;

/// Inputs to begin with; their order does not change.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let cases = all();
    let documents = || cases.iter().filter(|case| !case.is_package()).map(Case::bytes).filter(|b| b.len() < SEED_BYTES);
    let led = |lead: &[u8], bytes: Vec<u8>| [lead, &bytes].concat();
    match target {
        "document" | "xml" => documents().map(|bytes| led(&[17], bytes)).collect(),
        "repair" => documents().map(|bytes| led(&[200], bytes)).collect(),
        "source" => {
            let webs = sources().into_iter().filter(|case| !case.is_large()).map(|case| written(&case.web()));
            webs.filter(|bytes| bytes.len() < 5 * SEED_BYTES).collect()
        }
        "gzip" => documents().map(|bytes| led(&[30], bytes)).collect(),
        "package" => {
            let packages = cases.iter().filter(|case| case.is_package()).map(Case::bytes);
            packages.filter(|bytes| bytes.len() < 4 * SEED_BYTES).map(|bytes| led(&[3], bytes)).collect()
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

/// What stands between quotes and between tags.
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
