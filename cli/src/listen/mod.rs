//! `resourcesync listen`: subscribes to a Source, and keeps a folder in sync or passes events on when hubs send notifications.
//!
//! | file | contents |
//! | --- | --- |
//! | `face` | what the driver needs from the arguments, and what it shows |
//! | `event`, `text` | events as JSON and as text |

mod event;
mod face;
mod text;

use std::{net::SocketAddr, path::Path, sync::mpsc};

use resourcesync::report::Lang;
use resourcesync_client::{
    listen::{self, End, ListenError, Purpose, Setup},
    notify::{StoreError, Subscriptions},
};
use resourcesync_notify::{
    listener::{CopyOptions, Ending, Input, Listener},
    subscriber::Options,
};
use resourcesync_server::listen::{CallbackServer, Limits};

use self::face::Terminal;
use crate::{
    arguments::{Listen, OnBadSignature},
    error::{CliError, report_error},
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
        listen::check(file).map_err(|error| CliError::new(text::not_consumed(&error, Lang::En)))?;
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
    let limits = Limits { body_bytes: options.body_bytes, ..Limits::default() };
    let copy = CopyOptions { poll: arguments.poll, direct: arguments.direct };
    let listener = Listener::restore(options, arguments.sync.as_ref().map(|_| copy), store.state()?);
    let listener = listener.map_err(|error| CliError::new(error.to_string()))?;
    let (sender, happenings) = mpsc::channel();
    let requests = sender.clone();
    let pass_on = move |happening| requests.send(face::driver_event(happening)).is_ok();
    let server = CallbackServer::start(address, limits, Box::new(pass_on))
        .map_err(|error| format!("{address} cannot be listened on: {}", resourcesync_client::reason(&error)))?;
    let cancel = interrupt.cancel();
    if cancel.is_cancelled() {
        // A signal that arrived before the server caught signals.
        return Ok(status::VALID);
    }
    let clients = face::clients(arguments, cancel);
    // Wrong options are reported at the start.
    clients(Purpose::Exchanges)?;
    let (consumer, copy, cancel) = (face::consumer(arguments), face::copy(arguments)?, cancel.clone());
    let setup = Setup { listener, store, clients, consumer, copy, cancel };
    let uris: Vec<String> = arguments.uris.iter().map(|uri| uri.as_str().to_owned()).collect();
    let rotate = arguments.rotate || is_moved;
    let first = if arguments.stop { Input::Stop { uris } } else { Input::Follow { uris, rotate } };
    let mut terminal = Terminal::new(arguments, server);
    match listen::drive(setup, (sender, happenings), &mut terminal, first)? {
        End::Stopped | End::Over(Ending::Unsubscribed) => Ok(status::VALID),
        End::Over(Ending::Denied) => Ok(status::FOUND),
        End::Over(Ending::Unconfirmed) => {
            report_error("the hubs did not confirm the end of all subscriptions; they end with their leases");
            Ok(status::UNSURE)
        }
        End::Over(_) => Ok(status::UNSURE),
    }
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
    store.set("callback", &callback)?;
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

impl From<ListenError> for CliError {
    fn from(error: ListenError) -> CliError {
        CliError::new(error.to_string())
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::new(error.to_string())
    }
}
