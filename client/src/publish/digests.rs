//! Reads a file once: its length and all digests, consistently.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::Path,
    time::UNIX_EPOCH,
};

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions},
};

use crate::{cancel::Cancel, system::reason};
use resourcesync::{
    api::{Digester, plain::Digests},
    publish::Record,
    value::{Algorithm, Datetime, Hashes, Parsed, Value, to_hex},
};

/// Maximum reads of a file that changes while it is read.
const ATTEMPTS: u32 = 3;
const WINDOW: usize = 128 << 10;

/// The length and digests of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fixed {
    pub(crate) length: u64,
    pub(crate) stamp: Stamp,
    /// As in the attribute `hash`; `None` without algorithms.
    pub(crate) hash: Option<String>,
}

/// Receives the bytes of a file while they are read.
pub(crate) trait Take {
    /// The file is read from its start, possibly not for the first time.
    fn start(&mut self) -> io::Result<()>;
    /// The next bytes.
    fn take(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// A file to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) path: &'a Path,
    /// The folder that no link on its way may lead out of.
    pub(crate) within: Option<&'a Path>,
}

impl Place<'_> {
    /// Opens it. Something else than a file, such as a FIFO, is not waited for.
    fn open(self) -> io::Result<File> {
        let below = self.within.and_then(|folder| Some((folder, self.path.strip_prefix(folder).ok()?)));
        let Some((folder, path)) = below else {
            return match std::fs::metadata(self.path)?.is_file() {
                true => File::open(self.path),
                false => Err(io::Error::other("it is not a regular file")),
            };
        };
        let open = |folder: &Path, path: &Path| -> io::Result<File> {
            let options = OpenOptions::new().read(true).nonblock(true).clone();
            Ok(Dir::open_ambient_dir(folder, ambient_authority())?.open_with(path, &options)?.into_std())
        };
        match open(folder, path) {
            // Also links that lead out and back in, such as absolute ones.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let (folder, real) = (folder.canonicalize()?, self.path.canonicalize()?);
                let path = real.strip_prefix(&folder);
                open(&folder, path.map_err(|_| io::Error::other("a symbolic link leads out of the folder"))?)
            }
            opened => opened,
        }
    }
}

/// Reads a file; the error is the reason why it cannot be published.
pub(crate) fn fix(place: Place<'_>, algorithms: &[Algorithm], cancel: &Cancel) -> Result<Fixed, String> {
    fix_into(place, algorithms, cancel, None)
}

/// Reads a file and passes on its bytes. What is passed on last has these digests.
pub(crate) fn fix_into(
    place: Place<'_>,
    algorithms: &[Algorithm],
    cancel: &Cancel,
    mut take: Option<&mut dyn Take>,
) -> Result<Fixed, String> {
    let mut window = vec![0; WINDOW];
    for _ in 0..ATTEMPTS {
        let fixed = once(place, algorithms, &mut window, cancel, &mut take);
        match fixed.map_err(|error| reason(&error).to_string())? {
            Some(fixed) => return Ok(fixed),
            None if cancel.is_cancelled() => return Err("the run was interrupted".to_owned()),
            None => {}
        }
    }
    Err(format!("it changed during each of {ATTEMPTS} attempts to read it"))
}

