//! What the lists have changed that a later run may begin with.

use alloc::{string::String, vec::Vec};
use core::cmp::Ordering;

use super::{
    list::{List, Time},
    marks::Marks,
};

/// Maximum lists; others are compared with nothing.
const LISTS: usize = 8;

/// The marks of the lists that are open, and of the closed ones that end last.
#[derive(Debug, Default)]
pub(super) struct Newest(Vec<Newer>);

#[derive(Debug)]
struct Newer {
    number: u32,
    until: Option<Time>,
    marks: Marks,
}

impl Newest {
    /// Adds the marks of a list that was read to its end, in place of those of lists that end earlier.
    pub(super) fn add(&mut self, list: &List, marks: Marks) {
        self.0.push(Newer { number: list.number, until: list.until.clone(), marks });
        let latest = self.0.iter().filter_map(|newer| newer.until.clone()).max_by(Time::compare);
        let is_past = |until: &Time| latest.as_ref().is_some_and(|latest| until.compare(latest) == Ordering::Less);
        self.0.retain(|newer| !newer.until.as_ref().is_some_and(is_past));
        self.0.truncate(LISTS);
    }

    /// The marks of a list in a text, for a checkpoint; empty if they were not kept.
    pub(super) fn text(&self, list: &List) -> String {
        self.0.iter().find(|newer| newer.number == list.number).map(|newer| newer.marks.to_text()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;

    use super::*;

    fn list(number: u32, until: Option<&str>) -> List {
        let mut list = List::new(number, "http://a.example/changes", Arc::from([]), Marks::none());
        list.until = Time::read(until);
        list
    }

    #[test]
    fn marks_are_kept_of_open_lists_and_of_those_that_end_last() {
        let mut newest = Newest::default();
        let mut add = |number: u32, until: Option<&str>| {
            let mut marks = Marks::default();
            marks.note("http://a.example/1", Some(i64::from(number)));
            let list = list(number, until);
            newest.add(&list, marks);
            list
        };
        let lists = [
            add(1, Some("2020-01-02T00:00:00Z")),
            add(2, None),
            add(3, Some("2020-01-03T00:00:00Z")),
            add(4, Some("2020-01-03T00:00:00Z")),
            add(5, Some("2020-01-01T00:00:00Z")),
        ];
        let kept: Vec<u32> =
            lists.iter().filter(|list| !newest.text(list).is_empty()).map(|list| list.number).collect();
        assert_eq!(kept, [2, 3, 4]);
    }

    #[test]
    fn there_is_a_limit() {
        let mut newest = Newest::default();
        for number in 0..20 {
            newest.add(&list(number, None), Marks::default());
        }
        assert_eq!(newest.0.len(), LISTS);
    }
}
