//! The languages of messages.

/// A language of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Japanese.
    #[cfg(feature = "texts")]
    Ja,
}

impl Lang {
    /// All languages.
    pub const ALL: &'static [Lang] = &[
        Lang::En,
        #[cfg(feature = "texts")]
        Lang::Ja,
    ];

    /// The language of this tag: `en` or `ja`.
    pub fn find(tag: &str) -> Option<Lang> {
        match tag {
            "en" => Some(Lang::En),
            #[cfg(feature = "texts")]
            "ja" => Some(Lang::Ja),
            _ => None,
        }
    }
}
