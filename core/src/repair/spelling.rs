//! Writes as the standard does what was written loosely but has one meaning only.

use alloc::string::ToString;

use super::{
    Options, datetime,
    log::{Idea, Log},
    relations, uris,
    walk::{Spot, attributes},
};
use crate::{
    model::{AnyField, Attribute, Child, Document, EntryElement, Field, Value},
    value::{self, Datetime, Uri},
};

/// A repaired value and the kind of the repair.
type Better<T> = Option<(T, Idea)>;

pub(super) fn mend(document: &mut Document, options: &Options, log: &mut Log) {
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

fn one(attribute: &mut Attribute, spot: Spot<'_>, (options, is_old_up): (&Options, bool), log: &mut Log) {
    let name = attribute.local().to_string();
    let mut log = Place { log, spot, attribute: Some(&name) };
    match &mut attribute.value {
        Value::At(field) | Value::Completed(field) | Value::From(field) | Value::Until(field) => {
            log.mend(field, |field| certain_datetime(field, options));
            if spot.is_md() {
                log.mend(field, in_utc);
            }
        }
        Value::Datetime(field) | Value::Modified(field) => log.mend(field, |field| certain_datetime(field, options)),
        Value::Href(field) => log.mend(field, certain_uri),
        Value::Capability(field) => log.mend(field, certain),
        Value::Change(field) => log.mend(field, certain),
        Value::Encoding(field) => log.mend(field, certain),
        Value::Hash(field) => log.mend(field, certain),
        Value::Length(field) => log.mend(field, certain),
        Value::Path(field) => log.mend(field, certain),
        Value::Pri(field) => log.mend(field, certain),
        Value::Rel(field) => {
            log.mend(field, certain);
            log.mend(field, |field| Some((relations::meant(field, is_old_up)?, Idea::Relation)));
        }
        Value::Type(field) => log.mend(field, certain),
        Value::Other(_) => {}
    }
}

/// Mends the values of an element that holds text.
fn texts<T: value::Value + Clone>(
    children: &mut [Child<T>],
    name: &'static str,
    (root, element, number): (&str, EntryElement, u64),
    log: &mut Log,
    better: impl Fn(&Field<T>) -> Better<T>,
) {
    let count = children.len();
    for (place, child) in (1..).zip(children) {
        // What was cut is not known to its end.
        if !child.cut {
            let step = (name, (count > 1).then_some(place));
            let spot = Spot { root, entry: Some((element.as_str(), number)), step };
            Place { log, spot, attribute: None }.mend(&mut child.field, &better);
        }
    }
}

struct Place<'a, 'b> {
    log: &'a mut Log,
    spot: Spot<'b>,
    attribute: Option<&'b str>,
}

impl Place<'_, '_> {
    fn mend<T: value::Value>(&mut self, field: &mut Field<T>, better: impl FnOnce(&Field<T>) -> Better<T>) {
        let Some((value, idea)) = better(field) else { return };
        let (before, after) = (field.text().into_owned(), value.to_string());
        self.log.value(idea, self.spot.path(self.attribute), field.span(), (&before, &after));
        *field = Field::at(value, field.span());
    }
}

/// What was understood although it was not written as the standard writes it.
fn certain<T: value::Value + Clone>(field: &Field<T>) -> Better<T> {
    field.loose()?;
    Some((field.value()?.clone(), Idea::Spelling))
}

fn certain_uri(field: &Field<Uri>) -> Better<Uri> {
    certain(field).or_else(|| Some((uris::encoded(field.malformed()?)?, Idea::Spelling)))
}

fn certain_datetime(field: &Field<Datetime>, options: &Options) -> Better<Datetime> {
    let loose = field.loose()?;
    // The reader takes such a datetime for UTC; what was meant only its author knows.
    if datetime::is_without_zone(loose) {
        return Some((datetime::with_zone(loose, options.zone?)?, Idea::Zone));
    }
    certain(field)
}

fn in_utc(field: &Field<Datetime>) -> Better<Datetime> {
    Some((datetime::in_utc(field.exact()?)?, Idea::Utc))
}
