//! The attributes of a start tag.

use alloc::boxed::Box;

use super::namespace::Spaces;
use crate::{
    model::{Attribute, AttributeValue, Attributes, Field, ForeignAttribute, Layout, Name, Space},
    value::Hashes,
    xml::Start,
};

/// Adds the attributes of an `rs:md` or `rs:ln`, typed by their names.
#[inline] // otherwise the argument of `Attributes::make` is not inlined: a sixtieth of reading
pub(super) fn read(attributes: &mut Attributes, spaces: &Spaces, start: &Start<'_>) {
    let mut pieces = start.attributes();
    while let Some(piece) = pieces.piece() {
        let ((prefix, local), namespace) = (piece.name(), piece.namespace());
        let known =
            Name::find(local).filter(|_| namespace.is_empty() || spaces.of(namespace).space == Space::ResourceSync);
        let (whole, span) = pieces.spans(&piece);
        let value = piece.value();
        let Some(name) = known else {
            let source = piece.source();
            attributes.push(foreign(&crate::xml::Attribute { prefix, local, namespace, value, source, span, whole }));
            continue;
        };
        attributes.make(name, || {
            let prefix = (!prefix.is_empty()).then(|| prefix.into());
            let text = value;
            let value = AttributeValue::read(name, &text, span);
            let layout = if let AttributeValue::Hash(hash) = &value {
                layout(piece.source(), &text, hash)
            } else {
                Layout::default()
            };
            Attribute { value, prefix, whole, layout }
        });
    }
}

/// The layout needed to locate the parts of a value whose canonical spelling has other positions.
fn layout(source: &str, text: &str, hash: &Field<Hashes>) -> Layout {
    // If it has the length of the canonical spelling, digests are separated by single spaces. Comparing lengths is cheaper.
    let canonical = || hash.exact().is_some_and(|hashes| hashes.written_length() == text.len());
    let doubled = || text.contains("  ") || text.trim_ascii().len() != text.len();
    let plain = source == text && (canonical() || !doubled());
    if plain { Layout::default() } else { Layout::new(source, text) }
}

/// An attribute that ResourceSync does not define.
pub(super) fn foreign(attribute: &crate::xml::Attribute<'_>) -> Attribute {
    let prefix: Box<str> = attribute.prefix.into();
    Attribute {
        prefix: (!prefix.is_empty()).then(|| prefix.clone()),
        value: AttributeValue::Other(Box::new(ForeignAttribute {
            prefix,
            local: attribute.local.into(),
            namespace: attribute.namespace.into(),
            text: attribute.value.as_ref().into(),
            span: attribute.span,
        })),
        whole: attribute.whole,
        layout: Layout::default(),
    }
}
