//! `resourcesync audit --offline`: compares the files of a copy with the metadata verified when they were
//! stored.

use std::fmt::Write;

use resourcesync::report::{Lang, visible};
use resourcesync_client::destination::{self, Audit as Found};

use super::words::number;
use crate::{
    arguments::{Audit, Plain},
    error::CliError,
    interrupt::Interrupt,
    outputs, status,
};

/// Runs it.
pub(crate) fn run(arguments: &Audit) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let found = destination::audit(&arguments.folder, arguments.state.as_deref(), arguments.quick, interrupt.cancel())?;
    outputs::print(&match arguments.format {
        Plain::Text => text(&found, arguments.language.for_people()),
        Plain::Json => {
            serde_json::to_string_pretty(&found).map(|json| json + "\n").map_err(|error| error.to_string())?
        }
    })?;
    Ok(match (found.completed, found.differences.is_empty()) {
        (_, false) => status::FOUND,
        (true, true) => status::VALID,
        (false, true) => status::UNSURE,
    })
}

fn text(found: &Found, lang: Lang) -> String {
    let mut text = format!("{}\n", visible(&found.source));
    for difference in &found.differences {
        let path = difference.path.as_deref().map(|path| format!("  {}", visible(path))).unwrap_or_default();
        let _ = writeln!(text, "{} {}{path}", difference.sign.as_char(), visible(&difference.uri));
    }
    let (equal, other) = (number(found.equal), number(found.differences.len() as u64));
    let _ = match lang {
        Lang::En => writeln!(text, "{equal} equal, {other} different"),
        Lang::Ja => writeln!(text, "一致 {equal} 件、相違 {other} 件"),
    };
    if !found.completed {
        text.push_str(match lang {
            Lang::En => "stopped before the end\n",
            Lang::Ja => "途中で中止された\n",
        });
    }
    text
}
