//! The other sides of a hub for `scripts/bench hub`: receivers, a Source, and the bare loop that deliveries are compared with.
//!
//! ```text
//! hub_peers receive KIND PORTS CALLBACKS [CERTIFICATE KEY]   KIND is fast, silent or drip
//! hub_peers post HUB TOKEN TOPICS EACH AT-ONCE                 topics are HUBt/1 …
//! hub_peers bare COUNT BODY CONNECTIONS PORT…
//! ```
//!
//! Results are lines of JSON on standard output; receivers answer each line on standard input.

mod bare;
mod post;
mod receive;

use std::{env, error::Error, process::ExitCode};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.split_first() {
        Some((word, rest)) if word == "receive" => receive::run(rest),
        Some((word, rest)) if word == "post" => post::run(rest),
        Some((word, rest)) if word == "bare" => bare::run(rest),
        _ => Err("receive, post or bare".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hub_peers: {error}");
            ExitCode::from(2)
        }
    }
}
