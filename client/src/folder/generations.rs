//! Generations of a published folder: each is built next to it, and replaces the previous one in a single step.
//!
//! Next to the output `public` is `public.resourcesync`, which is never published:
//!
//! | name | content |
//! | --- | --- |
//! | `lock` | held by the current run, with the number of its process |
//! | `journal`, `journal.taken`, `journal.lock` | events that wait for a publication |
//! | `lock.pid` | the number of the process of a run of the npm package |
//! | `published` | the generation that was published last, to see that the published folder was not lost |
//! | `harvest/` | the records of an OAI-PMH repository that is published |
//! | `next/` | the generation being built: `public/`, `state.json`, `inventory.jsonl` |
//! | `7/` | the state of generation 7; `7/public/` is that generation until it is published, then the one it replaced |
//!
//! The published folder names its generation in `.generation`. A run that was killed leaves at most folders that are not named there; the
//! next run removes them.

mod next;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use self::next::{Current, Next};
use resourcesync::publish::{CHANGES, INDEX, INVENTORY, LOG, STATE};

use resourcesync_notify::publication::PAYLOADS;

use super::{FolderError, carry::walk, lock::Lock};

const MARK: &str = ".generation";
/// The generation being built.
const NEXT: &str = "next";
/// The generation that was published last.
const PUBLISHED: &str = "published";
/// The records of a repository that is published.
pub(crate) const HARVEST: &str = "harvest";

/// A published folder with its generations, locked.
#[derive(Debug)]
pub struct Generations {
    out: PathBuf,
    state_folder: PathBuf,
    /// The published generation; 0 if there is none.
    current: u64,
    /// Number of generations kept in addition to the published one.
    keep: u64,
    _lock: Lock,
}

impl Generations {
    /// Locks the folder, and removes the remains of a killed run.
    ///
    /// # Errors
    ///
    /// If another run has the lock, the folder is not empty and was not published here, or an operation fails.
    pub fn open(out: &Path, keep: u64) -> Result<Generations, FolderError> {
        let generations = Generations::open_unchecked(out, keep)?;
        let Generations { out, state_folder, current, .. } = &generations;
        let (out, current, state) = (out.clone(), *current, state_folder.clone());
        let last = last(state_folder);
        if current == 0 && last > 0 {
            return Err(FolderError::PublishedMissing { out, generation: last, state });
        }
        if current > 0 && !generations.known(current).join("state.json").is_file() {
            return Err(FolderError::StateMissing { out, generation: current, state });
        }
        generations.clear(current)?;
        Ok(generations)
    }

    /// Locks the folder regardless of its state, and removes nothing.
    ///
    /// # Errors
    ///
    /// As [`Generations::open`], except for missing parts.
    pub fn open_unchecked(out: &Path, keep: u64) -> Result<Generations, FolderError> {
        let (out, state_folder) = places(out)?;
        // Nothing is created for a rejected folder.
        generation(&out)?;
        fs::create_dir_all(&state_folder).map_err(|error| FolderError::io("the folder", &state_folder, error))?;
        let lock = Lock::take_shared(&state_folder)?;
        resume(&out, &state_folder).map_err(|error| FolderError::io("the folder", &out, error))?;
        let current = generation(&out)?;
        Ok(Generations { out, state_folder, current, keep, _lock: lock })
    }

    /// Sets the number of generations that are kept in addition to the published one.
    pub fn set_keep(&mut self, keep: u64) {
        self.keep = keep;
    }

