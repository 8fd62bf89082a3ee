//! The order in which inputs of a run are read, and one report on them in the given order.

use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::String,
    sync::Arc,
    vec::Vec,
};

use super::{
    DumpIndex, DumpListing, FindingBudget, InputOrigin, Options, Outcome, Run, Validation, linked_files::file_hash,
};
use crate::{
    diagnostic::{Reason, ReasonCode},
    model::Kind,
    read::{is_package, is_package_name},
    report::{Report, Via},
    rules::{KnownPackage, KnownPackages},
    value::Hashes,
};

/// The next task. Inputs have the numbers returned by [`Batch::input`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Read the first [`SNIFFED`](Batch::SNIFFED) bytes of this input or more, for [`Batch::sniffed`].
    Sniff {
        /// The number of the input.
        input: usize,
        /// True if it should be read on with a [`DumpScan`](super::DumpScan), unless it is a package.
        scan: bool,
    },
    /// Read this document with a [`DumpScan`](super::DumpScan), for [`Batch::scanned`].
    Scan(usize),
    /// Verify this package, with [`Batch::listed_digests`], for [`Batch::verified`].
    Verify(usize),
    /// Validate this document, with [`Batch::packages`], for [`Batch::validated`].
    Validate(usize),
    /// Wait until a task in progress is done.
    Wait,
    /// All tasks are done.
    Done,
}

/// Inputs that are validated together.
///
/// A dump is compared with packages in the same batch. Documents are therefore scanned for listed packages first, then packages are
/// verified, then documents are validated. Tasks of one kind may run in parallel and finish in any order.
///
/// ```
/// use resourcesync::{api::{Batch, InputOrigin, Options, Task, Validation}, report::Verdict};
///
/// let options = Options::default();
/// let mut batch = Batch::new(&options);
/// let number = batch.input(InputOrigin::named("list.xml"), Some("list.xml"));
/// let document = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>"#;
/// loop {
///     match batch.poll() {
///         Task::Sniff { input, .. } => batch.sniffed(input, document, None),
///         Task::Validate(number) => {
///             let mut validation = Validation::new(&options, InputOrigin::named("list.xml"));
///             validation.push(document);
///             batch.validated(number, validation.finish());
///         }
///         _ => break,
///     }
/// }
/// assert_eq!(batch.finish().inputs[number].name, "list.xml");
/// ```
#[derive(Debug)]
pub struct Batch {
    options: Options,
    /// Inputs that are not in the report yet, in report order.
    items: VecDeque<Item>,
    inputs: Vec<Input>,
    /// True once one of them was identified as a package.
    has_packages: bool,
    phase: Phase,
    /// The next input in this phase.
    next: usize,
    /// Tasks in progress.
    open: usize,
    scanned: BTreeMap<usize, DumpListing>,
    /// True if there were any.
    has_documents: bool,
    index: DumpIndex,
    packages: Option<Arc<KnownPackages>>,
    /// Outcomes that arrived out of order, and the number of their findings that are kept.
    early: BTreeMap<usize, Outcome>,
    budget: FindingBudget,
    run: Run,
    /// The number of each input in the report.
    numbers: BTreeMap<usize, u64>,
    /// True once the current folder contains an input.
    has_any: bool,
    /// Files of folders that claim nothing. They are documents of the Source if one links to them.
    unclaimed: Vec<(usize, Outcome)>,
    /// Hashes of the names of files that documents link to, of the topics among them, and of those that are documents.
    linked: BTreeSet<u64>,
    topics: BTreeSet<u64>,
    documents: BTreeSet<u64>,
    is_stopped: bool,
    finished: usize,
    entries: u64,
}

#[derive(Debug)]
enum Item {
    Input(usize),
    Skipped(String, Reason),
    /// The end of a folder.
    EndOfFolder(InputOrigin),
}

#[derive(Debug)]
struct Input {
    origin: InputOrigin,
    /// The name of the file, if it can be read several times.
    file: Option<String>,
    is_package: bool,
    is_scanned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Sniff,
    Scan,
    Verify,
    Validate,
    Done,
}

impl Batch {
    /// Bytes needed to distinguish a package from a document.
    pub const SNIFFED: usize = 8;

