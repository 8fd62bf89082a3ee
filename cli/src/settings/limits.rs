//! The limits of the core by name.

use resourcesync::{limits::Limits, words::nearest};

/// Lists the limits once: their names, how to look at them, how to set them.
macro_rules! limits {
    ($($name:ident),* $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// All limits with their defaults.
        pub(crate) fn all() -> Vec<(&'static str, u64)> {
            let limits = Limits::default();
            vec![$((stringify!($name), u64::from(limits.$name))),*]
        }

        /// Sets one; a name or value that is none was refused before.
        pub(crate) fn set(limits: &mut Limits, name: &str, value: u64) {
            match name {
                $(stringify!($name) => limits.$name = value.try_into().unwrap_or(limits.$name),)*
                _ => {}
            }
        }

        /// Refuses a value that is too great for its limit.
        pub(crate) fn fits(name: &str, value: u64) -> Result<(), String> {
            let mut limits = Limits::default();
            set(&mut limits, name, value);
            match name {
                $(stringify!($name) if u64::from(limits.$name) == value => Ok(()),)*
                _ => Err(format!("{value} is too great for {name}")),
            }
        }
    };
}

limits! {
    document_bytes,
    entries,
    depth,
    attributes,
    namespaces,
    name_bytes,
    value_bytes,
    tag_bytes,
    links,
    digests,
    inflate_ratio,
    late_head_entries,
    extension_bytes,
    members,
    member_name_bytes,
    member_part_bytes,
    member_depth,
    package_bytes,
}

/// The limit of this name; hyphens do for underscores.
pub(crate) fn name(text: &str) -> Result<&'static str, String> {
    let wanted = text.replace('-', "_");
    if let Some(name) = NAMES.iter().find(|name| **name == wanted) {
        return Ok(name);
    }
    match nearest(&wanted, NAMES.iter().copied()) {
        Some(near) => Err(format!("no limit is called `{text}`; did you mean `{near}`?")),
        None => Err(format!("no limit is called `{text}`; limits are {}", NAMES.join(", "))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_of_the_core_has_a_name() {
        let fields = format!("{:?}", Limits::default());
        let fields: Vec<_> = fields
            .split(['{', ','])
            .skip(1)
            .filter_map(|field| field.split_once(':'))
            .map(|(name, _)| name.trim())
            .collect();
        assert_eq!(fields, NAMES);
    }

    #[test]
    fn a_limit_is_set_if_it_fits() {
        let mut limits = Limits::default();
        set(&mut limits, "depth", 7);
        assert_eq!(limits.depth, 7);
        assert!(fits("depth", 1 << 40).is_err());
        assert!(fits("entries", 1 << 40).is_ok());
        assert_eq!(name("dept").unwrap_err(), "no limit is called `dept`; did you mean `depth`?");
    }
}