    /// Removes the generations that are not kept, which the publication of a new one does itself.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn remove_others(&self) -> Result<(), FolderError> {
        self.clear(self.current)
    }

    /// Continues with the generation that was published while this value has the lock.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn refresh(&mut self) -> Result<(), FolderError> {
        self.current = generation(&self.out)?;
        self.remove_others()
    }

    /// True if a folder was published here.
    ///
    /// # Errors
    ///
    /// If it is not empty and was not published here, or an operation fails.
    pub fn is_published(out: &Path) -> Result<bool, FolderError> {
        let (out, _) = places(out)?;
        Ok(generation(&out)? > 0)
    }

    /// The folder with the state of what is published, without a lock.
    ///
    /// # Errors
    ///
    /// As [`Generations::is_published`].
    pub fn published_state(out: &Path) -> Result<Option<PathBuf>, FolderError> {
        let (out, state_folder) = places(out)?;
        let current = generation(&out)?;
        Ok((current > 0).then(|| state_folder.join(current.to_string())))
    }

    /// The folder next to a published one, which need not exist yet.
    ///
    /// # Errors
    ///
    /// As [`Generations::is_published`].
    pub fn state_folder(out: &Path) -> Result<PathBuf, FolderError> {
        let (out, state_folder) = places(out)?;
        generation(&out).map(|_| state_folder)
    }

    /// The path of a file next to the published folder that does not belong to a generation.
    #[must_use]
    pub fn state(&self, name: &str) -> PathBuf {
        self.state_folder.join(name)
    }

    /// Removes all generations except the current one and those kept.
    fn clear(&self, current: u64) -> Result<(), FolderError> {
        let cleared = || -> io::Result<()> {
            for entry in fs::read_dir(&self.state_folder)? {
                let entry = entry?;
                if !entry.file_type()?.is_dir() {
                    // Left by a run that was killed while it wrote the number.
                    if entry.file_name().to_string_lossy().starts_with(".published.") {
                        fs::remove_file(entry.path())?;
                    }
                    continue;
                }
                if entry.file_name() == HARVEST {
                    continue;
                }
                let number: Option<u64> = entry.file_name().to_str().and_then(|name| name.parse().ok());
                let age = number.and_then(|number| current.checked_sub(number));
                match age.filter(|_| number > Some(0)) {
                    // The folder of a generation contains the replaced one, unless the published folder is a link to
                    // it.
                    Some(0) if self.keep == 0 && !self.is_linked() => remove(&entry.path().join("public"))?,
                    Some(age) if age <= self.keep => {}
                    Some(0) => {}
                    _ if is_generation(&entry.path()) => remove(&entry.path())?,
                    // It was not made here.
                    _ => {}
                }
            }
            Ok(())
        };
        cleared().map_err(|error| {
            FolderError::io("what an earlier run left could not be removed from", &self.state_folder, error)
        })
    }

    /// True if the published folder is a link.
    fn is_linked(&self) -> bool {
        fs::symlink_metadata(&self.out).is_ok_and(|meta| meta.is_symlink())
    }

    /// The folder with the state of a generation.
    fn known(&self, generation: u64) -> PathBuf {
        self.state_folder.join(generation.to_string())
    }

    /// The published folder and the one next to it, as far as they exist.
    #[must_use]
    pub fn own(&self) -> Vec<PathBuf> {
        [&self.out, &self.state_folder].into_iter().filter_map(|path| fs::canonicalize(path).ok()).collect()
    }

    /// Creates the folder of the next generation, for a caller that starts it later. It is removed when the folder is opened again.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn prepare(&self) -> Result<PathBuf, FolderError> {
        let folder = self.state_folder.join(NEXT);
        let public = folder.join("public");
        fs::create_dir_all(&public).map_err(|error| FolderError::io("the folder", &public, error))?;
        Ok(folder)
    }
}

/// Removes the files created for a folder that was not published in the end.
impl Drop for Generations {
    fn drop(&mut self) {
        if self.current == 0 && fs::read_dir(&self.state_folder).is_ok_and(|entries| entries.count() == 1) {
            let _ = fs::remove_file(self.state_folder.join("lock"));
            let _ = fs::remove_dir(&self.state_folder);
        }
    }
}

/// The files of which each state folder has at least one.
const STATE_FILES: [&str; 5] = ["journal.lock", "lock", "lock.pid", "published", "state.sqlite"];

/// True for the folder with the state of a published folder, whichever face of this project published it, or of a copy.
#[must_use]
pub fn is_state_folder(path: &Path) -> bool {
    let is_named = path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(b".resourcesync"));
    is_named && STATE_FILES.iter().any(|name| path.join(name).is_file())
}

