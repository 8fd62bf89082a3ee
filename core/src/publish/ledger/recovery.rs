//! Decides what a run does about a publication of changes that was killed.
//!
//! A publication writes its files into a folder of its own, [`staged`], appends itself to the log, and then moves the files to their places.
//! Each of these steps may have been the last one.

use alloc::{format, string::String, vec::Vec};

use super::{Group, LogReader};

const STAGED: &str = "staged.";

/// The folder next to the log with the files of a publication of this number until they are in their places.
#[must_use]
pub fn staged(publication: u64) -> String {
    format!("{STAGED}{publication}")
}

/// The number of the publication to which a folder belongs.
#[must_use]
pub fn staged_number(name: &str) -> Option<u64> {
    name.strip_prefix(STAGED)?.parse().ok()
}

/// What is left to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing.
    Nothing,
    /// The publication is in the log: the files that are still staged are moved to their places, in this order.
    Complete(Vec<String>),
    /// The publication is not in the log: the log is cut at this length, then the staged files are removed.
    Withdraw(u64),
}

impl Recovery {
    /// Decides by the log that was read to its end, its last publication, and the staged files with the number of their publication.
    ///
    /// # Errors
    ///
    /// If the log is damaged: the files of a publication that was not written to its end are staged.
    pub fn decide(
        log: &LogReader<'_>,
        last: Option<&Group>,
        left: Option<(u64, &[String])>,
    ) -> Result<Recovery, String> {
        let count = log.count();
        match (left, last) {
            (Some((number, _)), _) if Some(number) == count.checked_add(1) => {
                Ok(Recovery::Withdraw(log.whole() as u64))
            }
            _ if !log.is_at_end() => Err(format!("what follows publication {count} is damaged")),
            (None, _) => Ok(Recovery::Nothing),
            (Some((number, files)), Some(last)) if number == count => {
                let left = last.places.iter().filter(|place| files.contains(place));
                Ok(Recovery::Complete(left.cloned().collect()))
            }
            (Some((number, _)), _) => Err(format!("{} exists, but the log has {count} publications", staged(number))),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{collections::BTreeMap, string::ToString, vec};
    use core::slice;

    use super::*;

    fn group() -> Group {
        Group {
            at: "2024-05-01T00:00:00Z".to_string(),
            sets: BTreeMap::new(),
            places: vec!["a".to_string(), "b".to_string()],
            files: BTreeMap::new(),
            journal: None,
            changes: Vec::new(),
        }
    }

    #[test]
    fn a_publication_in_the_log_is_completed_and_any_other_withdrawn() {
        let bytes = group().to_bytes(1).unwrap();
        let torn = [bytes.as_slice(), b"{\"publi"].concat();
        let decide = |bytes: &[u8], staged: Option<(u64, &[String])>| {
            let mut log = LogReader::new(bytes);
            let last = log.by_ref().map(Result::unwrap).last();
            Recovery::decide(&log, last.as_ref(), staged)
        };
        let [a, b] = ["a", "b"].map(ToString::to_string);
        let length = bytes.len() as u64;
        assert_eq!(decide(&bytes, None), Ok(Recovery::Nothing));
        assert_eq!(
            decide(&bytes, Some((1, &[b.clone(), a.clone()]))),
            Ok(Recovery::Complete(vec![a.clone(), b.clone()]))
        );
        assert_eq!(decide(&bytes, Some((1, slice::from_ref(&b)))), Ok(Recovery::Complete(vec![b])));
        assert_eq!(decide(&bytes, Some((2, slice::from_ref(&a)))), Ok(Recovery::Withdraw(length)));
        assert_eq!(decide(&torn, Some((2, slice::from_ref(&a)))), Ok(Recovery::Withdraw(length)));
        assert!(decide(&torn, None).is_err(), "nothing is staged, so the log was complete once");
        assert!(decide(&torn, Some((1, slice::from_ref(&a)))).is_err());
        assert!(decide(b"", Some((7, &[a]))).is_err());
        assert_eq!(staged_number(&staged(12)), Some(12));
    }
}
