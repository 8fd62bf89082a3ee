//! Whether a patch (§14.4) may take the place of a transfer.

use alloc::string::String;

use crate::listed_resource::{ListedResource, Patch};

/// The greatest length of a resource that is patched, in bytes: it is taken apart in memory.
pub const PATCHED: u64 = 1 << 20;

impl Patch {
    /// The media type without parameters, in lower case.
    pub fn essence(&self) -> String {
        self.media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// True if it costs less than half of its resource, and the digest of the result is listed. A program may patch files of any length.
    pub fn pays_for(&self, resource: &ListedResource, has_program: bool) -> bool {
        let is_handled = |length: u64| has_program || length <= PATCHED;
        let is_short = |length: u64| is_handled(length) && self.length.is_some_and(|own| own < length / 2);
        resource.encoding.is_none()
            && resource.hashes().iter().next().is_some()
            && resource.length.is_some_and(is_short)
    }

    /// The patch as a resource to fetch.
    pub fn resource(&self) -> ListedResource {
        ListedResource {
            uri: self.uri.clone(),
            loc: self.uri.clone(),
            hash: self.hash.clone(),
            length: self.length,
            ..ListedResource::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_patch_pays_if_it_is_shorter_than_half_of_a_resource_with_a_digest() {
        let listed = ListedResource {
            hash: Some("md5:1584abdf8ebdc9802ac0c6a7402c03b6".to_string()),
            length: Some(100),
            ..ListedResource::default()
        };
        let patch = |length| Patch { length, ..Patch::default() };
        assert!(patch(Some(49)).pays_for(&listed, false));
        assert!(!patch(Some(50)).pays_for(&listed, false));
        assert!(!patch(None).pays_for(&listed, false));
        assert!(!patch(Some(1)).pays_for(&ListedResource { hash: None, ..listed.clone() }, false));
        assert!(!patch(Some(1)).pays_for(&ListedResource { length: None, ..listed.clone() }, false));
        assert!(
            !patch(Some(1)).pays_for(&ListedResource { encoding: Some("gzip".to_string()), ..listed.clone() }, false)
        );
        assert!(!patch(Some(1)).pays_for(&ListedResource { length: Some(PATCHED + 1), ..listed.clone() }, false));
        assert!(patch(Some(1)).pays_for(&ListedResource { length: Some(PATCHED + 1), ..listed }, true));
    }
}
