//! The declaration of an option: the command, Python and the docs are made from it.

use alloc::string::String;
use core::time::Duration;

/// An option that sets something of `T`. Each face writes the name in its own way, and parses what is not text.
#[derive(Debug)]
pub struct Declaration<T> {
    /// The name, such as `max-delete`.
    pub name: &'static str,
    /// What is said of the value, such as `N|N%`; nothing for a flag.
    pub value: &'static str,
    /// The value without the option, if a value can say it.
    pub default: Option<&'static str>,
    /// The name of its group.
    pub group: Option<&'static str>,
    /// The option that may not be used with it.
    pub excludes: Option<&'static str>,
    /// What it does, in a line.
    pub help: &'static str,
    /// What it takes, and what it does with it.
    pub takes: Takes<T>,
}

/// What an option takes, and what it does with it.
#[derive(Debug)]
pub enum Takes<T> {
    /// No value.
    Nothing(fn(&mut T)),
    /// A number.
    Number(fn(&mut T, u64)),
    /// A length of time.
    Duration(fn(&mut T, Duration)),
    /// One of these words.
    Word(&'static [&'static str], fn(&mut T, &str)),
    /// A text in a form of its own.
    Text(SetText<T>),
    /// Several texts, one at a time.
    Texts(SetText<T>),
    /// Several pairs of a prefix and a name, one at a time.
    Pairs(fn(&mut T, &str, &str) -> Result<(), String>),
}

/// Takes a text, or says what is expected.
pub type SetText<T> = fn(&mut T, &str) -> Result<(), String>;

impl<T> Declaration<T> {
    pub(super) const fn new(name: &'static str, value: &'static str, takes: Takes<T>) -> Declaration<T> {
        Declaration { name, value, default: None, group: None, excludes: None, help: "", takes }
    }

    pub(super) const fn by_default(self, default: &'static str) -> Declaration<T> {
        Declaration { default: Some(default), ..self }
    }

    pub(super) const fn of(self, group: &'static str) -> Declaration<T> {
        Declaration { group: Some(group), ..self }
    }

    pub(super) const fn excluding(self, other: &'static str) -> Declaration<T> {
        Declaration { excludes: Some(other), ..self }
    }

    pub(super) const fn help(self, help: &'static str) -> Declaration<T> {
        Declaration { help, ..self }
    }
}
