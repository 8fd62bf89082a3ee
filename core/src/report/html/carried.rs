//! The report inside the page, compressed, for programs that open the page.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use miniz_oxide::deflate::compress_to_vec;

use crate::report::{Diagnostic, Group, Report, outline};

/// Findings that the page contains. All counts stay exact.
const MOST: usize = 2_000;

/// Characters of a line.
const LINE: usize = 120;

/// How hard the report is compressed: more costs time and saves little.
const LEVEL: u8 = 6;

/// The report as an element that browsers do not show: JSON, deflated (RFC 1951), in base64.
pub(super) fn template(report: &Report) -> String {
    let json = reduced(report).map_or_else(|| report.to_json(), |reduced| reduced.to_json());
    let packed = compress_to_vec(json.as_bytes(), LEVEL);
    format!(
        "<template id=\"resourcesync-report\" data-encoding=\"deflate-raw, base64\">\n{}</template>\n",
        base64(&packed)
    )
}

/// A report with as many findings as the page contains, of each code and input the first ones. `None` if it has no more.
fn reduced(report: &Report) -> Option<Report> {
    if report.diagnostics.len() <= MOST {
        return None;
    }
    let mut stored: BTreeMap<_, usize> = BTreeMap::new();
    for found in &report.diagnostics {
        let count = stored.entry(outline::key_of(found)).or_default();
        *count = count.saturating_add(1);
    }
    let fits = |each: usize| stored.values().map(|count| (*count).min(each)).sum::<usize>() <= MOST;
    let (mut each, mut too_many) = (1, MOST);
    while too_many.saturating_sub(each) > 1 {
        let middle = each.midpoint(too_many);
        if fits(middle) {
            each = middle;
        } else {
            too_many = middle;
        }
    }
    let mut kept: BTreeMap<_, usize> = BTreeMap::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for found in &report.diagnostics {
        let count = kept.entry(outline::key_of(found)).or_default();
        if *count < each && diagnostics.len() < MOST {
            *count = count.saturating_add(1);
            diagnostics.push(found.clone());
        }
    }
    let count = |group: &Group| kept.get(&outline::key(group)).map_or(0, |count| *count as u64);
    let groups = report.groups.iter().map(|group| Group { stored: count(group), ..group.clone() }).collect();
    let mut summary = report.summary;
    summary.stored = diagnostics.len() as u64;
    Some(Report { summary, groups, diagnostics, ..without_findings(report) })
}

fn without_findings(report: &Report) -> Report {
    let Report {
        format,
        format_version,
        tool,
        run,
        verdict,
        after_filters,
        summary,
        inputs,
        skipped,
        sets,
        suppressed,
        family,
        ..
    } = report;
    Report {
        format: format.clone(),
        format_version: *format_version,
        tool: tool.clone(),
        run: run.clone(),
        verdict: *verdict,
        after_filters: *after_filters,
        summary: *summary,
        inputs: inputs.clone(),
        skipped: skipped.clone(),
        sets: sets.clone(),
        groups: Vec::new(),
        suppressed: suppressed.clone(),
        diagnostics: Vec::new(),
        family: *family,
    }
}

/// Base64 (RFC 4648) in lines.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for line in bytes.chunks(LINE / 4 * 3) {
        for three in line.chunks(3) {
            let byte = |at: usize| three.get(at).copied().map_or(0, u32::from);
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for (at, shift) in [18, 12, 6, 0].into_iter().enumerate() {
                let letter = LETTERS.get((bits >> shift & 63) as usize).map_or('=', |byte| char::from(*byte));
                out.push(if at > three.len() { '=' } else { letter });
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn bytes_become_letters() {
        let cases = [("", ""), ("f", "Zg==\n"), ("fo", "Zm8=\n"), ("foo", "Zm9v\n"), ("foob", "Zm9vYg==\n")];
        for (bytes, letters) in cases {
            assert_eq!(base64(bytes.as_bytes()), letters);
        }
        assert_eq!(base64(&[255; 100]).lines().map(str::len).collect::<Vec<_>>(), [120, 16]);
    }

    #[test]
    fn a_large_report_keeps_some_findings_of_every_group_and_all_counts() {
        let report = sample::many(100, 100);
        let reduced = reduced(&report).unwrap();
        assert_eq!(reduced.diagnostics.len(), MOST);
        assert!(reduced.groups.iter().all(|group| (group.stored, group.count) == (20, 100)));
        assert_eq!((reduced.summary.stored, reduced.summary.errors), (2_000, 10_000));
        assert_eq!(super::reduced(&sample::one()), None);
    }
}
