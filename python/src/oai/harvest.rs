//! A harvest on a thread of its own, whose records are taken one by one.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use pyo3::prelude::*;
use resourcesync_client::{
    Cancel,
    http::Client,
    oai::{Clock, Config, HarvestError, Run, Sink, StoreOptions, SystemClock, drive},
};
use resourcesync_oai::{
    harvest::{Call, Checkpoint, Comparison, Handled, Harvest, Owed, Plan, Proof, Purpose, Scope},
    page::{Piece, Record},
};
use serde::Deserialize;

use super::{
    OaiRecord,
    machine::{plan, proof_text},
};
use crate::{
    destination::{Servers, client, within},
    error::{misuse, publish_failed},
};

/// The interval between two checks for signals.
const TICK: Duration = Duration::from_millis(100);
/// Pages that wait for the program.
const WAITING: usize = 2;

/// The options besides those of the harvest itself.
#[derive(Deserialize)]
struct Given {
    into: Option<PathBuf>,
    servers: Servers,
    config: Config,
}

/// What a harvest tells the program.
enum News {
    Page(Vec<Record>, Option<Arc<str>>),
    Done(Result<Box<Proof>, String>),
}

/// A harvest.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct OaiHarvest {
    news: Mutex<Receiver<News>>,
    /// News that came while the harvest was closed: its records were read and can still be taken.
    kept: VecDeque<News>,
    page: VecDeque<Record>,
    prefix: Option<Arc<str>>,
    proof: Option<Box<Proof>>,
    cancel: Cancel,
}

#[pymethods]
impl OaiHarvest {
    #[new]
    fn new(url: &str, options: &str, given: &str, seed: u64) -> PyResult<OaiHarvest> {
        let plan = plan(url, options, seed)?;
        let Given { into, servers, config } = serde_json::from_str(given).map_err(|error| misuse(error.to_string()))?;
        let cancel = Cancel::default();
        let client = client(url, servers, limits(&plan), true, within(plan.limits.inflate_ratio, &cancel))?;
        let stored = StoreOptions { tombstones: config.tombstones, holds_incomplete: false };
        let run = into.map(|folder| Run::open(&folder, Some(&config), stored));
        let run = run.transpose().map_err(|error| publish_failed("harvest_error", &error.to_string()))?;
        let (give, news) = sync_channel(WAITING);
        let stop = cancel.clone();
        thread::spawn(move || {
            let done = work(plan, &client, run, &give, &stop).map_err(|error| error.to_string());
            // Nobody waits for the end of a harvest that was closed.
            let _ = give.send(News::Done(done));
        });
        Ok(OaiHarvest {
            news: Mutex::new(news),
            kept: VecDeque::new(),
            page: VecDeque::new(),
            prefix: None,
            proof: None,
            cancel,
        })
    }

    /// The next record; `None` at the end, when there is a proof.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<OaiRecord>> {
        loop {
            if let Some(record) = self.page.pop_front() {
                return Ok(Some(OaiRecord::new(record, self.prefix.clone())));
            }
            let kept = self.kept.pop_front();
            if kept.is_none() && self.proof.is_some() {
                return Ok(None);
            }
            py.check_signals()?;
            let received = kept.map_or_else(
                || py.detach(|| self.news.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK)),
                Ok,
            );
            match received {
                Ok(News::Page(records, prefix)) => (self.page, self.prefix) = (records.into(), prefix),
                Ok(News::Done(Ok(proof))) => self.proof = Some(proof),
                Ok(News::Done(Err(words))) => {
                    let error = publish_failed("harvest_error", &words);
                    // Whoever asks again is told again.
                    self.kept.push_back(News::Done(Err(words)));
                    return Err(error);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(publish_failed("harvest_error", "the harvest failed; please report this as a bug"));
                }
            }
        }
    }

    /// The proof as JSON, at the end.
    fn proof(&self) -> PyResult<Option<String>> {
        self.proof.as_deref().map(proof_text).transpose()
    }

    /// Ends the harvest; the proof is that of what was read.
    fn close(&mut self, py: Python<'_>) {
        self.cancel.cancel();
        while self.proof.is_none() {
            match py.detach(|| self.news.lock().unwrap_or_else(PoisonError::into_inner).recv()) {
                Ok(News::Done(Ok(proof))) => self.proof = Some(proof),
                Ok(news) => self.kept.push_back(news),
                Err(_) => return,
            }
        }
    }
}

impl Drop for OaiHarvest {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn work(
    mut plan: Plan,
    client: &Client,
    run: Option<Run>,
    news: &SyncSender<News>,
    cancel: &Cancel,
) -> Result<Box<Proof>, HarvestError> {
    let clock = SystemClock;
    let mut run = run;
    let mut harvest = match &mut run {
        Some(run) => {
            run.prepare(&mut plan)?;
            run.harvest(plan, clock.now())?
        }
        None => Harvest::new(plan, clock.now()),
    };
    let mut passing = Passing { run, news, page: Vec::new(), prefix: None, is_closed: false };
    let proof = drive(client, &mut harvest, &mut passing, &clock, cancel, &mut |_| {})?;
    if let Some(run) = passing.run {
        run.finish(&harvest, &proof)?;
    }
    Ok(proof)
}

fn limits(plan: &Plan) -> resourcesync_client::http::Limits {
    let mut limits = resourcesync_client::http::Limits::default();
    limits.http_body_bytes = limits.http_body_bytes.max(plan.limits.oai_page_bytes);
    // The pause between requests is that of the plan.
    limits.http_requests_per_second = 0;
    limits
}

/// Passes on the records of each page that counts.
struct Passing<'a> {
    run: Option<Run>,
    news: &'a SyncSender<News>,
    page: Vec<Record>,
    prefix: Option<Arc<str>>,
    is_closed: bool,
}

impl Sink for Passing<'_> {
    fn piece(&mut self, call: &Call, piece: Piece, transcoded: Option<&'static str>) -> Result<(), HarvestError> {
        if matches!(call.purpose, Purpose::Harvest | Purpose::Owed) {
            let own = match &piece {
                Piece::Record(record) => Some(record.clone()),
                Piece::Damaged(damaged) => damaged.repaired.as_ref().map(|repaired| repaired.record.clone()),
                _ => None,
            };
            self.page.extend(own);
            if self.prefix.as_deref() != call.prefix.as_deref() {
                self.prefix = call.prefix.as_deref().map(Arc::from);
            }
        }
        self.run.as_mut().map_or(Ok(()), |run| run.piece(call, piece, transcoded))
    }

    fn settle(&mut self, handled: &Handled) -> Result<(), HarvestError> {
        self.run.as_mut().map_or(Ok(()), |run| run.settle(handled))?;
        let page = std::mem::take(&mut self.page);
        if handled.accepted && !page.is_empty() {
            self.is_closed = self.news.send(News::Page(page, self.prefix.clone())).is_err();
        }
        Ok(())
    }

    fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), HarvestError> {
        self.run.as_mut().map_or(Ok(()), |run| run.save(checkpoint))
    }

    fn compare(&mut self, scope: &Scope) -> Result<Comparison, HarvestError> {
        self.run.as_mut().map_or(Ok(Comparison::default()), |run| run.compare(scope))
    }

    fn owed(&mut self) -> Result<Option<Vec<Owed>>, HarvestError> {
        self.run.as_mut().map_or(Ok(None), Sink::owed)
    }

    fn is_done(&self) -> bool {
        self.is_closed
    }
}
