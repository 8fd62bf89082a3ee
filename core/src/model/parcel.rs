//! Parts of documents in parcels.

use alloc::{boxed::Box, vec::Vec};

use super::{
    AnyField, Attribute, AttributeValue, Attributes, Child, Entry, EntryElement, Field, ForeignAttribute, Kind, Layout,
    Link, Md, Name, Root, Shape,
};
use crate::{
    parcel::{Damaged, ParcelReader, ParcelWriter, Parcelled},
    value::Value,
};

impl Parcelled for Kind {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.text(self.as_str());
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Kind, Damaged> {
        Kind::find(parcel.text()?).ok_or(Damaged)
    }
}

/// A value is read again from its text, which gives the same.
impl<T: Value> Parcelled for Field<T> {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.text(&self.text());
        self.span().put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Field<T>, Damaged> {
        let text = parcel.text()?;
        Ok(Field::read(text, Parcelled::take(parcel)?))
    }
}

impl Parcelled for ForeignAttribute {
    fn put(&self, parcel: &mut ParcelWriter) {
        let ForeignAttribute { prefix, local, namespace, text, span } = self;
        [prefix, local, namespace, text].into_iter().for_each(|part| part.put(parcel));
        span.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<ForeignAttribute, Damaged> {
        Ok(ForeignAttribute {
            prefix: Parcelled::take(parcel)?,
            local: Parcelled::take(parcel)?,
            namespace: Parcelled::take(parcel)?,
            text: Parcelled::take(parcel)?,
            span: Parcelled::take(parcel)?,
        })
    }
}

impl Parcelled for AttributeValue {
    fn put(&self, parcel: &mut ParcelWriter) {
        match (self, self.name(), self.field()) {
            (AttributeValue::Other(other), ..) => {
                parcel.number(0);
                other.put(parcel);
            }
            (_, name, field) => {
                parcel.number(name.map_or(0, |name| name as u64).saturating_add(1));
                parcel.text(&field.map(AnyField::text).unwrap_or_default());
                field.map(AnyField::span).unwrap_or_default().put(parcel);
            }
        }
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<AttributeValue, Damaged> {
        let Some(name) = usize::try_from(parcel.number()?).map_err(|_| Damaged)?.checked_sub(1) else {
            return Ok(AttributeValue::Other(Box::new(Parcelled::take(parcel)?)));
        };
        let name = Name::ALL.get(name).ok_or(Damaged)?;
        let text = parcel.text()?;
        Ok(AttributeValue::read(*name, text, Parcelled::take(parcel)?))
    }
}

/// The layout is not kept: only rules about a single document locate parts of a value.
impl Parcelled for Attribute {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Attribute { value, prefix, whole, layout: _ } = self;
        value.put(parcel);
        prefix.put(parcel);
        whole.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Attribute, Damaged> {
        let (value, prefix) = Parcelled::take(parcel)?;
        Ok(Attribute { value, prefix, whole: Parcelled::take(parcel)?, layout: Layout::default() })
    }
}

impl Parcelled for Attributes {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.number(self.iter().len() as u64);
        self.iter().for_each(|attribute| attribute.put(parcel));
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Attributes, Damaged> {
        let mut attributes = Attributes::default();
        Vec::take(parcel)?.into_iter().for_each(|attribute| attributes.push(attribute));
        Ok(attributes)
    }
}

impl Parcelled for Md {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Md { attributes, span, content } = self;
        attributes.put(parcel);
        span.put(parcel);
        content.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Md, Damaged> {
        let (attributes, span) = Parcelled::take(parcel)?;
        Ok(Md { attributes, span, content: Parcelled::take(parcel)? })
    }
}

impl Parcelled for Link {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Link { attributes, span, content } = self;
        attributes.put(parcel);
        span.put(parcel);
        content.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Link, Damaged> {
        let (attributes, span) = Parcelled::take(parcel)?;
        Ok(Link { attributes, span, content: Parcelled::take(parcel)? })
    }
}

impl<T: Value> Parcelled for Child<T> {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Child { field, span, aside, cut } = self;
        field.put(parcel);
        span.put(parcel);
        aside.put(parcel);
        cut.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Child<T>, Damaged> {
        let (field, span) = Parcelled::take(parcel)?;
        let (aside, cut) = Parcelled::take(parcel)?;
        Ok(Child { field, span, aside, cut })
    }
}

/// Foreign elements are not kept: a crawl has no use for them.
impl Parcelled for Entry {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Entry { element, number, span, attributes, loc, lastmod, changefreq, priority, md, links, others: _ } =
            self;
        (*element == EntryElement::Sitemap).put(parcel);
        number.put(parcel);
        span.put(parcel);
        attributes.put(parcel);
        loc.put(parcel);
        lastmod.put(parcel);
        changefreq.put(parcel);
        priority.put(parcel);
        md.put(parcel);
        links.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Entry, Damaged> {
        Ok(Entry {
            element: if bool::take(parcel)? { EntryElement::Sitemap } else { EntryElement::Url },
            number: Parcelled::take(parcel)?,
            span: Parcelled::take(parcel)?,
            attributes: Parcelled::take(parcel)?,
            loc: Parcelled::take(parcel)?,
            lastmod: Parcelled::take(parcel)?,
            changefreq: Parcelled::take(parcel)?,
            priority: Parcelled::take(parcel)?,
            md: Parcelled::take(parcel)?,
            links: Parcelled::take(parcel)?,
            others: Vec::new(),
        })
    }
}

impl Parcelled for Shape {
    fn put(&self, parcel: &mut ParcelWriter) {
        (*self == Shape::SitemapIndex).put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Shape, Damaged> {
        Ok(if bool::take(parcel)? { Shape::SitemapIndex } else { Shape::UrlSet })
    }
}

impl Parcelled for Root {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Root { local, namespace, shape, span, attributes } = self;
        local.put(parcel);
        namespace.put(parcel);
        shape.put(parcel);
        span.put(parcel);
        attributes.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Root, Damaged> {
        let (local, namespace) = Parcelled::take(parcel)?;
        let (shape, span) = Parcelled::take(parcel)?;
        Ok(Root { local, namespace, shape, span, attributes: Parcelled::take(parcel)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Uri;

    /// Vectors grow by doubling.
    fn needs_at_most_40_times_its_bytes<T: Parcelled + Clone>(value: &T) {
        let written = |count: usize| {
            let mut parcel = ParcelWriter::new(0);
            alloc::vec![value.clone(); count].put(&mut parcel);
            parcel.finish().len()
        };
        let bytes = (written(2_000) - written(1_000)) / 1_000;
        assert!(2 * size_of::<T>() <= 40 * bytes, "{} of {bytes} bytes", size_of::<T>());
    }

    #[test]
    fn reading_needs_memory_in_proportion_to_the_bytes() {
        needs_at_most_40_times_its_bytes(&Md::default());
        needs_at_most_40_times_its_bytes(&Link::default());
        needs_at_most_40_times_its_bytes(&Entry::default());
        needs_at_most_40_times_its_bytes(&Attribute::new(AttributeValue::Href(Field::<Uri>::read(
            "",
            Default::default(),
        ))));
        needs_at_most_40_times_its_bytes(&Child::<Uri> {
            field: Field::read("", Default::default()),
            span: Default::default(),
            aside: None,
            cut: false,
        });
    }
}
