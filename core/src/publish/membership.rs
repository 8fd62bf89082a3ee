//! Whether the events of a program fit what is published: all resources of a Source are in sets, or none is.

use alloc::string::String;

use super::{Mismatch, State};

/// Whether resources are in sets, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct Membership {
    /// That of what is published: it does not change.
    published: Option<bool>,
    /// That of the last event. Before anything is published the events of a program fit together; another one may publish first.
    stated: Option<bool>,
}

impl Membership {
    /// True once it is known of what is published.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.published.is_some()
    }

    /// Takes over that of what is published.
    pub fn take_over(&mut self, state: &State) {
        self.published = Some(!state.sets.keys().all(String::is_empty));
    }

    /// Forgets that of events which were withdrawn.
    pub fn forget(&mut self) {
        self.stated = None;
    }

    /// Accepts an event of this set.
    ///
    /// # Errors
    ///
    /// If it could not be published together with the others.
    pub fn accept(&mut self, set: &str) -> Result<(), Mismatch> {
        let is_in_set = !set.is_empty();
        match self.published.or(self.stated) {
            Some(true) if !is_in_set => Err(Mismatch::WithoutSets),
            Some(false) if is_in_set => Err(Mismatch::InSets),
            _ => {
                self.stated = Some(is_in_set);
                Ok(())
            }
        }
    }
}