    /// Creates a batch without inputs.
    pub fn new(options: &Options) -> Batch {
        Batch {
            options: options.clone(),
            items: VecDeque::new(),
            inputs: Vec::new(),
            has_packages: false,
            phase: Phase::Sniff,
            next: 0,
            open: 0,
            scanned: BTreeMap::new(),
            has_documents: false,
            index: DumpIndex::default(),
            packages: None,
            early: BTreeMap::new(),
            budget: FindingBudget::new(options.max_per_rule),
            run: Run::new(options),
            numbers: BTreeMap::new(),
            has_any: false,
            unclaimed: Vec::new(),
            linked: BTreeSet::new(),
            topics: BTreeSet::new(),
            documents: BTreeSet::new(),
            is_stopped: false,
            finished: 0,
            entries: 0,
        }
    }

    /// Adds an input and returns its number. `file` is the file name without folders, if the file can be read several times: an
    /// input that can be read only once, such as a pipe, is never sniffed.
    pub fn input(&mut self, origin: InputOrigin, file: Option<&str>) -> usize {
        let number = self.inputs.len();
        let is_package = file.is_some_and(is_package_name);
        self.has_packages |= is_package;
        self.inputs.push(Input { origin, file: file.map(String::from), is_package, is_scanned: false });
        self.items.push_back(Item::Input(number));
        number
    }

    /// The origin of an input.
    pub fn origin(&self, number: usize) -> Option<&InputOrigin> {
        self.inputs.get(number).map(|input| &input.origin)
    }

    /// Adds a skipped file, with the reason.
    pub fn skip(&mut self, name: impl Into<String>, reason: Reason) {
        self.items.push_back(Item::Skipped(name.into(), reason));
    }

    /// Marks the end of a folder. If it contains no inputs, the folder itself becomes an unreadable input.
    pub fn end_folder(&mut self, folder: InputOrigin) {
        self.items.push_back(Item::EndOfFolder(folder));
    }

    /// The next task.
    pub fn poll(&mut self) -> Task {
        loop {
            // A package is recognized by its name, so that a document can be scanned while it is open.
            let (number, scan) = (self.next, self.has_packages);
            let Some(input) = self.inputs.get_mut(number) else {
                if self.open > 0 {
                    return Task::Wait;
                }
                if self.phase == Phase::Done {
                    return Task::Done;
                }
                self.advance();
                continue;
            };
            self.next = number.saturating_add(1);
            let is_file = input.file.is_some();
            let task = match self.phase {
                Phase::Sniff if is_file && !input.is_package => {
                    input.is_scanned = scan;
                    Task::Sniff { input: number, scan }
                }
                Phase::Scan if is_file && !input.is_package && !input.is_scanned => Task::Scan(number),
                Phase::Verify if input.is_package => Task::Verify(number),
                Phase::Validate if !input.is_package => Task::Validate(number),
                _ => continue,
            };
            self.open = self.open.saturating_add(1);
            return task;
        }
    }

    /// Starts the next phase.
    fn advance(&mut self) {
        self.next = 0;
        self.phase = match self.phase {
            Phase::Sniff if self.has_packages => Phase::Scan,
            Phase::Scan => {
                self.has_documents = !self.scanned.is_empty();
                for (number, dump) in core::mem::take(&mut self.scanned) {
                    self.index.add_dump(&place(&self.inputs, number), dump);
                }
                Phase::Verify
            }
            Phase::Verify => {
                self.packages = self.index.packages().map(Arc::new);
                Phase::Validate
            }
            Phase::Sniff => Phase::Validate,
            Phase::Validate | Phase::Done => {
                self.next = self.inputs.len();
                Phase::Done
            }
        };
    }

    fn file(&self, number: usize) -> String {
        self.inputs.get(number).and_then(|input| input.file.clone()).unwrap_or_default()
    }

    /// Supplies the first bytes of an input, empty if it cannot be read; and the result of the scan, if there was one, which is
    /// ignored for a package.
    pub fn sniffed(&mut self, number: usize, head: &[u8], dump: Option<DumpListing>) {
        let is_package = is_package(head);
        if let Some(input) = self.inputs.get_mut(number) {
            input.is_package = is_package;
            self.has_packages |= is_package;
        }
        self.scanned(number, dump.filter(|_| !is_package));
    }

    /// Supplies the packages that a document lists; `None` if it cannot be read, which is reported when it is
    /// validated.
    pub fn scanned(&mut self, number: usize, dump: Option<DumpListing>) {
        self.open = self.open.saturating_sub(1);
        self.scanned.extend(dump.map(|dump| (number, dump)));
    }

    /// The digests that dumps list for a package; `None` if no dump lists it.
    pub fn listed_digests(&self, number: usize) -> Option<Hashes> {
        self.index.listed_digests(self.inputs.get(number)?.file.as_deref()?)
    }

