//! The journal next to a published folder: any number of processes append events, and the next publication takes them.
//!
//! An append is one write, under a lock that only appends and the renaming of the journal take. A publication renames the journal, publishes
//! its events, records its identifier in the state, and removes it. If it is killed, the next one begins with the renamed journal; unless the
//! state has its identifier, its events were not published.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use resourcesync::publish::{Event, JOURNAL, Journal as Contents, TAKEN};

use super::{Error, grouped::unwritten, moment::event_moment, state_files::damaged};
use crate::{folder::Generations, system::reason};

/// The file that is locked during an append.
const LOCK: &str = "journal.lock";

/// Bytes of the first line at most.
const START: u64 = 128;

/// The journal of a published folder.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
}

/// The journal that a publication takes.
pub(crate) struct Taken {
    pub(crate) contents: Contents,
    path: PathBuf,
}

impl Journal {
    /// The journal of a folder, which need not be published yet.
    ///
    /// # Errors
    ///
    /// If there is something else in the folder.
    pub fn of(out: &Path) -> Result<Journal, Error> {
        Ok(Journal { folder: Generations::state_folder(out)? })
    }

    /// Appends events in one write; an event without a time happened now. Afterwards they are part of the next publication, even if this
    /// process is killed.
    ///
    /// # Errors
    ///
    /// If they cannot be written: then none of them is.
    pub fn append(&self, mut events: Vec<Event>) -> Result<(), Error> {
        if events.is_empty() {
            return Ok(());
        }
        let path = self.folder.join(JOURNAL);
        let mut append = || -> io::Result<()> {
            fs::create_dir_all(&self.folder)?;
            let _lock = self.lock()?;
            let now = event_moment().map_err(io::Error::other)?;
            for event in &mut events {
                event.datetime.get_or_insert_with(|| now.clone());
            }
            let mut file = OpenOptions::new().create(true).read(true).append(true).open(&path)?;
            let (start, length) = prepare(&mut file)?;
            let text = start + &Contents::line(&events)?;
            let written = file.write_all(text.as_bytes());
            if written.is_err() {
                // A line that was cut does not count either.
                let _ = file.set_len(length);
            }
            written
        };
        append().map_err(|error| unwritten(&path, &error))
    }

    /// True if events wait for a publication.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        [JOURNAL, TAKEN].iter().any(|name| self.folder.join(name).exists())
    }

    fn lock(&self) -> io::Result<File> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(self.folder.join(LOCK))?;
        file.lock()?;
        Ok(file)
    }

    /// Takes the journal that a killed run had taken, unless that is the one that was published last, or else the present one. The caller
    /// has the lock of the folder.
    pub(crate) fn take(
        &self,
        published: impl FnOnce() -> Result<Option<String>, Error>,
    ) -> Result<Option<Taken>, Error> {
        let path = self.folder.join(TAKEN);
        if let Some(taken) = self.read(&path)? {
            if published()?.as_ref() != Some(&taken.contents.id) {
                return Ok(Some(taken));
            }
            taken.remove()?;
        }
        let open = self.folder.join(JOURNAL);
        if !open.exists() {
            return Ok(None);
        }
        let take = || -> io::Result<()> {
            let _lock = self.lock()?;
            File::open(&open)?.sync_all()?;
            fs::rename(&open, &path)?;
            // INVARIANT: what is published is never appended to again.
            if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
        };
        take().map_err(|error| unwritten(&open, &error))?;
        self.read(&path)
    }

    fn read(&self, path: &Path) -> Result<Option<Taken>, Error> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| damaged(path, &reason(&error).to_string()))?,
        };
        if Contents::id(&bytes).is_none() {
            // Its first line and its first events are one write, which was cut.
            fs::remove_file(path).map_err(|error| unwritten(path, &error))?;
            return Ok(None);
        }
        let contents = Contents::parse(&bytes).map_err(|why| damaged(path, &why))?;
        Ok(Some(Taken { contents, path: path.to_owned() }))
    }
}

impl Taken {
    /// Removes it, since its events are published.
    pub(crate) fn remove(self) -> Result<(), Error> {
        fs::remove_file(&self.path).map_err(|error| unwritten(&self.path, &error))
    }
}

