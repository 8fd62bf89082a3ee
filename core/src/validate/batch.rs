//! The order in which inputs of a run are read, and one report on them in the given order.

use alloc::{
    collections::{BTreeMap, VecDeque},
    string::String,
    sync::Arc,
    vec::Vec,
};

use super::{DumpIndex, DumpListing, FindingBudget, InputOrigin, Options, Outcome, Run, Validation};
use crate::{
    diagnostic::{Reason, ReasonCode},
    read::{is_package, is_package_name},
    report::{Report, Via},
    rules::{KnownPackage, KnownPackages},
    value::Hashes,
};

/// What to do next. Inputs have the numbers that [`Batch::input`] gave them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Read the first bytes of this input, at least [`SNIFFED`](Batch::SNIFFED) if it has as many, for [`Batch::sniffed`].
    Sniff {
        /// The number of the input.
        input: usize,
        /// True if it is to be read on as far as a [`DumpScan`](super::DumpScan) wants, unless it is a package.
        scan: bool,
    },
    /// Read this document as far as a [`DumpScan`](super::DumpScan) wants, for [`Batch::scanned`].
    Scan(usize),
    /// Verify this package, with [`Batch::listed_digests`], for [`Batch::verified`].
    Verify(usize),
    /// Validate this document, with [`Batch::packages`], for [`Batch::validated`].
    Validate(usize),
    /// Nothing, until something that was begun is done.
    Wait,
    /// Nothing more.
    Done,
}

/// Inputs that are validated together.
///
/// A dump and its packages given together are compared: so what the documents list is read first, then packages are verified, then
/// documents are validated. Tasks of one kind may be done side by side and end in any order.
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
    /// What is not in the report yet, in its order.
    items: VecDeque<Item>,
    inputs: Vec<Input>,
    /// True once one of them is known to be a package.
    has_packages: bool,
    phase: Phase,
    /// The input that is looked at next in this phase.
    next: usize,
    /// Tasks begun and not done.
    open: usize,
    scanned: BTreeMap<usize, DumpListing>,
    /// True if some were.
    has_documents: bool,
    index: DumpIndex,
    packages: Option<Arc<KnownPackages>>,
    /// Outcomes before their turn, and how many findings of them are kept.
    early: BTreeMap<usize, Outcome>,
    budget: FindingBudget,
    run: Run,
    /// True once something in the folder at hand is for us.
    has_any: bool,
    is_stopped: bool,
    finished: usize,
    entries: u64,
}

#[derive(Debug)]
enum Item {
    Input(usize),
    Skipped(String, Reason),
    /// All of a folder was listed.
    EndOfFolder(InputOrigin),
}

#[derive(Debug)]
struct Input {
    origin: InputOrigin,
    /// The name of the file, if it is one that can be read several times.
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
    /// Bytes that tell a package from a document.
    pub const SNIFFED: usize = 8;

    /// Without inputs yet.
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
            has_any: false,
            is_stopped: false,
            finished: 0,
            entries: 0,
        }
    }

    /// Adds an input; gives back its number. `file` is the name of the file, without its folders, if it is one that can be read
    /// several times: what is read once only, such as a pipe, is never sniffed.
    pub fn input(&mut self, origin: InputOrigin, file: Option<&str>) -> usize {
        let number = self.inputs.len();
        let is_package = file.is_some_and(is_package_name);
        self.has_packages |= is_package;
        self.inputs.push(Input { origin, file: file.map(String::from), is_package, is_scanned: false });
        self.items.push_back(Item::Input(number));
        number
    }

    /// Where an input comes from.
    pub fn origin(&self, number: usize) -> Option<&InputOrigin> {
        self.inputs.get(number).map(|input| &input.origin)
    }

    /// Adds what is only listed, and why.
    pub fn skip(&mut self, name: impl Into<String>, reason: Reason) {
        self.items.push_back(Item::Skipped(name.into(), reason));
    }

    /// Adds that all of a folder was added. If none of it is for us, the folder becomes an input that cannot be read.
    pub fn end_folder(&mut self, folder: InputOrigin) {
        self.items.push_back(Item::EndOfFolder(folder));
    }

    /// What to do next.
    pub fn poll(&mut self) -> Task {
        loop {
            // A package that is known by its name: what turns out to be a document is then scanned while it is open.
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

    /// Goes on to the next phase.
    fn advance(&mut self) {
        self.next = 0;
        self.phase = match self.phase {
            Phase::Sniff if self.has_packages => Phase::Scan,
            Phase::Scan => {
                self.has_documents = !self.scanned.is_empty();
                for (number, dump) in core::mem::take(&mut self.scanned) {
                    let name = self.file(number);
                    self.index.add_dump(name, dump);
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

    /// Takes the first bytes of an input, none if it cannot be read; and what it lists, if it was scanned, which does not count of a
    /// package.
    pub fn sniffed(&mut self, number: usize, head: &[u8], dump: Option<DumpListing>) {
        let is_package = is_package(head);
        if let Some(input) = self.inputs.get_mut(number) {
            input.is_package = is_package;
            self.has_packages |= is_package;
        }
        self.scanned(number, dump.filter(|_| !is_package));
    }

    /// Takes what a document lists; nothing if it cannot be read, which is reported when it is validated.
    pub fn scanned(&mut self, number: usize, dump: Option<DumpListing>) {
        self.open = self.open.saturating_sub(1);
        self.scanned.extend(dump.map(|dump| (number, dump)));
    }

    /// The digests that dumps list of a package; `None` where no dump lists it.
    pub fn listed_digests(&self, number: usize) -> Option<Hashes> {
        self.index.listed_digests(self.inputs.get(number)?.file.as_deref()?)
    }

    /// Takes the outcome of a package, and what documents may want to know of it.
    pub fn verified(&mut self, number: usize, outcome: Outcome, package: KnownPackage) {
        // Without documents nobody will ask about it.
        if self.has_documents {
            let name = self.file(number);
            self.index.add_package(name, package);
        }
        self.validated(number, outcome);
    }

    /// The packages that documents may be dumps of.
    pub fn packages(&self) -> Option<&Arc<KnownPackages>> {
        self.packages.as_ref()
    }

    /// Takes the outcome of an input.
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

    /// Puts into the report what comes next there and is known.
    fn report(&mut self) {
        while let Some(item) = self.items.pop_front() {
            match item {
                Item::Input(number) => match self.early.remove(&number) {
                    Some(outcome) => {
                        self.budget.take(&outcome);
                        self.has_any |= outcome.origin.via == Via::Folder && outcome.foreign.is_none();
                        self.run.add(outcome);
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

    /// Takes it that an input was not read to its end, or not listed, because the run was stopped; and by what.
    pub fn stopped(&mut self, by: &str) {
        self.is_stopped = true;
        self.run.stopped(by);
    }

    /// Inputs that are finished, and the entries in them.
    pub fn progress(&self) -> (usize, u64) {
        (self.finished, self.entries)
    }

    /// The report.
    pub fn finish(mut self) -> Report {
        self.report();
        // An input without an outcome, which whoever drives the batch owes, would else go unmentioned.
        while let Some(Item::Input(number)) = self.items.front() {
            let Some(input) = self.inputs.get(*number) else { break };
            let lost = Reason::new(ReasonCode::Bug);
            let outcome = Validation::new(&self.options, input.origin.clone()).unreadable(lost);
            self.early.insert(*number, outcome);
            self.report();
        }
        self.run.finish()
    }
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

    /// Does every task, one after the other; which those were.
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
        // A package that is known by its content only: what was sniffed before it is scanned after it.
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
