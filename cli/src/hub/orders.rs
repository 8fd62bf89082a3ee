//! Questions and orders to the administration of a running hub.

use std::time::Duration;

use resourcesync::report::Lang;
use resourcesync_client::{notify::now, reason};
use resourcesync_notify::{form::Form, hub::Secret, moment::Timestamp};
use resourcesync_server::{
    admin::request,
    settings::{AdminAddress, Overrides},
};
use serde_json::{Value, json};

use super::{answer::answer, text};
use crate::{
    arguments::{
        HubAsk, HubAt, HubDeny, HubFormat, HubLift, HubPause, HubPrune, HubReplay, HubSubscriptions, HubTarget,
    },
    error::CliError,
    settings::{ConfigFile, referred},
    words::counted,
};

/// Sends a question, and prints the answer.
pub(super) fn ask(
    ask: &HubAsk,
    config: Option<&ConfigFile>,
    path: &str,
    text: fn(&Value, Lang) -> String,
) -> Result<i32, CliError> {
    let body = call(&ask.at, config, "GET", path, "")?;
    answer(&ask.at.answer, || match ask.at.answer.format {
        HubFormat::Json => Ok(format!("{body}\n")),
        HubFormat::Text => Ok(text(&parsed(&body)?, ask.at.answer.lang())),
    })
}

/// `subscriptions`.
pub(super) fn subscriptions(arguments: &HubSubscriptions, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let after = arguments.after.to_string();
    let mut query = vec![("after", &*after)];
    query.extend(arguments.topic.as_deref().map(|topic| ("topic", topic)));
    query.extend(arguments.host.as_deref().map(|host| ("host", host)));
    query.extend(arguments.reveal.then_some(("reveal", "true")));
    ask(&arguments.ask, config, &format!("subscriptions?{}", Form::write(query)), text::subscriptions)
}

/// `replay`.
pub(super) fn replay(arguments: &HubReplay, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    order(
        &arguments.at,
        config,
        "replay",
        &json!({"target": target(&arguments.target), "from": arguments.first}),
        "subscription",
    )
}

/// `deny`.
pub(super) fn deny(arguments: &HubDeny, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    if arguments.undo {
        return order(&arguments.at, config, "allow", &json!({"host": arguments.target.host}), "host");
    }
    let order = json!({"target": target(&arguments.target), "reason": arguments.reason});
    self::order(&arguments.at, config, "deny", &order, "subscription")
}

/// `lift`.
pub(super) fn lift(arguments: &HubLift, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    order(&arguments.at, config, "lift", &json!({"host": arguments.host, "undo": arguments.undo}), "host")
}

/// `pause` and `resume`.
pub(super) fn pause(arguments: &HubPause, config: Option<&ConfigFile>, name: &str) -> Result<i32, CliError> {
    order(&arguments.at, config, name, &json!({"topic": arguments.topic}), "topic")
}

/// `prune`.
pub(super) fn prune(arguments: &HubPrune, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let before = before(now(), arguments.older_than);
    order(&arguments.at, config, "prune", &json!({"before": before}), "payload")
}

fn before(now: Timestamp, age: Duration) -> Timestamp {
    let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.millis().saturating_sub(age))
}

fn target(target: &HubTarget) -> Value {
    match (target.subscription, &target.topic, &target.host) {
        (Some(id), ..) => json!({"subscription": id}),
        (_, Some(topic), _) => json!({"topic": topic}),
        (.., host) => json!({"host": host}),
    }
}

fn order(at: &HubAt, config: Option<&ConfigFile>, name: &str, order: &Value, thing: &str) -> Result<i32, CliError> {
    let body = call(at, config, "POST", name, &order.to_string())?;
    let quiet = at.answer.printing.terminal.quiet;
    answer(&at.answer, || match at.answer.format {
        HubFormat::Json => Ok(format!("{body}\n")),
        HubFormat::Text if quiet => Ok(String::new()),
        HubFormat::Text => {
            let done = &parsed(&body)?["done"];
            let done = match (done.as_u64(), at.answer.lang()) {
                (Some(done), Lang::En) => counted(done, thing),
                (Some(done), Lang::Ja) => format!("{done} 件"),
                (None, _) => done.to_string(),
            };
            Ok(format!("{name}: {done}\n"))
        }
    })
}

fn parsed(body: &str) -> Result<Value, CliError> {
    serde_json::from_str(body).map_err(|error| CliError::new(format!("the answer of the hub is not JSON: {error}")))
}

/// Sends a request, and returns the body of a successful answer.
fn call(at: &HubAt, config: Option<&ConfigFile>, method: &str, path: &str, body: &str) -> Result<String, CliError> {
    let (address, token) = reach(at, config)?;
    let (status, body) = request(&address, token.as_ref(), method, &format!("/admin/v1/{path}"), body)
        .map_err(|error| format!("the hub at {address} could not be reached: {}", reason(&error)))?;
    if status == 200 { Ok(body) } else { Err(CliError::new(format!("the hub answered {status}: {}", body.trim_end()))) }
}

fn reach(at: &HubAt, config: Option<&ConfigFile>) -> Result<(AdminAddress, Option<Secret>), CliError> {
    if let Some(admin) = &at.admin {
        let token = at.admin_token.as_deref().map(referred).transpose()?;
        return Ok((admin.clone(), token.map(|token| Secret(token.into()))));
    }
    let config = ConfigFile::needed(config)?;
    let settings = config.hub(&Overrides::default())?;
    let admin = settings.admin.ok_or_else(|| format!("{} has no `hub.admin`", config.name))?;
    Ok((admin, settings.admin_token))
}
