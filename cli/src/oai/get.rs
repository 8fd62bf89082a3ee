//! `resourcesync oai get`: the metadata of records, byte for byte.

use std::io::{BufWriter, Write};

use resourcesync::report::Lang;
use resourcesync_client::oai::{Line, Pages, drive};
use resourcesync_oai::{
    harvest::{Call, Goal, Harvest},
    page::Piece,
};

use super::{progress::Progress, session, session::Session, summary};
use crate::{
    arguments::{OaiGet, Plain},
    error::{CliError, warn},
    interrupt::Interrupt,
    outputs::{Escaped, stdout},
};

/// Runs it.
pub(super) fn run(arguments: &OaiGet) -> Result<i32, CliError> {
    let interrupt = Interrupt::within(arguments.common.max_time);
    let cancel = interrupt.cancel();
    let session = Session::open(&arguments.common, &arguments.url, None, None, cancel)?;
    let mut plan = session::plan(&arguments.common, &arguments.url);
    plan.goal = Goal::Get(arguments.identifiers.clone());
    plan.prefixes = vec![arguments.prefix.clone()];
    let mut harvest = Harvest::new(plan, session.clock.now());
    let mut progress = Progress::new(&arguments.common);
    let mut out = BufWriter::new(stdout::open());
    let lang = arguments.common.printing.terminal.language.for_people();
    let is_only = arguments.identifiers.len() == 1;
    let mut write = |call: &Call, piece: &Piece, transcoded: Option<&'static str>, out: &mut dyn Write| {
        let record = match piece {
            Piece::Record(record) => record,
            Piece::Damaged(damaged) => {
                let identifier = call.request.argument("identifier").unwrap_or_default();
                let words = match lang {
                    Lang::En => format!("{identifier} is damaged: {}", damaged.why.reason()),
                    Lang::Ja => format!("{identifier} は破損しています（{}）", damaged.why.code()),
                };
                warn(&words, lang);
                return Ok(false);
            }
            _ => return Ok(false),
        };
        if arguments.format == Plain::Json {
            let prefix = call.prefix.as_deref().unwrap_or(&arguments.prefix);
            return Line::record(record, prefix, transcoded).write(&mut Escaped(out)).map(|()| true);
        }
        let Some(metadata) = &record.metadata else {
            let identifier = &record.header.identifier;
            let words = match lang {
                Lang::En => format!("{identifier} was deleted"),
                Lang::Ja => format!("{identifier} は削除されています"),
            };
            warn(&words, lang);
            return Ok(false);
        };
        match arguments.standalone {
            true => out.write_all(&metadata.standalone())?,
            false => out.write_all(&metadata.raw)?,
        }
        // Lines separate several records; a single one is written byte for byte.
        if is_only { Ok(true) } else { out.write_all(b"\n").map(|()| true) }
    };
    let mut sink = Pages::new(&mut out, None, &mut write);
    let clock = session.clock.as_ref();
    let proof = drive(&session.client, &mut harvest, &mut sink, clock, cancel, &mut |step| {
        progress.show(step, clock.now());
    })?;
    progress.end();
    summary::explain(&proof, lang);
    summary::name_limit(&proof, cancel, lang);
    Ok(summary::exit(&proof, None))
}
