//! `resourcesync hub`: runs a WebSub hub, and administers a running one.

mod answer;
mod orders;
mod text;

use resourcesync::{report::Lang, value::to_hex};
use resourcesync_client::{notify::random, reason};
use resourcesync_server::{
    hub::{RunningHub, Signals, notify_systemd},
    ledger::{self, StoreAddress},
    settings::Overrides,
    tls::server_config,
};
use serde_json::json;
use sha2::{Digest, Sha256};

use self::answer::answer;
use crate::{
    arguments::{Hub, HubBackup, HubCheck, HubCommand, HubFormat, HubMigrate, HubServe, HubToken},
    error::{CliError, warn},
    outputs::{self, print},
    settings::ConfigFile,
    status,
    words::counted,
};

/// Runs it.
pub(crate) fn run(arguments: &Hub, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    match &arguments.command {
        HubCommand::Serve(arguments) => serve(arguments, config),
        HubCommand::Check(arguments) => check(arguments, config),
        HubCommand::Token(arguments) => token(arguments),
        HubCommand::Backup(arguments) => backup(arguments, config),
        HubCommand::Migrate(arguments) => migrate(arguments),
        HubCommand::Status(ask) => orders::ask(ask, config, "status", text::status),
        HubCommand::Topics(ask) => orders::ask(ask, config, "topics", text::topics),
        HubCommand::Failures(ask) => orders::ask(ask, config, "failures", text::failures),
        HubCommand::Subscriptions(arguments) => orders::subscriptions(arguments, config),
        HubCommand::Replay(arguments) => orders::replay(arguments, config),
        HubCommand::Deny(arguments) => orders::deny(arguments, config),
        HubCommand::Lift(arguments) => orders::lift(arguments, config),
        HubCommand::Pause(arguments) => orders::pause(arguments, config, "pause"),
        HubCommand::Resume(arguments) => orders::pause(arguments, config, "resume"),
        HubCommand::Prune(arguments) => orders::prune(arguments, config),
    }
}

fn serve(arguments: &HubServe, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let overrides = Overrides {
        public_uri: arguments.public_uri.as_ref().map(|uri| uri.as_str().to_owned()),
        listen: arguments.listen,
        store: arguments.store.clone(),
        admin: arguments.admin.clone(),
    };
    let signals = Signals::catch().map_err(|error| format!("signals cannot be caught: {}", reason(&error)))?;
    let config = ConfigFile::needed(config)?;
    let hub = RunningHub::start(config.hub(&overrides)?, None).map_err(|error| CliError::new(error.to_string()))?;
    let admin = hub.admin().map(|admin| format!(", administration on {admin}")).unwrap_or_default();
    print(&format!("listening on {}{admin}\n", hub.address()))?;
    notify_systemd().map_err(|error| CliError::new(format!("systemd could not be notified: {}", reason(&error))))?;
    Ok(if hub.wait(signals, || config.hub(&overrides)) { status::VALID } else { status::UNSURE })
}

fn check(arguments: &HubCheck, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let config = ConfigFile::needed(config)?;
    let settings = config.hub(&Overrides::default())?;
    if let Some(tls) = &settings.tls {
        server_config(tls).map_err(|error| CliError::new(error.to_string()))?;
    }
    let topics = settings.options.topics();
    let served = topics.iter().filter(|topic| topic.is_served()).count();
    settings.warnings().iter().for_each(|warning| warn(warning, Lang::En));
    let (uri, publishers) = (settings.options.public_uri(), settings.options.publishers.len());
    answer(&arguments.answer, || match arguments.answer.format {
        HubFormat::Json => outputs::json(&json!({
            "publicUri": uri.to_string(), "topics": topics.len(), "served": served, "publishers": publishers,
        })),
        HubFormat::Text => {
            let (file, topics, publishers) = (&config.name, topics.len() as u64, publishers as u64);
            Ok(match arguments.answer.lang() {
                Lang::En => {
                    let (topics, publishers) = (counted(topics, "topic"), counted(publishers, "publisher"));
                    format!("{file}: {uri} with {topics} ({served} served) and {publishers}\n")
                }
                Lang::Ja => {
                    format!("{file}: {uri}、トピック {topics} 件（うち {served} 件を配信）、公開側 {publishers} 件\n")
                }
            })
        }
    })
}

fn token(arguments: &HubToken) -> Result<i32, CliError> {
    let name = arguments.name.as_str();
    if name.is_empty() || name.contains(['"', '\\']) || name.contains(char::is_control) {
        return Err("a name has no quotation marks, backslashes or control characters".into());
    }
    let mut bytes = [0; 32];
    random(&mut bytes).map_err(|_| "there are no random numbers")?;
    let token = to_hex(&bytes);
    let digest = to_hex(&Sha256::digest(token.as_bytes()));
    answer(&arguments.answer, || match arguments.answer.format {
        HubFormat::Json => outputs::json(&json!({ "name": name, "token": token, "tokenSha256": digest })),
        HubFormat::Text => {
            let note = match arguments.answer.lang() {
                Lang::En => "The token; the Source needs it, the hub does not store it",
                Lang::Ja => "トークン（ソースに設定します。ハブは保存しません）",
            };
            Ok(format!("# {note}: {token}\n[[hub.publisher]]\nname = \"{name}\"\ntoken_sha256 = \"{digest}\"\n"))
        }
    })
}

fn backup(arguments: &HubBackup, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let store = match &arguments.store {
        Some(store) => StoreAddress::Sqlite(store.clone()),
        None => ConfigFile::needed(config)?.hub(&Overrides::default())?.store,
    };
    let StoreAddress::Sqlite(store) = store else {
        return Err("a store in PostgreSQL is copied by pg_dump".into());
    };
    ledger::back_up(&store, &arguments.file).map_err(|error| CliError::new(error.to_string()))?;
    Ok(status::VALID)
}

fn migrate(arguments: &HubMigrate) -> Result<i32, CliError> {
    let counts = ledger::migrate(&arguments.from, &arguments.to).map_err(|error| CliError::new(error.to_string()))?;
    answer(&arguments.answer, || match arguments.answer.format {
        HubFormat::Json => outputs::json(&json!({
            "subscriptions": counts.subscriptions, "pending": counts.pending, "deadLetters": counts.dead_letters,
        })),
        HubFormat::Text => Ok(match arguments.answer.lang() {
            Lang::En => format!(
                "{}: {}, {}, {}\n",
                arguments.to,
                counted(counts.subscriptions, "subscription"),
                counted(counts.pending, "pending request"),
                counted(counts.dead_letters, "dead letter")
            ),
            Lang::Ja => format!(
                "{}: 購読 {} 件、確認待ち {} 件、配信不能 {} 件\n",
                arguments.to, counts.subscriptions, counts.pending, counts.dead_letters
            ),
        }),
    })
}
