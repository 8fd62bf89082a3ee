//! What an earlier report says, compared with what is there now.

use alloc::collections::BTreeMap;

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Name},
    report::{Input, Report},
    source::Web,
    value::{key, to_hex},
};

/// Compares documents by their URIs.
pub(super) fn check(web: &Web, earlier: &Report, found: &mut Findings) {
    let inputs: BTreeMap<_, &Input> =
        earlier.inputs.iter().filter_map(|input| Some((key(input.uri.as_deref()?), input))).collect();
    // Reports name the place where a document was found in the end, whatever redirected there.
    let earlier = |node: usize| web.had(node).and_then(|had| inputs.get(&key(&had.response.uri)));
    for (node, memo) in web.documents_and_manifests().filter(|(_, memo)| memo.complete) {
        let Some(before) = earlier(node) else { continue };
        let closed = memo.closed().map(|digest| alloc::format!("sha-256:{}", to_hex(&digest)));
        if before.closed.is_some() {
            if before.closed != closed {
                found.add(node, memo.at_head(Finding::new(Code::GEN_33), Name::Until));
            }
            continue;
        }
        let code = match memo.kind {
            Kind::ChangeList => Code::CL_18,
            Kind::ChangeDump => Code::CD_19,
            _ => continue,
        };
        // It may have been closed under a new URI, and begun anew.
        let has_moved = || web.of_kind(memo.kind).any(|(other, own)| own.is_closed() && earlier(other).is_none());
        if closed.is_none() && before.kind == memo.kind.as_str() && memo.entries < before.entries && !has_moved() {
            let finding =
                Finding::new(code).arg("kind", memo.kind).arg("expected", before.entries).arg("count", memo.entries);
            found.add(node, memo.at_head(finding, Name::Capability));
        }
    }
}
