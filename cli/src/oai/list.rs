//! `resourcesync oai list`: formats, sets or identifiers of a repository; the records of a store.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use resourcesync::report::visible;
use resourcesync_client::{
    oai::{Entry, Line, Pages, Quarantined, State, drive},
    reason,
};
use resourcesync_oai::{
    harvest::{Call, Goal, Harvest},
    page::{MetadataFormat, Piece, SetEntry},
    request::Verb,
};
use serde::Serialize;
use serde_json::json;

use super::{progress::Progress, session, session::Session, summary};
use crate::{
    arguments::{OaiList, Plain},
    error::CliError,
    interrupt::Interrupt,
    outputs::{Escaped, stdout},
    status,
};

/// Runs it.
pub(super) fn run(arguments: &OaiList) -> Result<i32, CliError> {
    let is_of_store = arguments.what.deleted || arguments.what.quarantined;
    match (session::is_url(&arguments.target), is_of_store) {
        (true, false) => of_repository(arguments),
        (true, true) => Err("--deleted and --quarantined list records of a store; pass its folder".into()),
        (false, _) => of_store(arguments),
    }
}

fn of_repository(arguments: &OaiList) -> Result<i32, CliError> {
    let interrupt = Interrupt::within(arguments.common.max_time);
    let cancel = interrupt.cancel();
    let session = Session::open(&arguments.common, &arguments.target, None, None, cancel)?;
    let mut plan = session::plan(&arguments.common, &arguments.target);
    plan.goal = Goal::List(match (arguments.what.formats, arguments.what.sets) {
        (true, _) => Verb::ListMetadataFormats,
        (_, true) => Verb::ListSets,
        _ => Verb::ListIdentifiers,
    });
    plan.prefixes = vec![arguments.prefix.clone()];
    plan.sets = arguments.set.clone().into_iter().collect();
    let mut harvest = Harvest::new(plan, session.clock.now());
    let mut progress = Progress::new(&arguments.common);
    let mut out = BufWriter::new(stdout::open());
    let mut write = |_: &Call, piece: &Piece, _: Option<&'static str>, out: &mut dyn Write| {
        piece_line(piece, arguments.format, out)
    };
    let mut sink = Pages::new(&mut out, None, &mut write);
    let clock = session.clock.as_ref();
    let proof = drive(&session.client, &mut harvest, &mut sink, clock, cancel, &mut |step| {
        progress.show(step, clock.now());
    })?;
    progress.end();
    let lang = arguments.common.printing.terminal.language.for_people();
    summary::explain(&proof, lang);
    summary::name_limit(&proof, cancel, lang);
    Ok(summary::exit(&proof, None))
}

/// Writes a piece as a line; false if it is not an item of the list.
fn piece_line(piece: &Piece, format: Plain, out: &mut dyn Write) -> io::Result<bool> {
    let text = |text: &Option<String>| visible(text.as_deref().unwrap_or_default());
    match (piece, format) {
        (Piece::Header(header), Plain::Json) => json(&Line::header(header), out)?,
        (Piece::Header(header), Plain::Text) => {
            let stamp = header.datestamp.as_ref().map_or("", |stamp| stamp.text.as_str());
            let status = if header.is_deleted { "deleted" } else { "" };
            let identifier = visible(&header.identifier);
            writeln!(out, "{identifier}\t{}\t{status}\t{}", visible(stamp), visible(&header.sets.join(" ")))?;
        }
        (Piece::Set(SetEntry { spec, name, .. }), Plain::Json) => {
            json(&json!({"spec": spec, "name": name}), out)?;
        }
        (Piece::Set(SetEntry { spec, name, .. }), Plain::Text) => writeln!(out, "{}\t{}", text(spec), text(name))?,
        (Piece::MetadataFormat(MetadataFormat { prefix, schema, namespace }), Plain::Json) => {
            json(&json!({"prefix": prefix, "schema": schema, "namespace": namespace}), out)?;
        }
        (Piece::MetadataFormat(MetadataFormat { prefix, schema, namespace }), Plain::Text) => {
            writeln!(out, "{}\t{}\t{}", text(prefix), text(namespace), text(schema))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(Escaped(&mut *out), value)?;
    writeln!(out)
}

fn of_store(arguments: &OaiList) -> Result<i32, CliError> {
    let folder = Path::new(&arguments.target);
    let mut out = BufWriter::new(stdout::open());
    match print(folder, arguments, &mut out).map(|written| written.and_then(|()| out.flush())) {
        Ok(Ok(())) => Ok(status::VALID),
        // The reader closed the pipe, as `head` does, which is not an error.
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(status::VALID),
        Ok(Err(error)) => Err(format!("standard output could not be written: {}", reason(&error)).into()),
        Err(trouble) => Err(trouble),
    }
}

/// Prints a store. The outer error is from reading, the inner one from writing.
fn print(folder: &Path, arguments: &OaiList, out: &mut dyn Write) -> Result<io::Result<()>, CliError> {
    let catalogue = State::catalogue(folder)?;
    if arguments.what.quarantined {
        for own in State::quarantined(folder)? {
            if let Err(error) = damaged(&own, arguments.format, out) {
                return Ok(Err(error));
            }
        }
        return Ok(Ok(()));
    }
    for own in catalogue.into_iter().flatten() {
        let own = own?;
        if own.status.is_active() == arguments.what.deleted {
            continue;
        }
        if let Err(error) = entry(&own, arguments.format, out) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

fn entry(own: &Entry, format: Plain, out: &mut dyn Write) -> io::Result<()> {
    if format == Plain::Json {
        return json(own, out);
    }
    let status = serde_json::to_value(own.status).unwrap_or_default();
    writeln!(
        out,
        "{}\t{}\t{}\t{}\t{}",
        visible(&own.identifier),
        visible(&own.prefix),
        visible(own.datestamp.as_deref().unwrap_or_default()),
        status.as_str().unwrap_or_default(),
        own.location.as_deref().unwrap_or_default(),
    )
}

fn damaged(own: &Quarantined, format: Plain, out: &mut dyn Write) -> io::Result<()> {
    if format == Plain::Json {
        return json(own, out);
    }
    let identifier = visible(own.identifier.as_deref().unwrap_or_default());
    writeln!(out, "{identifier}\t{}\t{}\t{}", own.code, visible(&own.reason), own.file)
}
