//! The merge walk over two sorted lists.

use core::{cmp::Ordering, iter::Peekable};

/// What two lists have of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pair<T> {
    /// Only in the new list.
    New(T),
    /// In both.
    Both {
        /// From the old list.
        old: T,
        /// From the new list.
        new: T,
    },
    /// Only in the old list.
    Gone(T),
}

/// Walks two lists, both sorted by this order, in one pass and constant memory. The first error ends the walk.
pub fn pairs<T, E, O, N>(old: O, new: N, order: fn(&T, &T) -> Ordering) -> Pairs<T, E, O::IntoIter, N::IntoIter>
where
    O: IntoIterator<Item = Result<T, E>>,
    N: IntoIterator<Item = Result<T, E>>,
{
    Pairs { old: old.into_iter().peekable(), new: new.into_iter().peekable(), order, over: false }
}

/// An iterator over the pairs of two lists; created by [`pairs`].
#[derive(Debug)]
pub struct Pairs<T, E, O: Iterator<Item = Result<T, E>>, N: Iterator<Item = Result<T, E>>> {
    old: Peekable<O>,
    new: Peekable<N>,
    order: fn(&T, &T) -> Ordering,
    over: bool,
}

impl<T, E, O, N> Pairs<T, E, O, N>
where
    O: Iterator<Item = Result<T, E>>,
    N: Iterator<Item = Result<T, E>>,
{
    fn step(&mut self) -> Result<Option<Pair<T>>, E> {
        let order = match (self.old.peek(), self.new.peek()) {
            (Some(Err(_)), _) | (Some(_), None) => Ordering::Less,
            (_, Some(Err(_))) | (None, _) => Ordering::Greater,
            (Some(Ok(old)), Some(Ok(new))) => (self.order)(old, new),
        };
        let old = if order.is_le() { self.old.next().transpose()? } else { None };
        let new = if order.is_ge() { self.new.next().transpose()? } else { None };
        Ok(match (old, new) {
            (Some(old), Some(new)) => Some(Pair::Both { old, new }),
            (Some(old), None) => Some(Pair::Gone(old)),
            (None, Some(new)) => Some(Pair::New(new)),
            (None, None) => None,
        })
    }
}

impl<T, E, O, N> Iterator for Pairs<T, E, O, N>
where
    O: Iterator<Item = Result<T, E>>,
    N: Iterator<Item = Result<T, E>>,
{
    type Item = Result<Pair<T>, E>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let step = self.step();
        self.over = step.is_err();
        step.transpose()
    }
}