    /// Supplies the outcome of a package, and its summary for the documents that list it.
    pub fn verified(&mut self, number: usize, outcome: Outcome, package: KnownPackage) {
        // Without documents it is not needed.
        if self.has_documents {
            self.index.add_package(&place(&self.inputs, number), package);
        }
        self.validated(number, outcome);
    }

    /// The packages that documents may list.
    pub fn packages(&self) -> Option<&Arc<KnownPackages>> {
        self.packages.as_ref()
    }

    /// Supplies the outcome of an input.
    pub fn validated(&mut self, number: usize, outcome: Outcome) {
        self.open = self.open.saturating_sub(1);
        self.finished = self.finished.saturating_add(1);
        self.entries = self.entries.saturating_add(outcome.entries);
        self.budget.add(&outcome);
        self.early.insert(number, outcome);
        if self.budget.is_exceeded() {
            self.budget.keep(self.early.values_mut());
        }
        self.report();
    }

    /// Adds the next outcomes to the report, if they arrived.
    fn report(&mut self) {
        while let Some(item) = self.items.pop_front() {
            match item {
                Item::Input(number) => match self.early.remove(&number) {
                    Some(outcome) => {
                        self.budget.take(&outcome);
                        self.add(number, outcome);
                    }
                    None => return self.items.push_front(item),
                },
                Item::Skipped(name, reason) => self.run.skip(name, reason),
                Item::EndOfFolder(folder) => {
                    if !core::mem::take(&mut self.has_any) && !self.is_stopped {
                        let nothing = Reason::new(ReasonCode::NothingInFolder);
                        self.run.add(Validation::new(&self.options, folder).unreadable(nothing));
                    }
                }
            }
        }
    }

    /// Adds an outcome to the report; what claims nothing waits for the documents that may link to it.
    fn add(&mut self, number: usize, mut outcome: Outcome) {
        if outcome.origin.via == Via::Folder {
            let summary = outcome.summary.take();
            if let Some(summary) = summary {
                self.linked.extend(summary.linked_files.documents);
                self.topics.extend(summary.linked_files.topics);
            }
            if outcome.foreign.is_some() && outcome.kind != Kind::Package {
                self.unclaimed.push((number, outcome));
                return;
            }
            self.has_any |= outcome.foreign.is_none();
            self.documents.insert(file_hash(self.options.seed, self.file(number).as_bytes()));
        }
        self.numbers.extend(self.run.add_input(outcome).map(|id| (number, id)));
    }

    /// Adds what claims nothing: as an input if a document links to a file of its name and there is no other, otherwise as skipped. A topic
    /// to which nothing was sent is empty.
    fn add_unclaimed(&mut self) {
        for (number, mut outcome) in core::mem::take(&mut self.unclaimed) {
            let name = file_hash(self.options.seed, self.file(number).as_bytes());
            let is_empty = outcome.foreign.as_ref().is_some_and(|reason| reason.code == ReasonCode::EmptyFile);
            let is_linked = self.linked.contains(&name) || (self.topics.contains(&name) && !is_empty);
            if is_linked && !self.documents.contains(&name) {
                outcome.foreign = None;
            }
            self.numbers.extend(self.run.add_input(outcome).map(|id| (number, id)));
        }
    }

    /// Records that an input was not read to its end, or not listed, because the run was stopped, with the
    /// reason.
    pub fn stopped(&mut self, by: &str) {
        self.is_stopped = true;
        self.run.stopped(by);
    }

    /// The number of finished inputs, and of their entries.
    pub fn progress(&self) -> (usize, u64) {
        (self.finished, self.entries)
    }

    /// Returns the report.
    pub fn finish(self) -> Report {
        self.finish_with_numbers().0
    }

    /// Returns the report, and the number in it of each input that it has.
    pub fn finish_with_numbers(mut self) -> (Report, BTreeMap<usize, u64>) {
        self.report();
        // An input for which the driver supplied no outcome must still be in the report.
        while let Some(Item::Input(number)) = self.items.front() {
            let Some(input) = self.inputs.get(*number) else { break };
            let lost = Reason::new(ReasonCode::Bug);
            let outcome = Validation::new(&self.options, input.origin.clone()).unreadable(lost);
            self.early.insert(*number, outcome);
            self.report();
        }
        self.add_unclaimed();
        (self.run.finish(), self.numbers)
    }
}

