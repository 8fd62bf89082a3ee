//! `resourcesync inventory`: what a copy holds, for `build`, for a spreadsheet, or for `sha256sum --check`.

use std::{
    io::{self, BufWriter, Write},
    mem,
    path::Path,
};

use resourcesync::{
    api::plain::Link,
    report::json_line,
    value::{Algorithm, Uri, to_hex},
};
use resourcesync_client::{
    destination::{self, CopiedResource, SyncError},
    publish::uri_of,
    reason,
};
use serde_json::{Map, json};

use crate::{
    arguments::{Inventory, InventoryFormat},
    error::CliError,
    outputs::open_stdout,
    status,
};

/// The relation of a resource to the one that it is a copy of (§14.8).
const VIA: &str = "via";

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
    let read = destination::inventory(&arguments.folder, arguments.state.as_deref(), &mut |holding, links| {
        let line = line(arguments, &holding, links, has_files);
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
    match read {
        Ok(()) => Ok(status::VALID),
        Err(error) => Err(error.into()),
    }
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

fn line(arguments: &Inventory, holding: &CopiedResource, mut links: Vec<Link>, has_files: bool) -> io::Result<String> {
    let Some(folder) = arguments.folder.to_str() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the name of the folder is not UTF-8"));
    };
    let path = has_files.then(|| format!("{}/{}", folder.trim_end_matches('/'), holding.path));
    let uri = arguments.base_uri.as_ref().map(|base| published(base, &holding.path));
    let is_via = |link: &Link| link.rel.as_deref() == Some(VIA);
    if arguments.no_via {
        links.retain(|link| !is_via(link));
    } else if uri.is_some() && !links.iter().any(is_via) {
        // Where the Source has it from is passed on; it is the origin itself otherwise.
        links.push(Link { rel: Some(VIA.to_owned()), href: Some(holding.uri.clone()), ..Link::default() });
    }
    let uri = uri.as_deref().unwrap_or(&holding.uri);
    Ok(match arguments.format {
        InventoryFormat::Jsonl => object_line(holding, uri, path.as_deref(), &links),
        InventoryFormat::Csv => {
            csv_line(holding, uri, path.as_deref().unwrap_or_default(), has_via(arguments).then_some(&links))
        }
        InventoryFormat::Sha256sum => sum_line(holding, path.as_deref().unwrap_or_default()),
    })
}

fn object_line(holding: &CopiedResource, uri: &str, path: Option<&str>, links: &[Link]) -> String {
    let mut line = Map::new();
    line.insert("uri".to_owned(), uri.into());
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

fn csv_line(holding: &CopiedResource, uri: &str, path: &str, links: Option<&Vec<Link>>) -> String {
    let lastmod = holding.lastmod.as_ref().map(ToString::to_string).unwrap_or_default();
    let fields = [uri, path, &holding.length.to_string(), &lastmod, &holding.hashes.to_string()];
    let via = links.map(|links| {
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

/// The URI of a file that is published below a base.
fn published(base: &Uri, path: &str) -> String {
    format!("{base}{}", uri_of(Path::new(path)))
}
