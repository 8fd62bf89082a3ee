//! The resources of `resourcesync build --from-sitemap`.

use std::{num::NonZeroUsize, sync::Arc};

use resourcesync::limits::Limits;
use resourcesync_client::{
    crawl::FolderFetcher,
    http::Recordings,
    publish::{Origin, Sitemap},
    reason,
};

use crate::{
    arguments::{Build, FromSitemap},
    error::CliError,
    interrupt::Interrupt,
    settings,
};

/// Where the resources are listed; `None` without the option.
pub(super) fn origin(arguments: &Build, interrupt: &Interrupt) -> Result<Option<Origin>, CliError> {
    let FromSitemap { from_sitemap, map, fetch } = &arguments.sitemap;
    let Some(start) = from_sitemap else { return Ok(None) };
    let mut folders = FolderFetcher::new(NonZeroUsize::MIN);
    for (base, folder) in map {
        let unread = |error| format!("--map: {} could not be read: {}", folder.display(), reason(&error));
        folders.map(folder, base).map_err(unread)?;
    }
    let is_url = Sitemap::is_url(start);
    let named = is_url.then(|| start.clone()).into_iter();
    let base = arguments.base_uri.iter().map(ToString::to_string).filter(|_| *fetch);
    let urls: Vec<String> = named.chain(base).collect();
    let lang = arguments.printing.terminal.language.for_people();
    let client = match urls.is_empty() {
        true => None,
        false => {
            let (servers, http) = (&arguments.http.servers, settings::Http::new(lang));
            let ratio = Limits::default().inflate_ratio;
            Some(settings::client_with(servers, Recordings::default(), &http, ratio, &urls, interrupt.cancel())?)
        }
    };
    Ok(Some(Origin::Sitemap(Sitemap {
        folders: (!map.is_empty()).then(|| Arc::new(folders)),
        with_files: true,
        client,
        fetch: *fetch,
        zone: arguments.resources.table.zone.clone(),
        ..Sitemap::new(start.clone())
    })))
}
