//! `resourcesync help`: the help of a subcommand, and the pages about limits and HTTP.

use std::fmt::Write;

use clap::{Args, Command};

use crate::{
    arguments::{self, Help, Http},
    error::{self, CliError},
    limits, outputs,
};

/// Columns of a page.
const WIDTH: usize = 100;

/// Runs it.
pub(crate) fn run(arguments: &Help) -> Result<i32, CliError> {
    let names: Vec<&str> = arguments.names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["limits"] => outputs::print(&about_limits()),
        ["http"] => outputs::print(&about_http()),
        names => of_subcommand(names),
    }
}

/// Prints the same as `resourcesync NAMES --help`.
fn of_subcommand(names: &[&str]) -> Result<i32, CliError> {
    let mut command = arguments::command();
    command.build();
    let mut found = &command;
    for name in names {
        found = found.find_subcommand(name).ok_or_else(|| {
            format!("there is no subcommand or page `{name}`; `resourcesync help` lists the subcommands, and the pages are http and limits")
        })?;
    }
    let line = ["resourcesync"].iter().chain(names).chain(["--help"].iter());
    match arguments::command().try_get_matches_from(line) {
        // Help is an error of the parser.
        Err(error) => Ok(error::usage(&error)),
        Ok(_) => Ok(crate::status::VALID),
    }
}

fn about_limits() -> String {
    let mut page = String::from(
        "Limits\n\n\
         A limit bounds what a document, a package, a server or a repository can make the command do. Set it\n\
         with --limit NAME=VALUE, or in the table [limits] of resourcesync.toml; hyphens may replace\n\
         underscores. What an exceeded limit leaves unchecked is undetermined.\n",
    );
    for (title, rows) in limits::pages() {
        let _ = writeln!(page, "\n{title}:");
        for (name, value, purpose) in rows {
            let _ = writeln!(page, "  {name}={value}");
            for line in wrapped(purpose) {
                let _ = writeln!(page, "      {line}");
            }
        }
    }
    page
}

fn about_http() -> String {
    let about = "How documents, packages and resources are requested, by every subcommand that takes a URL. Subcommands that \
        keep no recording have the options up to --ca-file. docs/http.md describes redirects, caching, retries and private addresses; \
        `resourcesync help limits` lists the limits.";
    let command = Command::new("http").disable_help_flag(true).term_width(WIDTH);
    // The arguments bring a description of their own.
    let mut command =
        Http::augment_args(command).about(about).long_about(about).help_template("{about}\n\n{all-args}\n");
    format!("HTTP\n\n{}", command.render_long_help())
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < WIDTH - 6 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