/// The generation that was published last; 0 if unknown.
fn last(state_folder: &Path) -> u64 {
    let text = fs::read_to_string(state_folder.join(PUBLISHED)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// Puts a folder back that a killed run of the npm package had moved next to its state, to replace it with a link.
#[cfg(unix)]
fn resume(out: &Path, state_folder: &Path) -> io::Result<()> {
    let (last, name) = (last(state_folder), state_folder.file_name().unwrap_or_default());
    let moved = Path::new(name).join(last.to_string()).join("public");
    let mark = || fs::read_to_string(state_folder.with_file_name(&moved).join(MARK)).unwrap_or_default();
    let link = state_folder.join("link");
    let is_moved = fs::symlink_metadata(out).is_err() && fs::symlink_metadata(&link).is_ok();
    if !is_moved || mark().trim() != last.to_string() {
        return Ok(());
    }
    std::os::unix::fs::symlink(moved, out)?;
    fs::remove_file(link)
}

#[cfg(not(unix))]
fn resume(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The published folder, and the one next to it with its state.
fn places(out: &Path) -> Result<(PathBuf, PathBuf), FolderError> {
    let real = real(out).map_err(|error| FolderError::io("the folder", out, error))?;
    let out = real.as_path();
    let name = out.file_name().ok_or_else(|| FolderError::NoName(out.to_owned()))?;
    let parent = match out.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let parent = fs::canonicalize(parent).map_err(|error| FolderError::io("the folder above", parent, error))?;
    let (out, mut state_folder) = (parent.join(name), name.to_owned());
    state_folder.push(".resourcesync");
    let state_folder = parent.join(state_folder);
    Ok((out, state_folder))
}

/// The target of a link that was not created here; any other path unchanged.
fn real(out: &Path) -> io::Result<PathBuf> {
    let mut own = out.file_name().unwrap_or_default().to_owned();
    own.push(".resourcesync");
    match fs::read_link(out) {
        Ok(target) if !target.starts_with(&own) => fs::canonicalize(out),
        _ => Ok(out.to_owned()),
    }
}

/// True for a folder that has, as far as its removal was not interrupted, what a generation has.
fn is_generation(folder: &Path) -> bool {
    let parts = ["public", STATE, INVENTORY, INDEX, CHANGES, LOG, PAYLOADS, "bitstreams"];
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut names| names.next().is_none());
    [NEXT, "replaced", "one", "other"].contains(&name)
        || name.parse::<u64>().is_ok() && (parts.iter().any(|part| folder.join(part).exists()) || is_empty())
}

/// Removes a generation, unless something is mounted in it.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        walk(folder, &mut |_, _| Ok(()))?;
    }
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // Its folders have the permissions of those that were published, which may be read-only.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            walk(folder, &mut |path, is_folder| if is_folder { unlock(&folder.join(path)) } else { Ok(()) })?;
            unlock(folder)?;
            fs::remove_dir_all(folder)
        }
        outcome => outcome,
    }
}

/// Lets the owner of a folder remove what is in it.
fn unlock(folder: &Path) -> io::Result<()> {
    let mut permissions = fs::symlink_metadata(folder)?.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        permissions.set_mode(permissions.mode() | 0o700);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    fs::set_permissions(folder, permissions)
}

