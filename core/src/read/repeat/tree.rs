//! The shapes of entries: sequences of pieces that begin alike share their beginning.

use alloc::vec::Vec;

/// Maximum shapes and beginnings of shapes of a document.
const NODES: usize = 4_096;

/// The root, where every entry begins.
pub(super) const ROOT: u16 = 0;

/// A tree in which the way to a node is a beginning of a shape.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The piece that leads to it.
    piece: u8,
    /// The most likely continuation, or `ROOT` if there is none.
    first: u16,
    /// The next most likely continuation of the node before, or `ROOT`.
    next: u16,
}

impl Tree {
    /// True while no shape is known.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The piece that leads to a node.
    #[inline]
    pub(super) fn piece(&self, node: u16) -> u8 {
        self.nodes.get(usize::from(node)).map_or(0, |node| node.piece)
    }

    /// The most likely continuation of a node, or `ROOT` if there is none.
    #[inline]
    pub(super) fn first(&self, node: u16) -> u16 {
        self.nodes.get(usize::from(node)).map_or(ROOT, |node| node.first)
    }

    /// The next most likely continuation of the node before, or `ROOT` if there is none.
    #[inline]
    pub(super) fn next(&self, node: u16) -> u16 {
        self.nodes.get(usize::from(node)).map_or(ROOT, |node| node.next)
    }

    /// The continuations of a node, the most likely one first.
    fn after(&self, node: u16) -> impl Iterator<Item = u16> + '_ {
        let real = |node: u16| Some(node).filter(|node| *node != ROOT);
        core::iter::successors(real(self.first(node)), move |node| real(self.next(*node)))
    }

    /// Makes a continuation of a node the most likely one.
    #[inline]
    pub(super) fn prefer(&mut self, node: u16, chosen: u16) {
        let first = self.first(node);
        if first == chosen {
            return;
        }
        let before = self.after(node).find(|one| self.next(*one) == chosen);
        let rest = self.next(chosen);
        if let Some(before) = before {
            self.with(before, |before| before.next = rest);
            self.with(chosen, |chosen| chosen.next = first);
            self.with(node, |node| node.first = chosen);
        }
    }

    /// The node at the end of a sequence of pieces, added if it is not there; `None` if there are too many.
    pub(super) fn insert(&mut self, pieces: &[u8]) -> Option<u16> {
        if self.nodes.len().saturating_add(pieces.len()) >= NODES {
            return None;
        }
        if self.nodes.is_empty() {
            self.nodes.push(Node { piece: 0, first: ROOT, next: ROOT });
        }
        let mut node = ROOT;
        for piece in pieces {
            let known = self.after(node).find(|next| self.piece(*next) == *piece);
            node = match known {
                Some(known) => known,
                None => {
                    let new = u16::try_from(self.nodes.len()).ok()?;
                    let first = self.first(node);
                    self.nodes.push(Node { piece: *piece, first: ROOT, next: first });
                    self.with(node, |node| node.first = new);
                    new
                }
            };
        }
        Some(node)
    }

    fn with(&mut self, node: u16, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(usize::from(node)) {
            change(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_share_their_beginning_and_the_last_one_chosen_comes_first() {
        let mut tree = Tree::default();
        assert!(tree.is_empty() && tree.after(ROOT).next().is_none());
        let ends = [[1, 2, 9], [1, 3, 9], [1, 4, 9], [1, 2, 9]].map(|pieces| tree.insert(&pieces).unwrap());
        assert_eq!(ends, [3, 5, 7, 3]);
        let pieces = |tree: &Tree, node| tree.after(node).map(|next| tree.piece(next)).collect::<Vec<_>>();
        assert_eq!((pieces(&tree, ROOT), pieces(&tree, 1)), (alloc::vec![1], alloc::vec![4, 3, 2]));
        for (chosen, order) in [(2, [2, 4, 3]), (4, [3, 2, 4]), (4, [3, 2, 4]), (2, [2, 3, 4])] {
            tree.prefer(1, chosen);
            assert_eq!(pieces(&tree, 1), order);
        }
    }

    #[test]
    fn there_is_a_bound() {
        let mut tree = Tree::default();
        let inserted = (0..3_000_u16).filter(|number| {
            let [high, low] = number.to_be_bytes();
            tree.insert(&[high, low, 0]).is_some()
        });
        assert!((1_500..2_500).contains(&inserted.count()));
        assert!(tree.nodes.len() <= NODES);
    }
}
