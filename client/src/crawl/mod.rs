//! Crawls a whole Source: fetches what the core's crawler requests, over HTTP or from a folder that mirrors it.

mod fetcher;
mod http;
mod mirror;
mod run;

pub use self::{
    fetcher::{Fetched, Fetcher},
    http::HttpFetcher,
    mirror::FolderFetcher,
    run::run,
};
