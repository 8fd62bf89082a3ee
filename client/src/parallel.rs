//! Works on items in parallel and gives the outcomes in the order of the items.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        Mutex,
        mpsc::{channel, sync_channel},
    },
    thread,
};

/// Items in hand for each worker: one that takes long does not keep the others waiting at once.
const AHEAD: usize = 16;

/// Gives `take` what `work` makes of each item; ends at the first error of either the items or `take`.
pub fn ordered<I: Send, O: Send, E>(
    items: impl Iterator<Item = Result<I, E>>,
    jobs: NonZeroUsize,
    work: impl Fn(I) -> O + Sync,
    mut take: impl FnMut(O) -> Result<(), E>,
) -> Result<(), E> {
    let window = jobs.get().saturating_mul(AHEAD);
    let (give, tasks) = sync_channel::<(u64, I)>(window);
    let (tasks, work) = (&Mutex::new(tasks), &work);
    let (done, outcomes) = channel();
    thread::scope(|scope| {
        // Moved in, so that workers end when this does.
        let give = give;
        for _ in 0..jobs.get() {
            let done = done.clone();
            scope.spawn(move || {
                loop {
                    let task = tasks.lock().ok().and_then(|tasks| tasks.recv().ok());
                    let Some((number, item)) = task else { return };
                    if done.send((number, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let (mut given, mut taken, mut waiting) = (0_u64, 0_u64, BTreeMap::new());
        let mut items = items.fuse();
        loop {
            while given.saturating_sub(taken) < window as u64 {
                let Some(item) = items.next().transpose()? else { break };
                if give.send((given, item)).is_err() {
                    return Ok(());
                }
                given = given.saturating_add(1);
            }
            if given == taken {
                return Ok(());
            }
            let Ok((number, outcome)) = outcomes.recv() else { return Ok(()) };
            waiting.insert(number, outcome);
            while let Some(outcome) = waiting.remove(&taken) {
                taken = taken.saturating_add(1);
                take(outcome)?;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn outcomes_come_in_the_order_of_the_items() {
        let jobs = NonZeroUsize::MIN.saturating_add(3);
        let mut seen = Vec::new();
        let slow = |number: u64| {
            thread::sleep(Duration::from_micros(number % 7 * 50));
            number * 2
        };
        let outcome: Result<(), ()> = ordered((0..500).map(Ok), jobs, slow, |double| {
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
}
