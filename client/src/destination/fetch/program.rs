//! Patches that a program of the user applies.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use resourcesync::{diagnostic::Reason, fixity::Digester, value::Algorithm};
use resourcesync_sync::{
    destination::{Task, Transferred},
    listed_resource::Patch,
    report::{BytesFrom, Origin},
};

use super::{Copying, Fetcher, digests::WINDOW, sha256};
use crate::cancel::Cancel;

/// A program may take this long.
const LONGEST: Duration = Duration::from_secs(300);
/// Between two looks at it.
const LOOK: Duration = Duration::from_millis(5);

impl Fetcher {
    /// Lets a program apply a patch in staging to a copy of the stored file; the reason if that does not lead to the listed state.
    pub(super) fn patched_by(
        &self,
        program: &str,
        (patch, number, received): (&Patch, u64, u64),
        before: fs::File,
        task: &Task,
    ) -> io::Result<Result<Transferred, Reason>> {
        let (old, mut copy) = self.staging.begin()?;
        let copied = copied(before, &mut copy);
        let (new, file) = self.staging.begin()?;
        drop((copy, file));
        // Some programs replace no file.
        self.staging.discard(new);
        let names = [old, number, new].map(|number| self.staging.path(number));
        let recorded = task.stored.as_ref().map(|stored| &stored.state.sha256);
        let patched = match copied {
            Ok(sha256) if Some(&sha256) == recorded => {
                let most = task.resource.length.unwrap_or(0);
                match run(program, [&names[0], &names[1], &names[2]], most, &self.cancel) {
                    Ok(()) => self.listed(new, patch, received, task),
                    Err(why) => Ok(Err(Reason::other(why))),
                }
            }
            Ok(_) => Ok(Err(Reason::other("the stored file is not what was recorded"))),
            Err(error) => Err(error),
        };
        [old, new].iter().for_each(|number| self.staging.discard(*number));
        patched
    }

    /// What a program has made, if it is listed.
    fn listed(&self, new: u64, patch: &Patch, received: u64, task: &Task) -> io::Result<Result<Transferred, Reason>> {
        let Ok(mut file) = self.staging.read(new) else {
            return Ok(Err(Reason::other("the program made no file")));
        };
        let mut copying = Copying::begin(&task.resource, &self.staging)?;
        let mut window = vec![0; WINDOW];
        loop {
            match file.read(&mut window) {
                Ok(0) => break,
                Ok(length) if copying.push(window.get(..length).unwrap_or_default()) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => break,
            }
        }
        match copying.end(&task.resource, Origin::at(BytesFrom::Patch, &patch.uri), &self.staging)? {
            Some(Transferred::Staged { number, state, mtime, by, from, .. }) => {
                Ok(Ok(Transferred::Staged { number, state, mtime, by, received, from }))
            }
            _ => Ok(Err(Reason::other("its result is not what is listed"))),
        }
    }
}

/// Copies a file; the SHA-256 of the copy.
fn copied(mut from: fs::File, to: &mut fs::File) -> io::Result<String> {
    let mut digester = Digester::new([Algorithm::Sha256]);
    let mut window = vec![0; WINDOW];
    loop {
        match from.read(&mut window) {
            Ok(0) => return Ok(sha256(&digester.finish())),
            Ok(length) => {
                let bytes = window.get(..length).unwrap_or_default();
                digester.push(bytes);
                to.write_all(bytes)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Runs a program with the names of the old file, the patch and the new file, without a shell. It is ended if it takes too long, or writes more than
/// is listed.
fn run(program: &str, files: [&Path; 3], most: u64, cancel: &Cancel) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(files).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |error: io::Error| format!("{program} could not be run: {error}");
    let mut child = command.spawn().map_err(failed)?;
    let begun = Instant::now();
    loop {
        match child.try_wait().map_err(failed)? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("{program} ended with {status}")),
            None => {}
        }
        let is_long = fs::symlink_metadata(files[2]).is_ok_and(|meta| meta.len() > most);
        if cancel.is_cancelled() || is_long || begun.elapsed() > LONGEST {
            end(&mut child);
            return Err(format!(
                "{program} was ended: {}",
                match (is_long, cancel.is_cancelled()) {
                    (true, _) => "it wrote more than is listed".to_owned(),
                    (_, true) => "the run was interrupted".to_owned(),
                    _ => format!("it took more than {} seconds", LONGEST.as_secs()),
                }
            ));
        }
        thread::sleep(LOOK);
    }
}

/// Ends a program that was started here.
fn end(child: &mut Child) {
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}
