//! Reading a document with and without what the reader learns from repetition.

use resourcesync::{
    api::{InputOrigin, ItemReader, Options, Run, Validation},
    limits::Limits,
    model::Entry,
    read::Reader,
};

use crate::told;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Every item with its positions, and the findings about it.
    Items,
    /// Every byte of the report.
    Report,
    /// The entries that are taken from the reader one by one.
    Entries,
}

impl Of {
    /// All of them.
    pub const ALL: [Of; 3] = [Of::Items, Of::Report, Of::Entries];
}

/// Reads a document in windows of this size with and without what is learnt from repetition, and compares the results.
pub fn compare(of: Of, bytes: &[u8], window: usize, limits: &Limits) -> Result<(), String> {
    let lines = |is_fast| match (of, is_fast) {
        (Of::Items, true) => told(Reader::new(limits), bytes, window, limits),
        (Of::Items, false) => told(Reader::new(limits).without_templates(), bytes, window, limits),
        (Of::Report, _) => report(bytes, window, limits, is_fast).split_inclusive('}').map(String::from).collect(),
        (Of::Entries, true) => entries(ItemReader::new(limits), bytes, window),
        (Of::Entries, false) => entries(ItemReader::new(limits).without_templates(), bytes, window),
    };
    same(&lines(true), &lines(false)).map_err(|difference| format!("{of:?}: {difference}"))
}

fn same(fast: &[String], usual: &[String]) -> Result<(), String> {
    if let Some((fast, usual)) = fast.iter().zip(usual).find(|(fast, usual)| fast != usual) {
        return Err(format!("different:\n{fast}\n{usual}"));
    }
    if fast.len() == usual.len() { Ok(()) } else { Err(format!("{} lines, not {}", fast.len(), usual.len())) }
}

fn report(bytes: &[u8], window: usize, limits: &Limits, is_fast: bool) -> String {
    let mut options = Options::default();
    (options.limits, options.max_per_rule) = (limits.clone(), 0);
    let mut validation = Validation::new(&options, InputOrigin::named("list.xml"));
    if !is_fast {
        validation = validation.without_templates();
    }
    bytes.chunks(window).for_each(|window| validation.push(window));
    let mut run = Run::new(&options);
    run.add(validation.finish());
    run.finish().to_json()
}

fn entries(mut reading: ItemReader, bytes: &[u8], window: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut take = |entry: Entry| lines.push(format!("{entry:?}"));
    for window in bytes.chunks(window) {
        if reading.push_for_entries(window, &mut take).is_err() {
            return lines;
        }
    }
    let _ = reading.finish_for_entries(&mut take);
    lines
}
