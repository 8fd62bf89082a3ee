//! The contents of a package, read by this project and by the crate `zip`, two independent implementations.

use std::{
    collections::BTreeMap,
    io::{Cursor, Read},
};

use resourcesync::{
    api::{InputOrigin, Options, Verification},
    diagnostic::{Reason, ReasonCode},
};
use zip::ZipArchive;

/// Names and contents of all members except folders.
type Members = BTreeMap<String, Vec<u8>>;

/// The contents according to the crate `zip`.
///
/// # Errors
///
/// If it rejects the archive or a member.
pub fn members_by_zip(bytes: &[u8]) -> Result<Members, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let mut members = Members::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).map_err(|error| format!("member {index}: {error}"))?;
        if !file.is_dir() {
            let mut content = Vec::new();
            file.read_to_end(&mut content).map_err(|error| format!("member {index}: {error}"))?;
            members.insert(file.name().map_err(|error| error.to_string())?.into_owned(), content);
        }
    }
    Ok(members)
}

/// The contents according to this project.
///
/// # Errors
///
/// If a member cannot be unpacked.
pub fn members(bytes: &[u8], options: &Options) -> Result<Members, String> {
    let end = || Reason::new(ReasonCode::Truncated);
    let mut read = |offset: u64, room: &mut [u8]| {
        let start = usize::try_from(offset).map_err(|_| end())?;
        room.copy_from_slice(bytes.get(start..start + room.len()).ok_or_else(end)?);
        Ok(())
    };
    let verification = Verification::new(options, InputOrigin::named("package.zip"), bytes.len() as u64);
    let (_, contents) = verification.run_for_contents(&mut read);
    let mut members = Members::new();
    for member in contents.members() {
        if let Some(unpack) = contents.unpack(member.index) {
            let mut content = Vec::new();
            unpack.run(&mut read, &mut |part| content.extend_from_slice(part)).map_err(|untrue| untrue.message)?;
            members.insert(member.name, content);
        }
    }
    Ok(members)
}

/// Asserts that both read the same contents of a valid package.
///
/// # Panics
///
/// If the contents differ.
pub fn assert_read_alike(bytes: &[u8], options: &Options) {
    let ours = members(bytes, options).unwrap_or_else(|problem| panic!("called valid, and not read: {problem}"));
    let theirs = members_by_zip(bytes).unwrap_or_else(|problem| panic!("the crate zip refuses it: {problem}"));
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>(), "names differ");
    for (name, content) in &ours {
        assert!(theirs[name] == *content, "{name}: {} bytes, not {}", theirs[name].len(), content.len());
    }
}
