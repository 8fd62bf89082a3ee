//! `resourcesync hub`: runs a WebSub hub, and administers a running one.

mod orders;
mod text;

use std::path::Path;

use resourcesync::value::to_hex;
use resourcesync_client::{notify::random, reason};
use resourcesync_server::{
    hub::{RunningHub, Signals, notify_systemd},
    ledger::{self, StoreAddress},
    settings::{Overrides, Settings},
    tls::server_config,
};
use sha2::{Digest, Sha256};

use crate::{
    arguments::{Hub, HubBackup, HubCommand, HubMigrate, HubServe},
    error::{CliError, warn},
    outputs::{counted, print},
    status,
};

/// Runs it.
pub(crate) fn run(arguments: &Hub) -> Result<i32, CliError> {
    match &arguments.command {
        HubCommand::Serve(arguments) => serve(arguments),
        HubCommand::Check(arguments) => check(&arguments.file),
        HubCommand::Token(arguments) => token(&arguments.name),
        HubCommand::Backup(arguments) => backup(arguments),
        HubCommand::Migrate(arguments) => migrate(arguments),
        HubCommand::Status(ask) => orders::ask(ask, "status", text::status),
        HubCommand::Topics(ask) => orders::ask(ask, "topics", text::topics),
        HubCommand::Failures(ask) => orders::ask(ask, "failures", text::failures),
        HubCommand::Subscriptions(arguments) => orders::subscriptions(arguments),
        HubCommand::Replay(arguments) => orders::replay(arguments),
        HubCommand::Deny(arguments) => orders::deny(arguments),
        HubCommand::Lift(arguments) => orders::lift(arguments),
        HubCommand::Pause(arguments) => orders::pause(arguments, "pause"),
        HubCommand::Resume(arguments) => orders::pause(arguments, "resume"),
        HubCommand::Prune(arguments) => orders::prune(arguments),
    }
}

fn settings(file: &Path, overrides: &Overrides) -> Result<Settings, CliError> {
    Settings::read(file, overrides).map_err(|error| CliError::new(error.to_string()))
}

fn serve(arguments: &HubServe) -> Result<i32, CliError> {
    let overrides = Overrides {
        public_uri: arguments.public_uri.as_ref().map(|uri| uri.as_str().to_owned()),
        listen: arguments.listen,
        store: arguments.store.clone(),
        admin: arguments.admin.clone(),
    };
    let signals = Signals::catch().map_err(|error| format!("signals cannot be caught: {}", reason(&error)))?;
    let hub = RunningHub::start(settings(&arguments.config, &overrides)?, None)
        .map_err(|error| CliError::new(error.to_string()))?;
    let admin = hub.admin().map(|admin| format!(", administration on {admin}")).unwrap_or_default();
    print(&format!("listening on {}{admin}\n", hub.address()))?;
    notify_systemd().map_err(|error| CliError::new(format!("systemd could not be notified: {}", reason(&error))))?;
    let read = || Settings::read(&arguments.config, &overrides);
    Ok(if hub.wait(signals, read) { status::VALID } else { status::UNSURE })
}

fn check(file: &Path) -> Result<i32, CliError> {
    let settings = settings(file, &Overrides::default())?;
    if let Some(tls) = &settings.tls {
        server_config(tls).map_err(|error| CliError::new(error.to_string()))?;
    }
    let topics = settings.options.topics();
    let served = topics.iter().filter(|topic| topic.is_served()).count();
    settings.warnings().iter().for_each(|warning| warn(warning));
    print(&format!(
        "{}: {} with {} ({served} served) and {}\n",
        file.display(),
        settings.options.public_uri(),
        counted(topics.len() as u64, "topic"),
        counted(settings.options.publishers.len() as u64, "publisher")
    ))?;
    Ok(status::VALID)
}

fn token(name: &str) -> Result<i32, CliError> {
    if name.is_empty() || name.contains(['"', '\\']) || name.contains(char::is_control) {
        return Err("a name has no quotation marks, backslashes or control characters".into());
    }
    let mut bytes = [0; 32];
    random(&mut bytes).map_err(|_| "there are no random numbers")?;
    let token = to_hex(&bytes);
    let digest = to_hex(&Sha256::digest(token.as_bytes()));
    print(&format!(
        "# The token; the Source needs it, the hub does not store it: {token}\n[[publisher]]\nname = \"{name}\"\ntoken_sha256 = \"{digest}\"\n"
    ))?;
    Ok(status::VALID)
}

fn backup(arguments: &HubBackup) -> Result<i32, CliError> {
    let store = match (&arguments.store, &arguments.config) {
        (Some(store), _) => StoreAddress::Sqlite(store.clone()),
        (None, Some(config)) => settings(config, &Overrides::default())?.store,
        (None, None) => return Err("either --store or --config is required".into()),
    };
    let StoreAddress::Sqlite(store) = store else {
        return Err("a store in PostgreSQL is copied by pg_dump".into());
    };
    ledger::back_up(&store, &arguments.file).map_err(|error| CliError::new(error.to_string()))?;
    Ok(status::VALID)
}

fn migrate(arguments: &HubMigrate) -> Result<i32, CliError> {
    let counts = ledger::migrate(&arguments.from, &arguments.to).map_err(|error| CliError::new(error.to_string()))?;
    print(&format!(
        "{}: {}, {}, {}\n",
        arguments.to,
        counted(counts.subscriptions, "subscription"),
        counted(counts.pending, "pending request"),
        counted(counts.dead_letters, "dead letter")
    ))?;
    Ok(status::VALID)
}