/// The URI of an input, or its path, which ends with the name of the file.
fn place(inputs: &[Input], number: usize) -> String {
    let Some(Input { origin, file, .. }) = inputs.get(number) else { return String::new() };
    let file = file.clone().unwrap_or_default();
    origin.uri.clone().unwrap_or(if origin.name.ends_with(&file) { origin.name.clone() } else { file })
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use super::*;

    fn origin(name: &str) -> InputOrigin {
        InputOrigin { via: Via::Folder, ..InputOrigin::named(name) }
    }

    fn batch(names: &[&str]) -> Batch {
        let mut batch = Batch::new(&Options::default());
        for name in names {
            batch.input(origin(name), Some(name));
        }
        batch
    }

    fn outcome(name: &str) -> Outcome {
        Validation::new(Options::default(), origin(name)).unreadable(Reason::new(ReasonCode::NoSuchFile))
    }

    /// Performs all tasks one after the other, and returns them.
    fn all(batch: &mut Batch, head: impl Fn(usize) -> &'static [u8]) -> Vec<Task> {
        let mut tasks = Vec::new();
        loop {
            let task = batch.poll();
            tasks.push(task);
            match task {
                Task::Sniff { input, .. } => batch.sniffed(input, head(input), None),
                Task::Scan(number) => batch.scanned(number, None),
                Task::Verify(number) => batch.verified(number, outcome(&format!("{number}")), KnownPackage::default()),
                Task::Validate(number) => batch.validated(number, outcome(&format!("{number}"))),
                Task::Wait | Task::Done => return tasks,
            }
        }
    }

    #[test]
    fn packages_come_before_documents_and_every_document_is_scanned_once() {
        let zip = b"PK\x03\x04....";
        let mut batch = batch(&["a.xml", "b.ZIP", "c.xml"]);
        let sniff = |input, scan| Task::Sniff { input, scan };
        let expected =
            [sniff(0, true), sniff(2, true), Task::Verify(1), Task::Validate(0), Task::Validate(2), Task::Done];
        assert_eq!(all(&mut batch, |_| b"<urlset>"), expected);
        // A package recognized only by its content: inputs sniffed before it are scanned after it.
        let mut batch = self::batch(&["a.xml", "b", "c.xml"]);
        let expected = vec![
            sniff(0, false),
            sniff(1, false),
            sniff(2, true),
            Task::Scan(0),
            Task::Verify(1),
            Task::Validate(0),
            Task::Validate(2),
            Task::Done,
        ];
        assert_eq!(all(&mut batch, |number| if number == 1 { zip } else { b"<urlset>" }), expected);
    }

    #[test]
    fn without_packages_nothing_is_scanned() {
        let mut batch = batch(&["a.xml", "b.xml"]);
        batch.input(origin("-"), None);
        let tasks = all(&mut batch, |_| b"");
        assert!(
            tasks.iter().all(|task| !matches!(task, Task::Scan(_) | Task::Verify(_) | Task::Sniff { input: 2, .. })),
            "{tasks:?}"
        );
        assert_eq!(batch.progress().0, 3);
    }

    #[test]
    fn the_report_is_in_the_order_of_the_inputs_whatever_ends_first() {
        let mut batch = batch(&["a.xml", "b.xml"]);
        batch.skip("c.txt", Reason::new(ReasonCode::NotRegularFile));
        batch.end_folder(origin("."));
        for _ in 0..2 {
            let Task::Sniff { input, scan: false } = batch.poll() else { break };
            batch.sniffed(input, b"<urlset>", None);
        }
        assert_eq!((batch.poll(), batch.poll(), batch.poll()), (Task::Validate(0), Task::Validate(1), Task::Wait));
        batch.validated(1, outcome("b.xml"));
        batch.validated(0, outcome("a.xml"));
        let report = batch.finish();
        let names: Vec<&str> = report.inputs.iter().map(|input| input.name.as_str()).collect();
        assert_eq!((names, report.skipped.len()), (vec!["a.xml", "b.xml"], 1));
    }

    #[test]
    fn a_folder_with_nothing_for_us_is_an_input_unless_the_run_was_stopped() {
        for is_stopped in [false, true] {
            let mut batch = Batch::new(&Options::default());
            batch.end_folder(origin("empty"));
            if is_stopped {
                batch.stopped("interrupt");
            }
            assert_eq!(batch.finish().inputs.len(), usize::from(!is_stopped));
        }
    }

    #[test]
    fn an_outcome_that_never_came_is_reported() {
        let report = batch(&["a.xml"]).finish();
        assert!(report.diagnostics.iter().any(|found| found.message.contains("bug")), "{report:?}");
    }
}
