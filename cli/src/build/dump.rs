//! `resourcesync dump`: packages a folder or an inventory into a Resource Dump.

use std::{num::NonZeroUsize, thread};

use resourcesync::{
    build::{Publication, Published, Settings},
    report::{Lang, Profile, Selection},
};
use resourcesync_client::folder::Generations;

use super::{
    about_page,
    files::{Files, PLAIN},
    metadata::Metadata,
    packages::Packages,
    publish::Failure,
    run::moment,
    source::Source,
    update::{Paths, Times, gather},
};
use crate::{
    arguments::Dump,
    error::{CliError, report_error},
    interrupt::Interrupt,
    outputs::print,
    status,
};

/// Runs it. What can be refused is refused before anything is read.
pub(crate) fn run(arguments: &Dump) -> Result<i32, CliError> {
    let documents = arguments.documents_uri.as_ref().unwrap_or(&arguments.resources.base_uri);
    let interrupt = Interrupt::listen();
    let source = Source::new(&arguments.resources, documents, &[], interrupt.cancel())?;
    let generations = Generations::open(&arguments.out, 0)?;
    if generations.current().is_some() {
        return Err(format!("{} is a Source; say build --dump, or another --out", arguments.out.display()).into());
    }
    let now = moment(arguments.at.clone(), None)?;
    let next = generations.begin()?;
    let jobs = arguments.resources.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let inventory = next.folder.join("inventory.jsonl");
    let places = Paths { old: None, new: &inventory, work: &next.folder, own: generations.own() };
    let filling = Metadata { source: &source, before: None, rehash: true };
    let gathered = gather(&filling, places, &Times { before: None, now: &now }, (jobs, arguments.quiet))?;

    let write = || -> Result<Published, Failure> {
        let mut settings = Settings::default();
        settings.options.selection = Selection::new(Profile::Standard, &[], &arguments.ignore, &[]);
        settings.package_entries = arguments.package_entries.unwrap_or(settings.package_entries);
        settings.package_bytes = arguments.package_bytes.unwrap_or(settings.package_bytes);
        settings.describedby = Some(about_page::uri(documents));
        about_page::write(&next.public(), documents, gathered.sets.keys(), PLAIN)?;
        let mut publication = Publication::new(Files::new(next.public()), documents.clone(), now.clone(), settings)?;
        let mut packages = Packages::new(&source, &inventory);
        for set in gathered.sets.keys() {
            publication.set(set, Some(about_page::uri(documents)))?;
            packages.resource_dump(&mut publication, set)?;
        }
        Ok(publication.finish()?)
    };
    match write() {
        Ok(published) => {
            next.release()?;
            let (resources, out) = (gathered.sets.values().sum::<u64>(), arguments.out.display());
            let packages = published.written.iter().filter(|path| path.ends_with(".zip")).count();
            let said = format!("{out}: {resources} resources in {packages} packages\n");
            if arguments.quiet { Ok(status::VALID) } else { print(&said) }
        }
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::Refused(refused)) => {
            report_error(&format!("{refused}\nhelp: {}\nnothing was written", refused.help(Lang::En)));
            Ok(status::FOUND)
        }
    }
}
