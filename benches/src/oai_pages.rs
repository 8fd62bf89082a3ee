//! Pages of OAI-PMH, and reading them.

use std::{fmt::Write as _, hint::black_box};

use resourcesync_oai::{
    limits::Limits,
    page::{PageReader, Piece},
};

/// Bytes pushed at a time.
pub const WINDOW: usize = 64 << 10;

/// A page with this number of records of 1.6 KB; every tenth is damaged on request.
pub fn page(number: usize, records: usize, pages: usize, is_damaged: bool) -> String {
    let mut page = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" metadataPrefix=\"oai_dc\">http://127.0.0.1/oai</request><ListRecords>\n",
    );
    for at in 0..records {
        let id = number * records + at;
        let damage = if is_damaged && at % 10 == 5 { "\u{b}" } else { "" };
        let _ = write!(
            page,
            "<record><header><identifier>oai:a.example:{id}</identifier><datestamp>2025-06-01</datestamp><setSpec>theses</setSpec></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>Title {id}{damage}</dc:title>"
        );
        for line in 0..14 {
            let _ = writeln!(
                page,
                "<dc:subject>subject {line} of a record that is as long as records usually are, 日本語</dc:subject>"
            );
        }
        page.push_str("</oai_dc:dc></metadata></record>\n");
    }
    let token = if number + 1 < pages { format!("p{}", number + 1) } else { String::new() };
    let _ = writeln!(page, "<resumptionToken>{token}</resumptionToken></ListRecords></OAI-PMH>");
    page
}

/// Reads a page in windows: records, whole or damaged.
#[inline(never)] // instructions are counted by its name
pub fn read(bytes: &[u8]) -> u64 {
    let mut reader = PageReader::new(&Limits::default());
    let mut records = 0;
    let mut count = |reader: &mut PageReader| {
        while let Some(piece) = reader.next() {
            records += u64::from(matches!(black_box(&piece), Piece::Record(_) | Piece::Damaged(_)));
        }
    };
    for window in bytes.chunks(WINDOW) {
        reader.push(window);
        count(&mut reader);
    }
    reader.finish();
    count(&mut reader);
    records
}
