//! The worker pool: bounded, driven by a plan, with progress.
//!
//! [`run`] takes jobs from a [`Plan`] and returns their outcomes to it as they finish; [`ordered`] maps an iterator in order. Both limit
//! the number of jobs in progress, so memory does not depend on the number of items.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    iter::Fuse,
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Instant,
};

use crate::progress::TICK;

/// Jobs assigned per worker: the current one and the next.
const HANDED: usize = 2;
/// Items that [`ordered`] starts ahead per worker, so that one slow item does not immediately block the
/// others.
const AHEAD: usize = 16;

/// The next step of a plan.
#[derive(Debug)]
pub enum Next<J> {
    /// Start this job.
    Job(J),
    /// Wait until a job in progress finishes.
    Wait,
    /// There are no more jobs.
    Done,
}

/// Chooses the next job, and receives the outcomes, on the thread that calls [`run`].
pub trait Plan {
    /// The input of a worker.
    type Job: Send;
    /// The result of a worker.
    type Done: Send;
    /// Ends the run.
    type Error;

    /// The next job.
    ///
    /// # Errors
    ///
    /// Ends the run; outcomes of jobs in progress are dropped.
    fn next(&mut self) -> Result<Next<Self::Job>, Self::Error>;

    /// Receives the outcome of a job, in order of completion.
    ///
    /// # Errors
    ///
    /// Ends the run.
    fn take(&mut self, done: Self::Done) -> Result<(), Self::Error>;

    /// Called about every [`TICK`] while the run lasts.
    fn tick(&mut self) {}
}

