//! `resourcesync oai harvest`: of one repository or of many.

use std::path::Path;

use resourcesync::report::Lang;
use resourcesync_client::oai::Config;

use super::{
    dry_run, many,
    one::{Outcome, Target, as_lines, into_store},
    progress::Progress,
    session, summary,
    summary::Summary,
    table,
};
use crate::{
    arguments::{OaiHarvest, Tabular},
    error::{CliError, note},
    interrupt::Interrupt,
    outputs::stdout,
};

/// Runs it.
pub(super) fn run(arguments: &OaiHarvest) -> Result<i32, CliError> {
    let interrupt = Interrupt::within(arguments.common.max_time);
    let cancel = interrupt.cancel();
    if arguments.repositories.is_some() || arguments.targets.len() > 1 {
        return many::run(arguments, cancel);
    }
    let Some(named) = arguments.targets.first() else {
        return Err("expected a URL, a folder or --repositories".into());
    };
    if !session::is_url(named) && many::has_stores(Path::new(named))? {
        return many::run(arguments, cancel);
    }
    let target = target(arguments, named)?;
    let common = &arguments.common;
    if common.servers.from.is_none() && target.contact.is_none() && !common.printing.terminal.quiet {
        note(match arguments.lang() {
            Lang::En => "note: pass --from ADDRESS, so that the repository can contact you\n",
            Lang::Ja => {
                "注記: リポジトリの管理者から連絡を受けられるように、--from でメールアドレスを指定してください\n"
            }
        });
    }
    if arguments.dry_run {
        return dry_run::run(arguments, &target, cancel);
    }
    let mut progress = Progress::new(common);
    let outcome = match &target.folder {
        Some(_) => into_store(arguments.into(), &target, 0, cancel, &mut |step, now| progress.show(step, now)),
        None => as_lines(arguments, &target, cancel, &mut |step, now| progress.show(step, now)),
    };
    progress.end();
    let Outcome { proof, counts, path, .. } = outcome?;
    let lang = arguments.lang();
    if target.folder.is_none() && proof.was_broken_off() {
        summary::name_part(stdout::set_aside().as_ref(), lang);
    }
    summary::name_limit(&proof, cancel, lang);
    let mut summary = Summary::new(&target.url, Some(&proof), counts, lang);
    summary.folder = target.folder.as_ref().map(|folder| folder.display().to_string());
    summary.proof = path.as_ref().map(|path| path.display().to_string());
    match arguments.format {
        Tabular::Text if common.printing.terminal.quiet => {}
        Tabular::Text => {
            summary::explain(&proof, lang);
            summary::write(&proof, counts.as_ref(), path.as_deref(), lang);
        }
        _ => {
            let text = table::write(&[summary], arguments.format, lang)?;
            // Without a store, standard output contains the records.
            if target.folder.is_some() { stdout::write(&text, false).map(drop)? } else { note(&text) }
        }
    }
    Ok(summary::exit(&proof, arguments.harvesting.fail_on))
}

/// The target on the command line: a repository, or the folder of a store.
fn target(arguments: &OaiHarvest, named: &str) -> Result<Target, CliError> {
    let contact = arguments.common.servers.from.clone();
    if session::is_url(named) {
        let (prefixes, sets) = (arguments.harvesting.prefix.clone(), arguments.harvesting.set.clone());
        let folder = arguments.into.clone();
        return Ok(Target { url: named.to_owned(), prefixes, sets, contact, folder, is_store: false });
    }
    let folder = Path::new(named);
    let Some(config) = Config::read(folder)? else {
        return Err(format!("{named} is neither an http or https URL nor the folder of a store or of several").into());
    };
    let is_other =
        !arguments.harvesting.prefix.is_empty() || !arguments.harvesting.set.is_empty() || arguments.store.is_some();
    if is_other || arguments.into.is_some() {
        return Err("--prefix, --set, --store and --into apply to a new store only".into());
    }
    Ok(Target {
        url: config.url,
        prefixes: config.prefixes,
        sets: config.sets,
        contact: contact.or(config.contact),
        folder: Some(folder.to_owned()),
        is_store: true,
    })
}
