//! Errors of writing packages and publications.

use core::{convert::Infallible, fmt};

use super::Refused;

/// An error that ended the writing of a package or a publication. Discard the output written so far.
#[derive(Debug, Clone, PartialEq)]
pub enum PublishError<E = Infallible> {
    /// The result would have been invalid.
    Refused(Refused),
    /// The store failed.
    Store(E),
    /// A call was made out of order, or without a required value.
    Misuse(&'static str),
}

impl<E> From<Refused> for PublishError<E> {
    fn from(refused: Refused) -> PublishError<E> {
        PublishError::Refused(refused)
    }
}

impl PublishError {
    /// The same error for publications, which have a store.
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
