//! Publishes many repositories in one run: a Source each, and one description over them.

use std::{fs, path::Path, time::Duration};

use resourcesync::report::Lang;
use resourcesync_client::{
    oai::bridge::{BridgeOptions, harvest_folder, is_unpublished},
    publish::describe_sources,
    reason,
};

use super::publishing::{Publishing, failed, harvest_of, is_quiet, lang};
use crate::{
    arguments::{OaiBridge, Plain, Tabular},
    error::{CliError, note, warn},
    oai::{
        many::{self, Listed},
        one::{self, Target},
        summary,
    },
    status,
};

/// One run over the repositories of a table. What fails of one does not end the others, and what is published of it stays.
pub(super) fn once(publishing: &Publishing<'_>, file: &Path) -> Result<(i32, Duration), CliError> {
    let arguments = publishing.arguments;
    let OaiBridge { common, harvesting, out, .. } = arguments;
    let documents = arguments.documents_uri.as_ref().unwrap_or(&arguments.base_uri);
    describe_sources(out, documents, &[]).map_err(|error| CliError::new(error.to_string()))?;
    let Listed { mut targets, status: mut exit } = many::listed(file, (harvesting, common), lang(arguments))?;
    let names = many::names(&targets);
    let all: Vec<BridgeOptions> = names.iter().map(|name| arguments.options_below(name)).collect();
    let shared = arguments.options();
    shared.check().map_err(failed)?;
    let (store, stored) = (shared.storage(), shared.store_options(harvesting.tombstones));
    fs::create_dir_all(out).map_err(|error| CliError::new(format!("{}: {}", out.display(), reason(&error))))?;
    for (target, options) in targets.iter_mut().zip(&all) {
        target.folder = Some(harvest_folder(&options.publication.out)?);
        // A run that was killed between its harvest and its publication. Should this fail, the publication below fails, too.
        let store = target.folder.as_deref().unwrap_or(out);
        if is_unpublished(store, options).is_ok_and(|is_unpublished| is_unpublished) {
            let _ = publishing.publish(store, options, None, true);
        }
    }
    let own = one::Options { common, harvesting, store, stored, max_records: None };
    let outcomes = many::harvest(own, &targets, arguments.jobs, publishing.interrupt.cancel());
    if arguments.format == Plain::Text && !is_quiet(arguments) {
        let format = (Tabular::Text, lang(arguments));
        note(&many::table((&targets, &outcomes), harvesting.fail_on, format)?.0);
    }
    let mut pause = 0;
    for (number, (target, options)) in targets.iter().zip(&all).enumerate() {
        let done = match outcomes.get(&number) {
            Some(Ok(outcome)) => {
                pause = pause.max(outcome.pause);
                summary::name_limit(&outcome.proof, publishing.interrupt.cancel(), lang(arguments));
                exit = status::worse(exit, summary::exit(&outcome.proof, harvesting.fail_on));
                published(publishing, target, options, outcome)
            }
            Some(Err(error)) => Err(CliError::new(error.to_string())),
            None => Err(CliError::new("it was not harvested")),
        };
        let status = match done {
            Ok(status) => status,
            Err(error) => {
                publishing.reporter(false).broken(&format!("{}: {error}", target.url))?;
                status::UNSURE
            }
        };
        exit = status::worse(exit, status);
    }
    for name in describe_sources(out, documents, &names).map_err(|error| CliError::new(error.to_string()))? {
        warn(&stays(&out.join(name), lang(arguments)), lang(arguments));
    }
    Ok((exit, Duration::from_millis(pause)))
}

/// A table that was cut off must not look like the end of Sources.
fn stays(folder: &Path, lang: Lang) -> String {
    let folder = folder.display();
    match lang {
        Lang::Ja => {
            format!("{folder} は表にありませんが、公開を続けます。公開を終えるには、このフォルダを削除してください")
        }
        Lang::En => {
            format!("{folder} is not in the table any more, and stays published; delete the folder to end that")
        }
    }
}

fn published(
    publishing: &Publishing<'_>,
    target: &Target,
    options: &BridgeOptions,
    outcome: &one::Outcome,
) -> Result<i32, CliError> {
    let harvest = harvest_of(target, outcome, lang(publishing.arguments))?;
    let Some(store) = &target.folder else { return Err("expected a folder for the store".into()) };
    publishing.publish(store, options, Some(harvest), false)
}
