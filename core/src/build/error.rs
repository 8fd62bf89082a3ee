//! Errors of writing packages and publications.

use core::{convert::Infallible, fmt};

use super::Refused;

/// What ended the making of a package or a publication. What was written so far is to be thrown away.
#[derive(Debug, Clone, PartialEq)]
pub enum PublishError<E = Infallible> {
    /// It would have been wrong.
    Refused(Refused),
    /// The store could not take it.
    Store(E),
    /// The calls were not made in their order, or not with what they need.
    Misuse(&'static str),
}

impl<E> From<Refused> for PublishError<E> {
    fn from(refused: Refused) -> PublishError<E> {
        PublishError::Refused(refused)
    }
}

impl PublishError {
    /// The same where there is a store.
    pub(super) fn widen<E>(self) -> PublishError<E> {
        match self {
            PublishError::Refused(refused) => PublishError::Refused(refused),
            PublishError::Store(never) => match never {},
            PublishError::Misuse(words) => PublishError::Misuse(words),
        }
    }
}

impl<E: fmt::Display> fmt::Display for PublishError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PublishError::Refused(refused) => refused.fmt(f),
            PublishError::Store(error) => error.fmt(f),
            PublishError::Misuse(words) => f.write_str(words),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for PublishError<E> {}
