//! Calls each check in its phase: root, root links, entries and their parts, attributes, end.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

use super::{ALL, Check, CheckContext, Depends, FoundMember, PathStep, depends::Extent, table};
use crate::{
    model::{Attribute, Attributes, Element, Entry, Kind, Link, Md, Name, Namespace},
    value::{BitstreamPath, Change, Relation},
};

type OfLink = fn(&mut CheckContext<'_>, &Link);
type OfAttribute = fn(&mut CheckContext<'_>, &Attribute);

type ByName = [Vec<OfAttribute>; Name::ALL.len() + 1];

/// The phases of checks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Which {
    /// All except those that need packages.
    Document,
    /// All checks.
    DocumentWithPackages,
    /// Only those that need packages.
    Packages,
}

/// The checks of all rules, sorted by phase.
#[derive(Debug, Default)]
pub(super) struct Dispatch {
    /// Whether the table of kinds is checked as well.
    has_tables: bool,
    pub(super) root: Vec<fn(&mut CheckContext<'_>)>,
    pub(super) head: Vec<fn(&mut CheckContext<'_>, &Md)>,
    entry: Vec<fn(&mut CheckContext<'_>, &Entry)>,
    md: Vec<fn(&mut CheckContext<'_>, &Md)>,
    link: Vec<OfLink>,
    /// By relation, since most rules concern a rare relation: calling all of them for each link took a tenth of checking.
    related: Vec<(&'static str, Vec<OfLink>)>,
    attributes: AttributeChecks,
    pub(super) element: Vec<fn(&mut CheckContext<'_>, &Element)>,
    pub(super) namespace: Vec<fn(&mut CheckContext<'_>, &Namespace)>,
    pub(super) end: Vec<fn(&mut CheckContext<'_>)>,
}

/// The checks of attributes.
#[derive(Debug, Default)]
struct AttributeChecks {
    are_none: bool,
    /// By name, since most concern one or two attributes; the last slot is for attributes that ResourceSync does not
    /// define.
    plain: ByName,
    /// The same for attributes with a prefix.
    prefixed: ByName,
}

impl Dispatch {
    /// Computed once per process.
    pub(super) fn of(which: Which, extent: Extent) -> &'static Dispatch {
        static SORTED: [[OnceBox<Dispatch>; 5]; 3] = [const { [const { OnceBox::new() }; 5] }; 3];
        let [document, with_packages, packages] = &SORTED;
        let [all, from_usual, from_values, below_usual, below_values] = match which {
            Which::Document => document,
            Which::DocumentWithPackages => with_packages,
            Which::Packages => packages,
        };
        let own = match extent {
            Extent::All => all,
            Extent::From(Depends::Shape | Depends::Usual) => from_usual,
            Extent::From(Depends::Values | Depends::State) => from_values,
            Extent::Below(Depends::Shape | Depends::Usual) => below_usual,
            Extent::Below(Depends::Values | Depends::State) => below_values,
        };
        own.get_or_init(|| {
            // The tables depend on the shape.
            let has_tables = !matches!(which, Which::Packages) && extent.includes(Depends::Shape);
            let mut lists = Dispatch { has_tables, ..Dispatch::default() };
            ALL.iter().for_each(|rule| lists.add(rule.checks, which, extent));
            let attributes = &mut lists.attributes;
            attributes.are_none = attributes.plain.iter().chain(&attributes.prefixed).all(Vec::is_empty);
            Box::new(lists)
        })
    }

    fn add(&mut self, checks: &'static [Check], which: Which, extent: Extent) {
        let lists = self;
        for check in checks {
            match (*check, which) {
                (Check::WithPackages(_), Which::Document) => {}
                (Check::WithPackages(checks), _) => lists.add(checks, Which::DocumentWithPackages, extent),
                (_, Which::Packages) => {}
                (
                    Check::Entry(depends, _)
                    | Check::Md(depends, _)
                    | Check::Link(depends, _)
                    | Check::Related(depends, ..)
                    | Check::Odd(depends, _)
                    | Check::Named(depends, ..),
                    _,
                ) if !extent.includes(depends) => {}
                (Check::Root(check), _) => lists.root.push(check),
                (Check::Head(check), _) => lists.head.push(check),
                (Check::Entry(_, check), _) => lists.entry.push(check),
                (Check::Md(_, check), _) => lists.md.push(check),
                (Check::Link(_, check), _) => lists.link.push(check),
                (Check::Related(_, relations, check), _) => {
                    relations.iter().for_each(|relation| lists.relate(relation, check))
                }
                (Check::Odd(_, check), _) => {
                    lists
                        .attributes
                        .prefixed
                        .iter_mut()
                        .chain(lists.attributes.plain.last_mut())
                        .for_each(|list| list.push(check));
                }
                (Check::Named(_, names, check), _) => {
                    for name in names.iter().map(|name| *name as usize) {
                        let own = [lists.attributes.plain.get_mut(name), lists.attributes.prefixed.get_mut(name)];
                        own.into_iter().flatten().for_each(|list| list.push(check));
                    }
                }
                (Check::Element(check), _) => lists.element.push(check),
                (Check::Namespace(check), _) => lists.namespace.push(check),
                (Check::End(check), _) => lists.end.push(check),
            }
        }
    }

    fn relate(&mut self, relation: &'static str, check: OfLink) {
        match self.related.iter_mut().find(|(name, _)| *name == relation) {
            Some((_, checks)) => checks.push(check),
            None => self.related.push((relation, alloc::vec![check])),
        }
    }

    pub(super) fn md(&self, cx: &mut CheckContext<'_>, md: &Md) {
        self.md.iter().for_each(|check| check(cx, md));
        if !self.attributes.are_none {
            self.attributes(cx, &md.attributes);
        }
    }

    #[inline(always)] // most links need no check: calling it would take longer
    pub(super) fn link(&self, cx: &mut CheckContext<'_>, link: &Link) {
        self.link.iter().for_each(|check| check(cx, link));
        if let Some(relation) = link.attributes.rel().and_then(|rel| rel.value()).map(Relation::as_str) {
            let related = self.related.iter().find(|(name, _)| *name == relation);
            related.into_iter().flat_map(|(_, checks)| checks).for_each(|check| check(cx, link));
        }
        if !self.attributes.are_none {
            self.attributes(cx, &link.attributes);
        }
    }

    fn attributes(&self, cx: &mut CheckContext<'_>, attributes: &Attributes) {
        for attribute in attributes {
            let name = attribute.value.name().map_or(Name::ALL.len(), |name| name as usize);
            let checks = if attribute.prefix.is_some() { &self.attributes.prefixed } else { &self.attributes.plain };
            checks.get(name).into_iter().flatten().for_each(|check| check(cx, attribute));
        }
    }

    pub(super) fn entry(&self, cx: &mut CheckContext<'_>, entry: &Entry) {
        if self.has_tables {
            table::entry(cx, entry);
        }
        self.entry.iter().for_each(|check| check(cx, entry));
        for (number, md) in (1..).zip(&entry.md) {
            cx.step = PathStep::Md(number);
            if number == 1 && self.has_tables {
                table::entry_md(cx, md);
            }
            if number == 1 && cx.members.is_some() {
                find_packaged(cx, md);
            }
            self.md(cx, md);
            cx.found = None;
        }
        for (number, link) in (1..).zip(&entry.links) {
            cx.step = PathStep::Link(number);
            if cx.members.is_some() {
                cx.find(packaged_patch(link));
            }
            self.link(cx, link);
        }
        cx.found = None;
        cx.step = PathStep::Own;
        for element in &entry.others {
            self.element.iter().for_each(|check| check(cx, element));
        }
    }
}

/// Looks up the bitstream of an entry. Deletions have none, but a `path` that names a member nevertheless is compared.
fn find_packaged(cx: &mut CheckContext<'_>, md: &Md) {
    cx.find(md.attributes.path().and_then(|path| path.value()));
    let change = md.attributes.change().and_then(|change| change.value());
    let is_deletion = cx.kind() == Kind::ChangeDumpManifest && change == Some(&Change::Deleted);
    if is_deletion && !matches!(cx.found, Some(FoundMember::File { .. })) {
        cx.found = None;
    }
}

/// The `path` of a patch.
fn packaged_patch(link: &Link) -> Option<&BitstreamPath> {
    let is_patch = link.attributes.rel().and_then(|rel| rel.value()).is_some_and(Relation::is_patch);
    link.attributes.path().and_then(|path| path.value()).filter(|_| is_patch)
}
