//! Keeps the bytes of a copy in an object store: S3 and compatible services, Google Cloud Storage, Azure Blob Storage.
//!
//! | file | what it does |
//! | --- | --- |
//! | `place` | the URI of a place in an object store, and how that is opened |
//! | `store` | the store of a copy |
//! | `lease` | one run at a time on a place |
//! | `uploads` | uploads that a killed run left, which are aborted |
//! | `reader` | an object as a blocking reader |
//! | `connector` | sends the requests of the library for object stores |
//! | `error` | its errors |

mod connector;
mod error;
mod lease;
mod place;
mod reader;
mod store;
mod uploads;

pub use self::{
    place::open,
    store::{Objects, Store},
};
