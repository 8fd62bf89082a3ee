//! Random calls of a ledger, for the comparison of two of them.

use resourcesync_sync::{Action, chain::Order, report::ItemCode};

use super::suite::{Subject, add, change, due, last, links, part, resource, settle, spelled, stored, version};

/// Random calls of a ledger, and what it answers.
pub(crate) struct Calls {
    state: u64,
    run: u64,
    document: u32,
}

impl Calls {
    pub(crate) fn new(seed: u64) -> Calls {
        Calls { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, run: 0, document: 0 }
    }

    /// A number below this one, by xorshift.
    fn below(&mut self, end: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % end
    }

    fn name(&mut self) -> &'static str {
        ["a", "b", "c"][self.below(3) as usize]
    }

    /// The Change Lists of a set.
    fn follow<L: Subject>(&mut self, ledger: &mut L, set: &str) {
        let mut parts = Vec::new();
        for _ in 0..=self.below(2) {
            self.document += 1;
            let count = self.below(4);
            let mut changes = Vec::new();
            for position in 0..count {
                let (name, is_deleted) = (self.name(), self.below(2) == 0);
                let mut one = change(name, position, is_deleted, 10 * self.below(3) + position);
                one.datetime = one.datetime.filter(|_| self.below(8) > 0);
                if self.below(4) == 0 {
                    one = spelled(one);
                }
                changes.push(one);
            }
            add(ledger, self.document, &changes);
            let order = [Order::Forward, Order::Reverse, Order::None][self.below(3) as usize];
            parts.push(part(self.document, order));
        }
        ledger.reduce(&parts, set).unwrap();
    }

    /// One call, with its answer and what the ledger has afterwards.
    pub(crate) fn call<L: Subject>(&mut self, ledger: &mut L) -> String {
        let mut answer = String::new();
        if self.run == 0 || self.below(12) == 0 {
            self.run = ledger.next_run();
        }
        let name = self.name();
        let uri = resource(name).uri;
        let found = ledger.find(&uri).unwrap();
        let call = self.below(19);
        match call {
            0 => ledger.adopted(stored(name, self.below(9)), self.run).unwrap(),
            1 => ledger.plan(self.below(3) as u32, Action::Fetch, &resource(name)).unwrap(),
            2 => answer = format!("{:?}", ledger.unplan(&uri).unwrap()),
            3 => ledger.note_listing(self.below(3) as u32, ["one", "two"][self.below(2) as usize], &uri).unwrap(),
            4 => ledger.forget_listings(Some(self.below(3) as u32)).unwrap(),
            5 => ledger.retry_later(&resource(name), ItemCode::Missing, self.run).unwrap(),
            6 => ledger.forget_retry(&uri).unwrap(),
            7 => settle(ledger),
            8 if found.is_some() => ledger.mark_deleted(&found.clone().unwrap()).unwrap(),
            9 if found.is_some() => ledger.remove(&found.clone().unwrap()),
            10 => ledger.note_related(self.below(3) as u32, &uri, &resource(self.name())).unwrap(),
            11 => ledger.note_listed(self.below(3) as u32, &uri).unwrap(),
            12 => ledger.note_unlisted(&uri).unwrap(),
            13 => ledger.forget_related(Some(self.below(3) as u32)).unwrap(),
            14 => ledger.note_version(&version(name, ["md5:1", "md5:2"][self.below(2) as usize])).unwrap(),
            15 => ledger.keep(&version(name, ["md5:1", "md5:2"][self.below(2) as usize])),
            16 => ledger.forget_version(&version(name, ["md5:1", "md5:2"][self.below(2) as usize])).unwrap(),
            _ => {
                ledger.forget_changes().unwrap();
                self.follow(ledger, "one");
                let reduced = last(ledger);
                self.follow(ledger, "two");
                let is_unclear = ledger.combine(self.below(2) == 0).unwrap();
                answer = format!("{reduced:?} {is_unclear}");
                if self.below(2) == 0 {
                    ledger.settle_changes(&[], 0).unwrap();
                }
            }
        }
        let marked: Vec<String> = ledger.marked_deleted().unwrap().into_iter().map(|stored| stored.uri).collect();
        let retries: Vec<String> = ledger.retries().unwrap().into_iter().map(|resource| resource.uri).collect();
        let planned = ledger.planned_after(0, 100).unwrap().into_iter().map(|row| row.resource.uri);
        let planned: Vec<String> = planned.collect();
        format!(
            "{call} {answer} {found:?} {:?} {:?} {marked:?} {retries:?} {planned:?} {:?} {:?} {:?} {:?}",
            ledger.totals().unwrap(),
            last(ledger),
            ledger.settled().unwrap(),
            links(ledger, self.run.is_multiple_of(2)),
            ["a", "b", "c"].map(|name| ledger.is_known(&resource(name).uri).unwrap()),
            due(ledger)
        )
    }
}
