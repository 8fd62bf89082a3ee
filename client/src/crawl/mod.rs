//! Crawls or plans a whole Source: fetches what the core's machines request, over HTTP or from a folder that mirrors it.

mod fetcher;
mod http;
mod mirror;
mod plan;
mod reading;
mod run;

pub use self::{
    fetcher::{Fetched, Fetcher},
    http::HttpFetcher,
    mirror::FolderFetcher,
    plan::plan,
    reading::{perform, perform_piece},
    run::run,
};
