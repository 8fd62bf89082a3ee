//! `resourcesync inventory`: what a copy holds, for `build`, for a spreadsheet, or for `sha256sum --check`.

use std::{
    io::{self, BufWriter, Write},
    mem,
};

use resourcesync::{
    report::json_line,
    value::{Algorithm, to_hex},
};
use resourcesync_client::{
    destination::{self, CopiedResource, Inventoried, Republished, SyncError, VIA},
    reason,
};
use serde_json::{Map, json};

use crate::{
    arguments::{Inventory, InventoryFormat},
    error::CliError,
    outputs::open_stdout,
    status,
};

/// Runs it.
pub(crate) fn run(arguments: &Inventory) -> Result<i32, CliError> {
    let mut out = BufWriter::new(open_stdout());
    let mut written = Ok(());
    // Objects of a store have no path here.
    let has_files = destination::kept_at(&arguments.folder, arguments.state.as_deref())?.is_none();
    if !has_files && arguments.format == InventoryFormat::Sha256sum {
        return Err("the bytes of this copy are in an object store, where `sha256sum` finds no files; use --format jsonl or csv".into());
    }
    // Before the first line, so that nothing is printed for what is no copy.
    let mut header = header(arguments);
    let published = Republished { base: arguments.base_uri.clone(), without_via: arguments.no_via };
    let read = destination::inventory(&arguments.folder, arguments.state.as_deref(), &published, &mut |own| {
        let line = line(arguments, &own, has_files);
        written = line.and_then(|line| out.write_all((mem::take(&mut header) + &line).as_bytes()));
        // A reader that went away, as `head` does, needs no more of it.
        if written.is_ok() { Ok(()) } else { Err(SyncError::Io(io::ErrorKind::BrokenPipe.into())) }
    });
    let mut end = || out.write_all(header.as_bytes()).and_then(|()| out.flush());
    match written.and_then(|()| if read.is_ok() { end() } else { Ok(()) }) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(status::VALID),
        Err(error) => return Err(format!("standard output could not be written: {}", reason(&error)).into()),
        Ok(()) => {}
    }
    read?;
    Ok(status::VALID)
}

/// The first line of a table; other formats have none.
fn header(arguments: &Inventory) -> String {
    match arguments.format {
        InventoryFormat::Csv if has_via(arguments) => "uri,path,length,lastmod,hash,link:via\n".to_owned(),
        InventoryFormat::Csv => "uri,path,length,lastmod,hash\n".to_owned(),
        InventoryFormat::Jsonl | InventoryFormat::Sha256sum => String::new(),
    }
}

/// True if a table has a column of where resources come from.
fn has_via(arguments: &Inventory) -> bool {
    arguments.base_uri.is_some() && !arguments.no_via
}

fn line(arguments: &Inventory, own: &Inventoried, has_files: bool) -> io::Result<String> {
    let Some(folder) = arguments.folder.to_str() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the name of the folder is not UTF-8"));
    };
    let path = has_files.then(|| format!("{}/{}", folder.trim_end_matches('/'), own.resource.path));
    Ok(match arguments.format {
        InventoryFormat::Jsonl => object_line(own, path.as_deref()),
        InventoryFormat::Csv => csv_line(own, path.as_deref().unwrap_or_default(), has_via(arguments)),
        InventoryFormat::Sha256sum => sum_line(&own.resource, path.as_deref().unwrap_or_default()),
    })
}

fn object_line(Inventoried { resource: holding, uri, links }: &Inventoried, path: Option<&str>) -> String {
    let mut line = Map::new();
    line.insert("uri".to_owned(), uri.as_str().into());
    line.extend(path.map(|path| ("path".to_owned(), path.into())));
    line.insert("length".to_owned(), holding.length.into());
    if let Some(lastmod) = &holding.lastmod {
        line.insert("lastmod".to_owned(), lastmod.to_string().into());
    }
    let hashes = holding.hashes.iter().map(|hash| (hash.algorithm.as_str().to_owned(), to_hex(&hash.digest).into()));
    line.insert("hashes".to_owned(), serde_json::Value::Object(hashes.collect()));
    if !links.is_empty() {
        line.insert("links".to_owned(), json!(links));
    }
    json_line(&line).unwrap_or_default()
}

fn csv_line(Inventoried { resource: holding, uri, links }: &Inventoried, path: &str, has_via: bool) -> String {
    let lastmod = holding.lastmod.as_ref().map(ToString::to_string).unwrap_or_default();
    let fields = [uri.as_str(), path, &holding.length.to_string(), &lastmod, &holding.hashes.to_string()];
    let via = has_via.then(|| {
        let via = links.iter().filter(|link| link.rel.as_deref() == Some(VIA));
        via.filter_map(|link| link.href.as_deref()).collect::<Vec<_>>().join(" ")
    });
    let fields = fields.into_iter().chain(via.as_deref());
    let quoted = |field: &str| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    };
    fields.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// As `sha256sum` prints it, which marks a line whose name is escaped.
fn sum_line(holding: &CopiedResource, path: &str) -> String {
    let digest = holding.hashes.get(&Algorithm::Sha256).map(to_hex).unwrap_or_default();
    let escaped = path.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    let mark = if escaped == path { "" } else { "\\" };
    format!("{mark}{digest}  {escaped}\n")
}
