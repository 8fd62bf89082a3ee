//! Work on many URIs: hosts in parallel, and one URI at a time for each host.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{Mutex, PoisonError, mpsc::channel},
    thread,
};

use super::url::Url;

/// Works on items, each with its URI: hosts in parallel, and the items of a host one after the other, in their order. `work` may keep something
/// from one item of a host for the next. `take` receives the outcomes as they are ready, each with the position of its item.
pub fn per_host<T: Send, O: Send, K: Default>(
    items: Vec<T>,
    uri: impl Fn(&T) -> &str,
    workers: NonZeroUsize,
    work: impl Fn(&mut K, T) -> O + Sync,
    mut take: impl FnMut(usize, O),
) {
    let mut hosts: BTreeMap<String, Vec<(usize, T)>> = BTreeMap::new();
    for (position, item) in items.into_iter().enumerate() {
        hosts.entry(host(uri(&item))).or_default().push((position, item));
    }
    let mut hosts: Vec<Vec<(usize, T)>> = hosts.into_values().collect();
    // The host with the most items takes longest.
    hosts.sort_by_key(|items| Reverse(items.len()));
    let workers = workers.get().min(hosts.len());
    let (hosts, work) = (&Mutex::new(hosts.into_iter()), &work);
    let (done, outcomes) = channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let done = done.clone();
            scope.spawn(move || {
                loop {
                    let of_host = hosts.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(of_host) = of_host else { return };
                    let mut kept = K::default();
                    for (position, item) in of_host {
                        if done.send((position, work(&mut kept, item))).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(done);
        for (position, outcome) in outcomes {
            take(position, outcome);
        }
    });
}

/// The host of a URI, whatever the port; what is no URI is a host of its own.
fn host(uri: &str) -> String {
    Url::read(uri).map_or_else(|_| uri.to_owned(), |url| url.origin.host_port.host)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::{Barrier, atomic::AtomicBool, atomic::Ordering};

    use super::*;

    #[test]
    fn a_host_is_the_same_whatever_the_port_and_its_spelling() {
        for uri in ["https://A.example:8443/oai", "http://a.example?x", "https://a.example./"] {
            assert_eq!(host(uri), "a.example");
        }
        assert_eq!(host("http://[::1]/oai"), host("http://[::1]:80/oai"));
        assert_eq!(host("no URI"), "no URI");
    }

    #[test]
    fn hosts_are_worked_on_at_the_same_time_and_the_items_of_one_in_order() {
        let items = vec!["http://a.example/1", "http://b.example/1", "http://a.example/2", "http://a.example/3"];
        // Passes only if both hosts are at work.
        let both = Barrier::new(2);
        let is_at_work = AtomicBool::new(false);
        let mut outcomes = BTreeMap::new();
        let work = |before: &mut Vec<String>, item: &str| {
            if item.ends_with('1') {
                both.wait();
            }
            if item.contains("//a.") {
                assert!(!is_at_work.swap(true, Ordering::SeqCst));
                is_at_work.store(false, Ordering::SeqCst);
            }
            before.push(item.to_owned());
            before.clone()
        };
        per_host(
            items,
            |item| *item,
            NonZeroUsize::new(2).unwrap(),
            work,
            |position, outcome| {
                outcomes.insert(position, outcome);
            },
        );
        assert_eq!(outcomes[&3], ["http://a.example/1", "http://a.example/2", "http://a.example/3"]);
        assert_eq!((outcomes[&1].len(), outcomes.len()), (1, 4));
        per_host(Vec::new(), |item: &String| item, NonZeroUsize::MIN, |(), _| (), |_, ()| unreachable!());
    }
}
