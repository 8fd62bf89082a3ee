//! Removes prefixes from attributes of the standard.

use alloc::{format, string::ToString};

use super::{
    log::{Edit, Log, Repair, RepairKind},
    walk::attributes,
};
use crate::model::{Attribute, AttributeValue, Document};

pub(super) fn repair(document: &mut Document, log: &mut Log) {
    attributes(document, &mut |spot, attributes| {
        let same = |name: &str, own: &Attribute| own.local() == name && !matches!(own.value, AttributeValue::Other(_));
        let plain = attributes.iter().filter(|own| own.prefix.is_some()).map(|own| own.local().to_string());
        let names: alloc::vec::Vec<_> = plain.collect();
        for name in names {
            // Duplicate names would not be well-formed, and which value is meant is unknown.
            if attributes.iter().filter(|own| same(&name, own)).count() != 1 {
                continue;
            }
            for attribute in attributes.iter_mut().filter(|own| same(&name, own)) {
                let Some(prefix) = attribute.prefix.take() else { continue };
                let repair = Repair {
                    idea: RepairKind::Prefix,
                    path: spot.path(Some(&name)),
                    span: attribute.whole,
                    before: format!("{prefix}:{name}"),
                    after: name.clone(),
                };
                log.add(repair, Edit::Unprefix(attribute.whole, prefix.len().saturating_add(1)));
            }
        }
    });
}
