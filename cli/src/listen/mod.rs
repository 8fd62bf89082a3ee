//! `resourcesync listen`: subscribes to a Source, and keeps a folder in sync or passes events on when hubs send notifications.
//!
//! | file | contents |
//! | --- | --- |
//! | `driver` | one thread that drives the subscriber: inputs, its durable state, and the effects afterwards |
//! | `exchanges` | requests to Sources and hubs, several at a time |
//! | `copy` | pulls into a folder, one at a time |
//! | `consumer` | passes events on to a program or a file, in order |
//! | `event`, `text` | events as JSON and as text |

mod consumer;
mod copy;
mod driver;
mod event;
mod exchanges;
mod text;

use std::{net::SocketAddr, path::Path, sync::mpsc};

use resourcesync_client::notify::{StoreError, Subscriptions};
use resourcesync_notify::subscriber::{Input, Options, Phase, Subscriber};
use resourcesync_server::listen::{CallbackServer, Limits};

use self::{
    consumer::Consumer,
    copy::Copies,
    driver::{Driver, Happened, Purpose},
    event::Printer,
    exchanges::Exchanges,
};
use crate::{
    arguments::{Listen, OnBadSignature},
    error::CliError,
    interrupt::Interrupt,
    status,
};

/// The address to listen on by default.
const ADDRESS: &str = "127.0.0.1:8080";
/// The folder of the state in the folder of a copy, and the folder of the subscriptions in it.
const FOLDERS: (&str, &str) = (".resourcesync", "listen");

/// Runs it.
pub(crate) fn run(arguments: &Listen) -> Result<i32, CliError> {
    if arguments.sync.is_some() && arguments.uris.len() != 1 {
        return Err("--sync keeps a copy of one Source; name one URI".into());
    }
    if let Some(file) = &arguments.log {
        consumer::check(file)?;
    }
    let interrupt = Interrupt::listen();
    let state = match (&arguments.state, &arguments.sync) {
        (Some(state), _) => state.clone(),
        (None, Some(copy)) => copy.join(FOLDERS.0),
        (None, None) => return Err("--state is required without --sync".into()),
    };
    let mut store = Subscriptions::open(&state.join(FOLDERS.1))?;
    let (callback, address, is_moved) = settings(arguments, &mut store, &state)?;
    let options = options(arguments, &callback)?;
    let mut subscriber =
        Subscriber::restore(options.clone(), store.state()?).map_err(|error| CliError::new(error.to_string()))?;
    let (purpose, inputs) = inputs(arguments, &mut subscriber, is_moved);
    let (sender, happenings) = mpsc::channel();
    let requests = sender.clone();
    let happened = Box::new(move |happening| requests.send(Happened::Server(happening)).is_ok());
    let server =
        CallbackServer::start(address, Limits { body_bytes: options.body_bytes, ..Limits::default() }, happened)
            .map_err(|error| format!("{address} cannot be listened on: {}", resourcesync_client::reason(&error)))?;
    let cancel = interrupt.cancel();
    if cancel.is_cancelled() {
        // A signal that arrived before the server caught signals.
        return Ok(ENDED);
    }
    let consumer = Consumer::start(arguments, cancel, sender.clone());
    let copies = arguments.sync.as_ref().map(|folder| Copies::start(arguments, folder, cancel, sender.clone()));
    let exchanges = Exchanges::new(arguments, cancel, sender)?;
    let printer = Printer::new(arguments);
    let is_direct = arguments.direct;
    let driver = Driver {
        subscriber,
        options,
        store,
        exchanges,
        consumer,
        copies,
        is_direct,
        printer,
        purpose,
        server,
        happenings,
    };
    driver.run(inputs)
}

/// The callback, the address, and whether the callback is another one than that of the last run.
fn settings(
    arguments: &Listen,
    store: &mut Subscriptions,
    state: &Path,
) -> Result<(String, SocketAddr, bool), CliError> {
    let before = store.setting("callback")?;
    let callback = match (&arguments.callback, &before) {
        (Some(callback), _) => callback.as_str().to_owned(),
        (None, Some(before)) => before.clone(),
        (None, None) => return Err(format!("there are no subscriptions in {}", state.display()).into()),
    };
    let address = match (arguments.listen, store.setting("listen")?) {
        (Some(address), _) => address,
        (None, Some(before)) => before.parse().map_err(|_| format!("`{before}` is not an address"))?,
        (None, None) => ADDRESS.parse().map_err(|_| "no default address")?,
    };
    store.set("listen", &address.to_string())?;
    let is_moved = before.is_some_and(|before| before != callback);
    if is_moved || arguments.callback.is_some() {
        store.set("callback", &callback)?;
    }
    Ok((callback, address, is_moved))
}

fn options(arguments: &Listen, callback: &str) -> Result<Options, CliError> {
    let mut options = Options::new(callback).map_err(|error| CliError::new(error.to_string()))?;
    if let Some(kind) = arguments.kind {
        options.channels = vec![kind];
    }
    options.all_hubs = arguments.all_hubs;
    options.allow_http = arguments.allow_http;
    options.allow_sha1 = arguments.allow_sha1;
    options.drop_unsigned = arguments.on_bad_signature == OnBadSignature::Drop;
    Ok(options)
}

/// What to begin with. Sources that are no longer named are unsubscribed from.
fn inputs(arguments: &Listen, subscriber: &mut Subscriber, is_moved: bool) -> (Purpose, Vec<Input>) {
    let named: Vec<String> = arguments.uris.iter().map(|uri| uri.as_str().to_owned()).collect();
    let followed: Vec<String> = subscriber.sources().map(str::to_owned).collect();
    if arguments.stop {
        let ends = followed.into_iter().filter(|uri| named.is_empty() || named.contains(uri));
        return (Purpose::Stop, ends.map(|uri| Input::Unfollow { uri }).chain([Input::Tick]).collect());
    }
    let over = followed.into_iter().filter(|uri| !named.contains(uri)).map(|uri| Input::Unfollow { uri });
    let is_live = |phase| !matches!(phase, Phase::Leaving | Phase::Gone);
    let live = subscriber.channels().filter(|channel| is_live(channel.phase)).map(|channel| channel.channel);
    let rotated: Vec<Input> = match arguments.rotate || is_moved {
        true => live.map(|channel| Input::Rotate { channel }).collect(),
        false => Vec::new(),
    };
    let follow = named.iter().map(|uri| Input::Follow { uri: uri.clone() });
    (Purpose::Follow, over.chain(rotated).chain(follow).chain([Input::Tick]).collect())
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::new(error.to_string())
    }
}

/// The exit status of an orderly end.
const ENDED: i32 = status::VALID;