/// The generation in the marker file of a folder; 0 if there is none yet.
fn generation(out: &Path) -> Result<u64, FolderError> {
    let mark = out.join(MARK);
    match fs::read_to_string(&mark) {
        Ok(text) => text.trim().parse().map_err(|_| FolderError::Mark(mark)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_dir(out).map(Iterator::count) {
            Ok(1..) => Err(FolderError::NotOurs(out.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FolderError::io("the folder", out, error)),
            _ => Ok(0),
        },
        Err(error) => Err(FolderError::io("the folder", out, error)),
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn bench(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("resourcesync-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn publish(out: &Path, text: &str, keep: u64) {
        let generations = Generations::open(out, keep).unwrap();
        let next = generations.begin().unwrap();
        fs::write(next.public().join("a"), text).unwrap();
        fs::write(next.folder.join("state.json"), text).unwrap();
        next.publish().unwrap();
    }

    #[test]
    fn generations_take_each_others_place_and_nothing_is_left_behind() {
        let folder = bench("generations");
        let out = folder.join("public");
        for text in ["one", "two", "three"] {
            publish(&out, text, 0);
            assert_eq!(fs::read_to_string(out.join("a")).unwrap(), text);
        }
        let generations = Generations::open(&out, 0).unwrap();
        let known = generations.current().unwrap().known;
        assert!(known.ends_with("3") && !known.join("public").exists());
        assert_eq!(
            fs::read_dir(known.parent().unwrap()).unwrap().count(),
            3,
            "the lock, the number and one generation"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_not_published_leaves_the_old_generation_and_is_cleared_away() {
        let folder = bench("killed");
        let out = folder.join("public");
        publish(&out, "one", 0);
        let state_folder = folder.join("public.resourcesync");
        // Killed while it was built, and between recording it and exchanging the folders.
        fs::create_dir_all(state_folder.join("next/public")).unwrap();
        fs::create_dir_all(state_folder.join("2/public")).unwrap();
        let generations = Generations::open(&out, 0).unwrap();
        assert_eq!(generations.current, 1);
        assert!(!state_folder.join("next").exists() && !state_folder.join("2").exists());
        drop(generations);
        publish(&out, "two", 0);
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "two");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn generations_that_are_kept_stay() {
        let folder = bench("kept");
        let out = folder.join("public");
        for text in ["one", "two", "three", "four"] {
            publish(&out, text, 1);
        }
        let state_folder = folder.join("public.resourcesync");
        assert_eq!(fs::read_to_string(state_folder.join("4/public/a")).unwrap(), "three");
        assert!(state_folder.join("3").exists() && !state_folder.join("2").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_read_only_folder_is_unlocked_for_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = bench("read-only");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        unlock(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o7777, 0o755);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_link_takes_the_place_where_folders_cannot_be_exchanged() {
        let folder = bench("linked");
        let out = folder.join("public");
        fs::create_dir_all(folder.join("public.resourcesync/1/public")).unwrap();
        fs::write(folder.join("public.resourcesync/1/public/.generation"), "1").unwrap();
        fs::write(folder.join("public.resourcesync/1/state.json"), "").unwrap();
        std::os::unix::fs::symlink("public.resourcesync/1/public", &out).unwrap();
        for text in ["two", "three"] {
            publish(&out, text, 0);
            assert_eq!(fs::read_to_string(out.join("a")).unwrap(), text);
        }
        assert!(out.is_symlink() && !folder.join("public.resourcesync/2").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_a_killed_run_of_the_npm_package_moved_away_is_put_back() {
        let folder = bench("moved");
        let out = folder.join("public");
        publish(&out, "one", 0);
        publish(&out, "two", 0);
        fs::rename(&out, folder.join("public.resourcesync/2/public")).unwrap();
        assert!(matches!(Generations::open(&out, 0), Err(FolderError::PublishedMissing { generation: 2, .. })));
        std::os::unix::fs::symlink("public.resourcesync/3/public", folder.join("public.resourcesync/link")).unwrap();
        publish(&out, "three", 0);
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "three");
        assert!(out.is_symlink() && !folder.join("public.resourcesync/2").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_link_of_others_stays_and_what_it_leads_to_is_published() {
        let folder = bench("others-link");
        fs::create_dir_all(folder.join("disk/real")).unwrap();
        let out = folder.join("public");
        std::os::unix::fs::symlink("disk/real", &out).unwrap();
        for text in ["one", "two"] {
            publish(&out, text, 0);
            assert_eq!(fs::read_to_string(folder.join("disk/real/a")).unwrap(), text);
        }
        assert_eq!(fs::read_link(&out).unwrap(), Path::new("disk/real"));
        assert!(folder.join("disk/real.resourcesync").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn files_of_others_are_carried_over_and_never_replaced() {
        let folder = bench("carried");
        let out = folder.join("public");
        publish(&out, "one", 0);
        fs::create_dir_all(out.join(".well-known/empty")).unwrap();
        fs::write(out.join(".well-known/acme"), "token").unwrap();
        std::os::unix::fs::symlink("a", out.join("link")).unwrap();
        let next = |name: &str| {
            let generations = Generations::open(&out, 0).unwrap();
            let mut next = generations.begin().unwrap();
            fs::write(next.public().join(name), "next").unwrap();
            fs::write(next.folder.join("state.json"), "").unwrap();
            next.carry_over(["a".to_owned()]);
            next.publish().map(drop)
        };
        next("a").unwrap();
        assert_eq!(fs::read_to_string(out.join(".well-known/acme")).unwrap(), "token");
        assert!(out.join(".well-known/empty").is_dir());
        assert_eq!(fs::read_to_string(out.join("link")).unwrap(), "next");
        let clash = next("link").unwrap_err();
        assert!(clash.to_string().contains("public/link was not published here"), "{clash}");
        assert!(out.join("a").is_file());
        next("b").unwrap();
        assert!(!out.join("a").exists() && out.join(".well-known/acme").is_file());
        fs::remove_dir_all(&out).unwrap();
        assert!(matches!(Generations::open(&out, 0), Err(FolderError::PublishedMissing { generation: 3, .. })));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_happens_to_files_of_others_until_the_exchange_is_repeated_after_it() {
        let folder = bench("late");
        let (old, new) = (folder.join("old"), folder.join("new"));
        for place in [&old, &new] {
            fs::create_dir_all(place.join("deep")).unwrap();
        }
        for name in ["same", "deep/saved", "removed"] {
            fs::write(old.join(name), "first").unwrap();
        }
        fs::write(old.join("own"), "old").unwrap();
        fs::write(new.join("own"), "new").unwrap();
        let is_own = |name: &str| name == "own";
        let carried = super::super::carry::carry_over(&old, &new, &is_own).unwrap();
        // As editors save.
        fs::write(old.join("other"), "second").unwrap();
        fs::rename(old.join("other"), old.join("deep/saved")).unwrap();
        fs::remove_file(old.join("removed")).unwrap();
        fs::write(old.join("added"), "added").unwrap();
        super::super::carry::carry_late(&old, &new, &carried, &is_own);
        let read = |name: &str| fs::read_to_string(new.join(name)).unwrap_or_default();
        let found = ["same", "deep/saved", "removed", "added", "own"].map(read);
        assert_eq!(found, ["first", "second", "", "added", "new"]);
        assert_eq!(fs::read_dir(new.join("deep")).unwrap().count(), 1);
        fs::remove_dir_all(&old).unwrap();
        super::super::carry::carry_late(&old, &new, &carried, &is_own);
        assert_eq!(["same", "deep/saved"].map(read), ["first", "second"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_state_is_replaced_where_the_published_folder_is_a_link() {
        let folder = bench("replaced");
        let out = folder.join("public");
        let own = folder.join("public.resourcesync/1");
        fs::create_dir_all(own.join("public")).unwrap();
        for (name, text) in [("public/.generation", "1"), ("public/a", "one"), ("state.json", "old"), ("left", "over")]
        {
            fs::write(own.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("public.resourcesync/1/public", &out).unwrap();
        let generations = Generations::open(&out, 0).unwrap();
        let next = generations.begin().unwrap();
        for name in ["state.json", "inventory.jsonl"] {
            fs::write(next.folder.join(name), "new").unwrap();
        }
        generations.replace_state(next).unwrap();
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "one");
        for name in ["state.json", "inventory.jsonl"] {
            assert_eq!(fs::read_to_string(own.join(name)).unwrap(), "new");
        }
        assert!(!own.join("left").exists() && !folder.join("public.resourcesync/next").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_of_others_beside_it_stay() {
        let folder = bench("beside");
        let out = folder.join("public");
        for name in ["mine", "2019"] {
            fs::create_dir_all(folder.join("public.resourcesync").join(name)).unwrap();
            fs::write(folder.join("public.resourcesync").join(name).join("x"), name).unwrap();
        }
        publish(&out, "one", 0);
        publish(&out, "two", 0);
        for name in ["mine", "2019"] {
            assert_eq!(fs::read_to_string(folder.join("public.resourcesync").join(name).join("x")).unwrap(), name);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_of_others_is_refused() {
        let folder = bench("others");
        let out = folder.join("public");
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("index.html"), "").unwrap();
        assert!(matches!(Generations::open(&out, 0), Err(FolderError::NotOurs(_))));
        assert!(!folder.join("public.resourcesync").exists());
        fs::remove_file(out.join("index.html")).unwrap();
        publish(&out, "one", 0);
        assert!(Generations::open(&folder.join("no/such/public"), 0).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
