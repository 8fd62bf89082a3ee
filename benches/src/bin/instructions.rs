//! `instructions whole|tokens` makes one pass over a list in memory, `instructions read` one over a page of OAI-PMH, for callgrind;
//! `instructions inputs FOLDER` writes the documents on which whole commands are measured.

use std::{env, fs, io, path::Path, process::ExitCode};

use resourcesync_benches::{
    inputs::{Layout, list},
    oai_pages::{page, read},
    passes::{tokens, whole},
};

/// Lists in the folder that is checked as a whole.
const LISTS: usize = 4;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("whole"), None) => counted(whole),
        (Some("tokens"), None) => counted(tokens),
        (Some("read"), None) => ExitCode::from(u8::from(read(page(0, 1_000, 2, false).as_bytes()) == 0)),
        (Some("inputs"), Some(folder)) => match write_inputs(Path::new(&folder)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("instructions: {error}");
                ExitCode::from(2)
            }
        },
        _ => {
            eprintln!("usage: instructions whole|tokens|read|inputs FOLDER");
            ExitCode::from(2)
        }
    }
}

fn counted(pass: fn(&str) -> u64) -> ExitCode {
    ExitCode::from(u8::from(pass(&list(0, Layout::Lines)) == 0))
}

fn write_inputs(folder: &Path) -> io::Result<()> {
    let lists = folder.join("lists");
    fs::create_dir_all(&lists)?;
    fs::write(folder.join("list.xml"), list(0, Layout::Lines))?;
    fs::write(folder.join("wrong.xml"), list(0, Layout::OneLineWrong))?;
    for number in 0..LISTS {
        fs::write(lists.join(format!("list{number}.xml")), list(number, Layout::Lines))?;
    }
    Ok(())
}