/// `None` if it changed meanwhile, or the run was interrupted.
fn once(
    place: Place<'_>,
    algorithms: &[Algorithm],
    window: &mut [u8],
    cancel: &Cancel,
    take: &mut Option<&mut dyn Take>,
) -> io::Result<Option<Fixed>> {
    let mut file = place.open()?;
    let before = file.metadata()?;
    let mut length = 0_u64;
    take.as_mut().map_or(Ok(()), |take| take.start())?;
    let hash = if algorithms.is_empty() && take.is_none() {
        length = before.len();
        None
    } else {
        let mut digester = Digester::new(algorithms.iter().cloned());
        loop {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            match file.read(window) {
                Ok(0) => break,
                Ok(read) => {
                    let bytes = window.get(..read).unwrap_or(&[]);
                    digester.push(bytes);
                    length = length.saturating_add(read as u64);
                    take.as_mut().map_or(Ok(()), |take| take.take(bytes))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Some(digester.finish().to_string()).filter(|_| !algorithms.is_empty())
    };
    let after = file.metadata()?;
    let is_same = length == after.len() && before.len() == after.len() && Stamp::of(&before) == Stamp::of(&after);
    Ok(is_same.then(|| Fixed { length, stamp: Stamp::of(&after), hash }))
}

/// The times and identity of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    /// When it was last modified, in nanoseconds since 1970.
    pub(crate) modified: Option<i64>,
    /// When it or its attributes changed.
    pub(crate) changed: Option<i64>,
    /// Its number in the file system.
    pub(crate) inode: Option<u64>,
}

impl Stamp {
    /// Copies the times and identity of a file to its resource.
    pub(crate) fn set(self, record: &mut Record) {
        Stamp { modified: record.modified, changed: record.changed, inode: record.inode } = self;
    }

    #[cfg(unix)]
    pub(crate) fn of(meta: &Metadata) -> Stamp {
        use std::os::unix::fs::MetadataExt;
        let changed =
            meta.ctime().checked_mul(1_000_000_000).and_then(|seconds| seconds.checked_add(meta.ctime_nsec()));
        Stamp { modified: modified(meta), changed, inode: Some(meta.ino()) }
    }

    #[cfg(not(unix))]
    pub(crate) fn of(meta: &Metadata) -> Stamp {
        Stamp { modified: modified(meta), changed: None, inode: None }
    }
}

/// When a file was last modified, in nanoseconds since 1970.
fn modified(meta: &Metadata) -> Option<i64> {
    let at = meta.modified().ok()?;
    match at.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok()?.checked_neg(),
    }
}

/// Nanoseconds since 1970 as a datetime to the second.
pub(super) fn lastmod(modified: i64) -> Option<String> {
    Datetime::from_unix(modified.div_euclid(1_000_000_000), 0).map(|datetime| datetime.to_string())
}

/// Digests in the requested order, then others from the inventory.
pub(super) fn in_order(algorithms: &[Algorithm], given: &Digests, computed: Option<&str>) -> Digests {
    let computed = match computed.map(Hashes::read) {
        Some(Parsed::Exact(hashes)) => hashes,
        _ => Hashes::default(),
    };
    let mut digests = Digests::default();
    for algorithm in algorithms {
        let own = given.get(algorithm.as_str()).map(str::to_owned);
        if let Some(digest) = own.or_else(|| computed.get(algorithm).map(to_hex)) {
            digests.push(algorithm.as_str(), digest);
        }
    }
    for (name, digest) in given.iter().filter(|(name, _)| algorithms.iter().all(|wanted| wanted.as_str() != *name)) {
        digests.push(name, digest);
    }
    digests
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{fs, io::Write};

    use super::*;

    /// Calls a function after each window.
    struct Between<F>(F);

    impl<F: FnMut()> Take for Between<F> {
        fn start(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn take(&mut self, _: &[u8]) -> io::Result<()> {
            (self.0)();
            Ok(())
        }
    }

    #[test]
    fn a_file_that_goes_on_changing_is_refused() {
        let path = std::env::temp_dir().join(format!("resourcesync-digests-{}", std::process::id()));
        fs::write(&path, vec![7; 2 * WINDOW]).unwrap();
        let place = Place { path: &path, within: None };
        let fixed = fix(place, &[Algorithm::Md5], &Cancel::default()).unwrap();
        assert_eq!(fixed.length, 2 * WINDOW as u64);
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        // Each read takes three windows; the file grows after the first.
        let mut windows = 0;
        let mut between = Between(|| {
            windows += 1;
            if windows % 3 == 1 {
                file.write_all(b"more").unwrap();
            }
        });
        let refused = fix_into(place, &[Algorithm::Sha256], &Cancel::default(), Some(&mut between));
        assert!(refused.unwrap_err().contains("it changed"));
        assert_eq!(windows, 3 * ATTEMPTS);
        fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, link) = (folder.path().join("files"), folder.path().join("files/b"));
        fs::create_dir(&inside).unwrap();
        fs::write(inside.join("a"), "a").unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        let length = |within| {
            let place = Place { path: &link, within };
            fix(place, &[Algorithm::Sha256], &Cancel::default()).map(|fixed| fixed.length)
        };
        let absolute = inside.join("a");
        let absolute = absolute.to_str().unwrap();
        for (target, is_inside) in
            [("a", true), ("../secret", false), ("../files/a", true), (absolute, true), ("/etc/passwd", false)]
        {
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(target, &link).unwrap();
            assert_eq!(length(Some(&inside)).is_ok(), is_inside, "{target}");
            assert!(length(None).is_ok(), "{target}");
        }
    }
}