/// Runs the jobs of a plan on `workers` threads; `worker` is called once on each of them, and returns the function for
/// its jobs.
///
/// # Errors
///
/// The first error of the plan.
pub fn run<P: Plan, W: FnMut(P::Job) -> P::Done>(
    plan: &mut P,
    workers: NonZeroUsize,
    worker: impl Fn() -> W + Sync,
) -> Result<(), P::Error> {
    let (give, jobs) = channel::<P::Job>();
    let (jobs, worker) = (&Mutex::new(jobs), &worker);
    let (done, outcomes) = channel();
    thread::scope(|scope| {
        // Moved in, so that the workers end when this closure does.
        let give = give;
        for _ in 0..workers.get() {
            let done = done.clone();
            scope.spawn(move || {
                let mut work = worker();
                loop {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(job) = job else { return };
                    if done.send(work(job)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let most = workers.get().saturating_mul(HANDED);
        let (mut under_way, mut ticked) = (0_usize, Instant::now());
        loop {
            while under_way < most {
                let Next::Job(job) = plan.next()? else { break };
                if give.send(job).is_err() {
                    return Ok(());
                }
                under_way = under_way.saturating_add(1);
            }
            if under_way == 0 {
                return Ok(());
            }
            match outcomes.recv_timeout(TICK) {
                Ok(outcome) => {
                    under_way = under_way.saturating_sub(1);
                    plan.take(outcome)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                // All workers panicked; the panic continues when they are joined.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if ticked.elapsed() >= TICK {
                plan.tick();
                ticked = Instant::now();
            }
        }
    })
}

/// Runs the jobs of a plan on the calling thread.
///
/// # Errors
///
/// The first error of the plan.
pub fn run_here<P: Plan>(plan: &mut P, mut work: impl FnMut(P::Job) -> P::Done) -> Result<(), P::Error> {
    while let Next::Job(job) = plan.next()? {
        plan.take(work(job))?;
        plan.tick();
    }
    Ok(())
}

/// Runs `work` on another thread, and calls `tick` about every [`TICK`] meanwhile. Returns `None` if `work` panicked.
pub fn ticking<T: Send>(work: impl FnOnce() -> T + Send, tick: &mut dyn FnMut()) -> Option<T> {
    struct One<'t, W, T> {
        work: Option<W>,
        done: Option<T>,
        tick: &'t mut dyn FnMut(),
    }
    impl<W: Send, T: Send> Plan for One<'_, W, T> {
        type Job = W;
        type Done = T;
        type Error = Infallible;

        fn next(&mut self) -> Result<Next<W>, Infallible> {
            Ok(self.work.take().map_or(Next::Done, Next::Job))
        }

        fn take(&mut self, done: T) -> Result<(), Infallible> {
            self.done = Some(done);
            Ok(())
        }

        fn tick(&mut self) {
            (self.tick)();
        }
    }
    let mut one = One { work: Some(work), done: None, tick };
    match run(&mut one, NonZeroUsize::MIN, || |work: _| work_once(work)) {
        Ok(()) => one.done,
    }
}

fn work_once<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Maps items with `work` on several threads, and passes the results to `take` in the order of the items. Ends at the first error of
/// the items or of `take`.
///
/// # Errors
///
/// That error.
pub fn ordered<I: Send, O: Send, E>(
    items: impl Iterator<Item = Result<I, E>>,
    workers: NonZeroUsize,
    work: impl Fn(I) -> O + Sync,
    take: impl FnMut(O) -> Result<(), E>,
) -> Result<(), E> {
    ordered_by(items, workers, || &work, take)
}

/// As [`ordered`]; `worker` is called once on each thread, and returns the function for its items.
///
/// # Errors
///
/// The first error of the items or of `take`.
pub fn ordered_by<I: Send, O: Send, E, W: FnMut(I) -> O>(
    items: impl Iterator<Item = Result<I, E>>,
    workers: NonZeroUsize,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(O) -> Result<(), E>,
) -> Result<(), E> {
    let ahead = workers.get().saturating_mul(AHEAD) as u64;
    let mut plan = Ordered { items: items.fuse(), given: 0, taken: 0, ahead, early: BTreeMap::new(), take };
    run(&mut plan, workers, || {
        let mut work = worker();
        move |(number, item)| (number, work(item))
    })
}

/// Numbered items, and the results that arrived out of order.
struct Ordered<I, O, T> {
    items: Fuse<I>,
    given: u64,
    taken: u64,
    ahead: u64,
    early: BTreeMap<u64, O>,
    take: T,
}

impl<I, J, O, T, E> Plan for Ordered<I, O, T>
where
    I: Iterator<Item = Result<J, E>>,
    J: Send,
    O: Send,
    T: FnMut(O) -> Result<(), E>,
{
    type Job = (u64, J);
    type Done = (u64, O);
    type Error = E;

    fn next(&mut self) -> Result<Next<(u64, J)>, E> {
        if self.given.saturating_sub(self.taken) >= self.ahead {
            return Ok(Next::Wait);
        }
        let Some(item) = self.items.next().transpose()? else { return Ok(Next::Done) };
        let number = self.given;
        self.given = number.saturating_add(1);
        Ok(Next::Job((number, item)))
    }

    fn take(&mut self, (number, outcome): (u64, O)) -> Result<(), E> {
        self.early.insert(number, outcome);
        while let Some(outcome) = self.early.remove(&self.taken) {
            self.taken = self.taken.saturating_add(1);
            (self.take)(outcome)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const FOUR: NonZeroUsize = NonZeroUsize::MIN.saturating_add(3);

    #[test]
    fn outcomes_come_in_the_order_of_the_items() {
        let mut seen = Vec::new();
        let slow = |number: u64| {
            thread::sleep(Duration::from_micros(number % 7 * 50));
            number * 2
        };
        let outcome: Result<(), ()> = ordered((0..500).map(Ok), FOUR, slow, |double| {
            seen.push(double);
            Ok(())
        });
        assert_eq!(outcome, Ok(()));
        assert_eq!(seen, (0..500).map(|number| number * 2).collect::<Vec<u64>>());
    }

    #[test]
    fn an_error_of_either_side_ends_it() {
        let items = (0..100).map(|number| if number == 50 { Err("item") } else { Ok(number) });
        assert_eq!(ordered(items, NonZeroUsize::MIN, |number| number, |_| Ok(())), Err("item"));
        let take = |number| if number == 5 { Err("take") } else { Ok(()) };
        assert_eq!(ordered((0..100).map(Ok), NonZeroUsize::MIN, |number| number, take), Err("take"));
    }

    /// Counts down; each job may start only after the previous one is done.
    struct OneByOne {
        left: u32,
        is_under_way: bool,
        most: usize,
    }

    impl Plan for OneByOne {
        type Job = u32;
        type Done = u32;
        type Error = ();

        fn next(&mut self) -> Result<Next<u32>, ()> {
            Ok(match (self.left, self.is_under_way) {
                (0, _) => Next::Done,
                (_, true) => Next::Wait,
                (left, false) => {
                    self.is_under_way = true;
                    Next::Job(left)
                }
            })
        }

        fn take(&mut self, done: u32) -> Result<(), ()> {
            (self.left, self.is_under_way) = (done - 1, false);
            self.most += 1;
            Ok(())
        }
    }

    #[test]
    fn a_plan_that_waits_is_asked_again_when_something_is_done() {
        let plan = || OneByOne { left: 50, is_under_way: false, most: 0 };
        let (mut parallel, mut here) = (plan(), plan());
        assert_eq!(run(&mut parallel, FOUR, || |number| number), Ok(()));
        assert_eq!(run_here(&mut here, |number| number), Ok(()));
        assert_eq!((parallel.most, here.most), (50, 50));
    }

    #[test]
    fn ticking_returns_the_result() {
        assert_eq!(ticking(|| 7, &mut || {}), Some(7));
    }
}
