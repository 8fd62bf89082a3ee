//! The selectors of RFC 5261, as far as they are location steps with positions and attribute tests: no XPath.

use super::xml::{DOCUMENT, Kind, Tree};

/// The place that a selector names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A node.
    Node(usize),
    /// An attribute of an element, by its place.
    Attribute(usize, usize),
}

/// One of the tests in brackets.
enum Predicate<'s> {
    /// The position, from 1.
    Position(usize),
    /// The value of an attribute.
    Attribute(&'s str, &'s str),
}

/// The only place that a selector names; `None` if there is no or more than one, or the selector is not understood. Prefixes are those of
/// the operation, an element of the patch.
pub(super) fn select(selector: &str, tree: &Tree, patch: &Tree, operation: usize) -> Option<Target> {
    let name = |name: &str, is_element: bool| -> Option<(String, String)> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let is_name = !local.is_empty() && !local.contains([':', '(', ')', '*', '|', ' ']);
        let namespace = match prefix {
            "" if !is_element => "",
            "" => patch.namespace(operation, "").unwrap_or_default(),
            prefix => patch.namespace(operation, prefix)?,
        };
        is_name.then(|| (namespace.to_owned(), local.to_owned()))
    };
    let steps = split(selector.trim().strip_prefix('/').unwrap_or(selector.trim()), '/')?;
    let mut found = vec![DOCUMENT];
    let mut steps = steps.into_iter().peekable();
    while let Some(step) = steps.next() {
        if let Some(attribute) = step.strip_prefix('@') {
            let (wanted, [element]) = (name(attribute, false)?, found.as_slice()) else { return None };
            let attributes = &tree.element(*element)?.attributes;
            let place = attributes.iter().position(|own| (&own.namespace, &own.local) == (&wanted.0, &wanted.1))?;
            return steps.peek().is_none().then_some(Target::Attribute(*element, place));
        }
        let (test, predicates) = predicates(step)?;
        let wanted = match test {
            "*" | "text()" | "comment()" | "processing-instruction()" => None,
            test => Some(name(test, true)?),
        };
        let is_match = |number: &usize| match (&tree.nodes.get(*number).map(|node| &node.kind), test) {
            (Some(Kind::Element(_)), "*") => true,
            (Some(Kind::Element(own)), _) => {
                wanted.as_ref().is_some_and(|wanted| (&own.namespace, &own.local) == (&wanted.0, &wanted.1))
            }
            (Some(Kind::Text(_)), test) => test == "text()",
            (Some(Kind::Comment), test) => test == "comment()",
            (Some(Kind::Instruction), test) => test == "processing-instruction()",
            _ => false,
        };
        let mut next = Vec::new();
        for context in found {
            let mut own: Vec<usize> = tree.nodes.get(context)?.children.iter().copied().filter(is_match).collect();
            for predicate in &predicates {
                match predicate {
                    Predicate::Position(position) => {
                        own = own.get(position.checked_sub(1)?).copied().into_iter().collect();
                    }
                    Predicate::Attribute(attribute, value) => {
                        let wanted = name(attribute, false)?;
                        own.retain(|number| {
                            let attributes = tree.element(*number).map(|element| element.attributes.as_slice());
                            attributes.unwrap_or_default().iter().any(|own| {
                                (&own.namespace, &own.local) == (&wanted.0, &wanted.1) && own.value == *value
                            })
                        });
                    }
                }
            }
            next.extend(own);
        }
        found = next;
    }
    match found.as_slice() {
        [DOCUMENT] | [] => None,
        [only] => Some(Target::Node(*only)),
        _ => None,
    }
}

/// The parts between separators that are neither quoted nor in brackets; `None` if one is empty, or a quote or a bracket stays open.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut begin, mut quote, mut depth) = (Vec::new(), 0, None, 0_usize);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(own), character) if own == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '[') => depth = depth.checked_add(1)?,
            (None, ']') => depth = depth.checked_sub(1)?,
            (None, character) if character == separator && depth == 0 => {
                parts.push(text.get(begin..at)?);
                begin = at.checked_add(character.len_utf8())?;
            }
            (None, _) => {}
        }
    }
    parts.push(text.get(begin..)?);
    (quote.is_none() && depth == 0 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// The name of a step, and its tests in brackets.
fn predicates(step: &str) -> Option<(&str, Vec<Predicate<'_>>)> {
    let (name, rest) = step.split_at(step.find('[').unwrap_or(step.len()));
    let mut predicates = Vec::new();
    let mut rest = rest;
    while !rest.is_empty() {
        let inside = rest.strip_prefix('[')?;
        let mut quote = None;
        let end = inside.find(|character| match quote {
            Some(own) => {
                if own == character {
                    quote = None;
                }
                false
            }
            None => {
                quote = Some(character).filter(|character| ['\'', '"'].contains(character));
                character == ']'
            }
        })?;
        let test = inside.get(..end)?.trim();
        predicates.push(match test.strip_prefix('@') {
            None => Predicate::Position(test.parse().ok()?),
            Some(test) => {
                let (name, value) = test.split_once('=')?;
                let value = value.trim();
                let quote = value.chars().next().filter(|quote| ['\'', '"'].contains(quote))?;
                let value = value.strip_prefix(quote)?.strip_suffix(quote)?;
                (!value.contains(quote)).then_some(Predicate::Attribute(name.trim(), value))?
            }
        });
        rest = inside.get(end.checked_add(1)?..)?;
    }
    Some((name, predicates))
}