/// What precedes the next line of a journal, and its length.
fn prepare(file: &mut File) -> io::Result<(String, u64)> {
    let length = file.metadata()?.len();
    let mut start = Vec::new();
    Read::by_ref(file).take(START).read_to_end(&mut start)?;
    if Contents::id(&start).is_none() {
        file.set_len(0)?;
        return Ok((Contents::start(&identifier()), 0));
    }
    let mut last = [b'\n'];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    // A process that was killed may have left a part of a line.
    Ok((if last == [b'\n'] { String::new() } else { "\n".to_owned() }, length))
}

/// An identifier that no other journal of this folder has.
fn identifier() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", since.as_nanos(), std::process::id())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::thread;

    use resourcesync::publish::{EventVerb, Record};

    use super::*;

    fn event(uri: &str) -> Event {
        Event { verb: EventVerb::Upsert, datetime: None, record: Record { uri: uri.to_owned(), ..Record::default() } }
    }

    fn uris(taken: Option<Taken>) -> Vec<String> {
        taken.unwrap().contents.events.into_iter().map(|event| event.record.uri).collect()
    }

    #[test]
    fn events_of_many_threads_are_each_taken_once() {
        let temporary = tempfile::tempdir().unwrap();
        let journal = Journal::of(&temporary.path().join("public")).unwrap();
        assert!(!journal.is_pending() && journal.take(|| Ok(None)).unwrap().is_none());
        let mut found = Vec::new();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|worker| {
                    let journal = journal.clone();
                    let append = move |number| journal.append(vec![event(&format!("{worker}-{number:03}"))]).unwrap();
                    scope.spawn(move || (0..100).for_each(append))
                })
                .collect();
            let mut take = || {
                let Some(taken) = journal.take(|| Ok(None)).unwrap() else { return };
                found.extend(taken.contents.events.iter().map(|event| event.record.uri.clone()));
                taken.remove().unwrap();
            };
            while workers.iter().any(|worker| !worker.is_finished()) {
                take();
            }
            take();
        });
        for worker in 0..4 {
            let own: Vec<&String> = found.iter().filter(|uri| uri.starts_with(&format!("{worker}-"))).collect();
            assert!(own.len() == 100 && own.is_sorted(), "{own:?}");
        }
    }

    #[test]
    fn a_journal_that_was_taken_comes_first_unless_it_was_published() {
        let temporary = tempfile::tempdir().unwrap();
        let journal = Journal::of(&temporary.path().join("public")).unwrap();
        journal.append(vec![event("a"), event("b")]).unwrap();
        let id = journal.take(|| Ok(None)).unwrap().unwrap().contents.id;
        journal.append(vec![event("c")]).unwrap();
        assert_eq!(uris(journal.take(|| Ok(None)).unwrap()), ["a", "b"]);
        assert_eq!(uris(journal.take(|| Ok(Some(id))).unwrap()), ["c"]);
    }

    #[test]
    fn what_a_killed_process_left_of_an_append_does_not_count() {
        let temporary = tempfile::tempdir().unwrap();
        let journal = Journal::of(&temporary.path().join("public")).unwrap();
        let path = journal.folder.join(JOURNAL);
        fs::create_dir_all(&journal.folder).unwrap();
        fs::write(&path, "resourcesync-jou").unwrap();
        journal.append(vec![event("a")]).unwrap();
        let whole = fs::read(&path).unwrap();
        let torn = Contents::line(&[event("x")]).unwrap();
        fs::write(&path, [&whole, &torn.as_bytes()[..torn.len() - 9]].concat()).unwrap();
        journal.append(vec![event("b")]).unwrap();
        assert_eq!(uris(journal.take(|| Ok(None)).unwrap()), ["a", "b"]);
        let mut damaged = whole;
        *damaged.last_chunk_mut::<9>().unwrap().first_mut().unwrap() ^= 1;
        fs::write(journal.folder.join(TAKEN), damaged).unwrap();
        assert!(matches!(journal.take(|| Ok(None)), Err(Error::Damaged { .. })));
    }
}
