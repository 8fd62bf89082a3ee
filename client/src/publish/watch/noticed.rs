//! Notices where something changes in a folder.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use notify::{
    EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode, ModifyKind},
};
use resourcesync::value::Datetime;

use crate::publish::moment::event_moment;

/// Paths that are remembered; with more of them the whole folder is compared.
const PATHS: usize = 100_000;

/// Paths below the folder, each with the time at which a change was noticed.
pub(super) type Paths = BTreeMap<PathBuf, Datetime>;

/// The changes of a folder since they were taken.
pub(super) struct Noticed {
    /// It watches as long as this value exists.
    _watcher: RecommendedWatcher,
    shared: Arc<Shared>,
    /// What tells the watched folder from another one of the same path.
    identity: Option<(u64, u64)>,
}

/// What the thread of the watcher leaves.
#[derive(Default)]
struct Shared {
    changes: Mutex<Changes>,
    news: Condvar,
}

#[derive(Default)]
struct Changes {
    paths: Paths,
    is_new: bool,
    is_lost: bool,
}

/// What was noticed since the last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct News {
    /// There are further paths.
    pub(super) is_changed: bool,
    /// Changes were lost.
    pub(super) is_lost: bool,
}

/// Which paths count.
pub(super) struct Filter {
    pub(super) folder: PathBuf,
    /// Private folders.
    pub(super) own: Vec<PathBuf>,
    pub(super) hidden: bool,
}

impl Noticed {
    /// Begins to watch.
    pub(super) fn begin(filter: Filter) -> Result<Noticed, notify::Error> {
        let shared = Arc::new(Shared::default());
        let (folder, taking) = (filter.folder.clone(), Arc::clone(&shared));
        // A link to a folder is no part of this one; watched, it would take the place of the folder that it leads to.
        let own = notify::Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(move |event| taking.notice(event, &filter), own)?;
        // Before it is watched: one that takes its place meanwhile is another one.
        let identity = identity(&folder);
        watcher.watch(&folder, RecursiveMode::Recursive)?;
        Ok(Noticed { _watcher: watcher, shared, identity })
    }

    /// True if a path no longer leads to the watched folder: a link was changed, or a folder above it replaced.
    pub(super) fn is_replaced(&self, folder: &Path) -> bool {
        self.identity.is_some() && identity(folder) != self.identity
    }

    /// Waits for further changes.
    pub(super) fn wait(&self, time: Duration) -> News {
        let changes = self.shared.lock();
        let waited = self.shared.news.wait_timeout_while(changes, time, |changes| !changes.is_new && !changes.is_lost);
        let (mut changes, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let news = News { is_changed: changes.is_new, is_lost: changes.is_lost };
        (changes.is_new, changes.is_lost) = (false, false);
        news
    }

    /// Takes the paths.
    pub(super) fn take(&self) -> Paths {
        let mut changes = self.shared.lock();
        changes.is_new = false;
        std::mem::take(&mut changes.paths)
    }
}

/// The device and the number of a folder, where there are such.
#[cfg(unix)]
fn identity(folder: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).ok().map(|meta| (meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notice(&self, event: notify::Result<notify::Event>, filter: &Filter) {
        let mut changes = self.lock();
        match event {
            Ok(event) if !event.need_rescan() => {
                for path in event.paths.iter().filter(|path| filter.counts(event.kind, path)) {
                    changes.add(path.strip_prefix(&filter.folder).unwrap_or(path));
                }
            }
            Ok(_) | Err(_) => changes.is_lost = true,
        }
        if changes.is_new || changes.is_lost {
            self.news.notify_all();
        }
    }
}

impl Changes {
    fn add(&mut self, path: &Path) {
        let Ok(now) = event_moment() else { return };
        self.is_new = true;
        // The folder itself was moved or removed, or there is too much to remember.
        if path.as_os_str().is_empty() || self.paths.len() >= PATHS {
            self.paths.clear();
            self.is_lost = true;
            return;
        }
        self.paths.insert(path.to_owned(), now);
    }
}

impl Filter {
    fn counts(&self, kind: EventKind, path: &Path) -> bool {
        let is_change = match kind {
            // What is read for a publication is no change.
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            // The contents of a folder do not depend on its permissions.
            EventKind::Modify(ModifyKind::Metadata(_)) => !path.is_dir(),
            _ => true,
        };
        let Ok(relative) = path.strip_prefix(&self.folder) else { return false };
        let is_hidden = || relative.iter().any(|name| name.as_encoded_bytes().starts_with(b"."));
        is_change && !self.own.iter().any(|own| path.starts_with(own)) && (self.hidden || !is_hidden())
    }
}

/// The paths without those below another one, whose folder is read anyway.
pub(super) fn outermost(paths: &Paths) -> Vec<(PathBuf, Datetime)> {
    let is_outermost = |path: &Path| path.ancestors().skip(1).all(|above| !paths.contains_key(above));
    let own = paths.iter().filter(|(path, _)| is_outermost(path));
    own.map(|(path, at)| (path.clone(), at.clone())).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use notify::event::CreateKind;

    use super::*;

    #[test]
    fn what_is_no_change_of_a_resource_does_not_count() {
        let filter = Filter {
            folder: "/files".into(),
            own: vec!["/files/public".into(), "/files/public.resourcesync".into()],
            hidden: false,
        };
        let counts = |kind, path: &str| filter.counts(kind, Path::new(path));
        let created = EventKind::Create(CreateKind::File);
        assert!(counts(created, "/files/a") && counts(created, "/files/public2") && counts(created, "/files"));
        assert!(
            !counts(created, "/files/public/resourcelist.xml") && !counts(created, "/files/public.resourcesync/lock")
        );
        assert!(!counts(created, "/files/.git/index") && !counts(created, "/other"));
        assert!(counts(EventKind::Access(AccessKind::Close(AccessMode::Write)), "/files/a"));
        assert!(!counts(EventKind::Access(AccessKind::Close(AccessMode::Read)), "/files/a"));
    }

    #[test]
    fn a_folder_covers_what_is_below_it() {
        let at = event_moment().unwrap();
        let paths: Paths = ["a", "a/b", "a/b/c", "ab", "c/d"].map(|path| (PathBuf::from(path), at.clone())).into();
        let left: Vec<PathBuf> = outermost(&paths).into_iter().map(|(path, _)| path).collect();
        assert_eq!(left, ["a", "ab", "c/d"].map(PathBuf::from));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_to_a_folder_does_not_take_its_place() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().canonicalize().unwrap();
        let names: Vec<String> = (0..8).map(|at| format!("y{at}")).collect();
        for (at, name) in names.iter().enumerate() {
            std::fs::create_dir(folder.join(name)).unwrap();
            std::os::unix::fs::symlink(name, folder.join(format!("latest{at}"))).unwrap();
        }
        let noticed = Noticed::begin(Filter { folder: folder.clone(), own: Vec::new(), hidden: false }).unwrap();
        for name in &names {
            std::fs::write(folder.join(name).join("a"), "1").unwrap();
        }
        let wanted: Vec<PathBuf> = names.iter().map(|name| Path::new(name).join("a")).collect();
        let mut seen = std::collections::BTreeSet::new();
        while seen.len() < wanted.len() {
            assert!(noticed.wait(Duration::from_secs(20)).is_changed, "{seen:?}");
            seen.extend(noticed.take().into_keys());
        }
        assert!(seen.iter().eq(&wanted), "{seen:?}");
    }
}
