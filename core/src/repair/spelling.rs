//! Normalizes values that are misspelt but unambiguous.

use alloc::string::ToString;

use super::{
    RepairOptions, datetime,
    log::{Log, RepairKind},
    relations, uris,
    walk::{Spot, attributes},
};
use crate::{
    model::{AnyField, Attribute, AttributeValue, Child, Document, EntryElement, Field},
    value::{self, Datetime, Uri},
};

/// A repaired value and the kind of the repair.
type Better<T> = Option<(T, RepairKind)>;

pub(super) fn repair(document: &mut Document, options: &RepairOptions, log: &mut Log) {
    let is_old_up = relations::is_old_up(document);
    attributes(document, &mut |spot, attributes| {
        let is_old_up = is_old_up && spot.is_head();
        attributes.iter_mut().for_each(|attribute| one(attribute, spot, (options, is_old_up), log));
    });
    let Document { root, entries, .. } = document;
    for entry in entries {
        let at = (&*root.local, entry.element, entry.number);
        texts(&mut entry.loc, "loc", at, log, certain_uri);
        texts(&mut entry.lastmod, "lastmod", at, log, |field| certain_datetime(field, options));
        texts(&mut entry.changefreq, "changefreq", at, log, certain);
        texts(&mut entry.priority, "priority", at, log, certain);
    }
}

fn one(attribute: &mut Attribute, spot: Spot<'_>, (options, is_old_up): (&RepairOptions, bool), log: &mut Log) {
    let name = attribute.local().to_string();
    let mut log = Place { log, spot, attribute: Some(&name) };
    match &mut attribute.value {
        AttributeValue::At(field)
        | AttributeValue::Completed(field)
        | AttributeValue::From(field)
        | AttributeValue::Until(field) => {
            log.repair(field, |field| certain_datetime(field, options));
            if spot.is_md() {
                log.repair(field, in_utc);
            }
        }
        AttributeValue::Datetime(field) | AttributeValue::Modified(field) => {
            log.repair(field, |field| certain_datetime(field, options))
        }
        AttributeValue::Href(field) => log.repair(field, certain_uri),
        AttributeValue::Capability(field) => log.repair(field, certain),
        AttributeValue::Change(field) => log.repair(field, certain),
        AttributeValue::Encoding(field) => log.repair(field, certain),
        AttributeValue::Hash(field) => log.repair(field, certain),
        AttributeValue::Length(field) => log.repair(field, certain),
        AttributeValue::Path(field) => log.repair(field, certain),
        AttributeValue::Pri(field) => log.repair(field, certain),
        AttributeValue::Rel(field) => {
            log.repair(field, certain);
            log.repair(field, |field| Some((relations::meant(field, is_old_up)?, RepairKind::Relation)));
        }
        AttributeValue::Type(field) => log.repair(field, certain),
        AttributeValue::Other(_) => {}
    }
}

/// Repairs the values of an element that holds text.
fn texts<T: value::Value + Clone>(
    children: &mut [Child<T>],
    name: &'static str,
    (root, element, number): (&str, EntryElement, u64),
    log: &mut Log,
    better: impl Fn(&Field<T>) -> Better<T>,
) {
    let count = children.len();
    for (place, child) in (1..).zip(children) {
        // The end of a truncated value is unknown.
        if !child.cut {
            let step = (name, (count > 1).then_some(place));
            let spot = Spot { root, entry: Some((element.as_str(), number)), step };
            Place { log, spot, attribute: None }.repair(&mut child.field, &better);
        }
    }
}

struct Place<'a, 'b> {
    log: &'a mut Log,
    spot: Spot<'b>,
    attribute: Option<&'b str>,
}

impl Place<'_, '_> {
    fn repair<T: value::Value>(&mut self, field: &mut Field<T>, better: impl FnOnce(&Field<T>) -> Better<T>) {
        let Some((value, idea)) = better(field) else { return };
        let (before, after) = (field.text().into_owned(), value.to_string());
        self.log.value(idea, self.spot.path(self.attribute), field.span(), (&before, &after));
        *field = Field::at(value, field.span());
    }
}

/// A value that was understood although its spelling is not that of the standard.
fn certain<T: value::Value + Clone>(field: &Field<T>) -> Better<T> {
    field.loose()?;
    Some((field.value()?.clone(), RepairKind::Spelling))
}

fn certain_uri(field: &Field<Uri>) -> Better<Uri> {
    // The name of a host is not percent-encoded: other letters in it need the tables of IDNA.
    let authority =
        |text: &str| text.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next().map(str::is_ascii));
    if field.loose().or_else(|| field.malformed()).and_then(authority) == Some(false) {
        return None;
    }
    certain(field).or_else(|| Some((uris::encoded(field.malformed()?)?, RepairKind::Spelling)))
}

fn certain_datetime(field: &Field<Datetime>, options: &RepairOptions) -> Better<Datetime> {
    let loose = field.loose()?;
    // The reader interprets such a datetime as UTC, but its author may have meant another time zone.
    if datetime::is_without_zone(loose) {
        return Some((datetime::with_zone(loose, options.zone?)?, RepairKind::Zone));
    }
    certain(field)
}

fn in_utc(field: &Field<Datetime>) -> Better<Datetime> {
    Some((datetime::in_utc(field.exact()?)?, RepairKind::Utc))
}
