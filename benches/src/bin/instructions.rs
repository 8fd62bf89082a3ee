//! `instructions whole|tokens list|mixed|strangers` makes one pass over a list in memory, `instructions read` one over a page of OAI-PMH, for
//! callgrind; `instructions inputs FOLDER` writes the documents on which whole commands are measured.

use std::{env, fs, io, path::Path, process::ExitCode};

use resourcesync_benches::{
    inputs::{Layout, list, mixed_list},
    oai_pages::{page, read},
    passes::{tokens, whole},
};

/// Lists in the folder that is checked as a whole.
const LISTS: usize = 4;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("whole"), Some(name)) => counted(whole, &name),
        (Some("tokens"), Some(name)) => counted(tokens, &name),
        (Some("read"), None) => ExitCode::from(u8::from(read(page(0, 1_000, 2, false).as_bytes()) == 0)),
        (Some("inputs"), Some(folder)) => match write_inputs(Path::new(&folder)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("instructions: {error}");
                ExitCode::from(2)
            }
        },
        _ => {
            eprintln!("usage: instructions whole|tokens list|mixed|strangers, or read, or inputs FOLDER");
            ExitCode::from(2)
        }
    }
}

fn counted(pass: fn(&str) -> u64, name: &str) -> ExitCode {
    let document = match name {
        "mixed" => mixed_list(),
        "strangers" => list(0, Layout::Strangers),
        _ => list(0, Layout::Lines),
    };
    ExitCode::from(u8::from(pass(&document) == 0))
}

fn write_inputs(folder: &Path) -> io::Result<()> {
    let lists = folder.join("lists");
    fs::create_dir_all(&lists)?;
    fs::write(folder.join("list.xml"), list(0, Layout::Lines))?;
    fs::write(folder.join("wrong.xml"), list(0, Layout::OneLineWrong))?;
    fs::write(folder.join("mixed.xml"), mixed_list())?;
    fs::write(folder.join("strangers.xml"), list(0, Layout::Strangers))?;
    for number in 0..LISTS {
        fs::write(lists.join(format!("list{number}.xml")), list(number, Layout::Lines))?;
    }
    Ok(())
}
