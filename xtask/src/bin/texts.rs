//! Prints the texts of all codes as JSON, for the npm package: `texts en`, `texts ja`.

use std::process::ExitCode;

use resourcesync::report::{
    Lang,
    catalogue::{Catalogue, to_json},
};

fn main() -> ExitCode {
    let Some(lang) = std::env::args().nth(1).as_deref().and_then(Lang::find) else {
        eprintln!("usage: texts en|ja");
        return ExitCode::from(2);
    };
    let catalogue = Catalogue::new(lang)
        .with(resourcesync_sync::catalogue::rows(lang))
        .with(resourcesync_notify::catalogue::rows(lang))
        .with(resourcesync_oai::catalogue::rows(lang));
    print!("{}", to_json(catalogue.rows()));
    ExitCode::SUCCESS
}
