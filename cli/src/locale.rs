//! The language of a user: a variable of the environment, or the locale.

use std::env;

use resourcesync::report::Lang;

/// The language that `RESOURCESYNC_LANG` names.
pub(crate) fn variable() -> Option<Lang> {
    env::var("RESOURCESYNC_LANG").ok().and_then(|name| language(&name))
}

/// The language of the locale: of the first variable that is set, as POSIX has it.
pub(crate) fn locale() -> Lang {
    let mut set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    set.find(|locale| !locale.is_empty()).and_then(|locale| language(&locale)).unwrap_or_default()
}

/// The language of a locale such as `ja_JP.UTF-8`.
fn language(locale: &str) -> Option<Lang> {
    let end = locale.find(['_', '-', '.', '@']).unwrap_or(locale.len());
    Lang::find(&locale.get(..end)?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_locale_is_its_first_part() {
        for locale in ["ja", "ja_JP.UTF-8", "ja_JP.eucJP", "ja-JP", "JA", "ja.UTF-8"] {
            assert_eq!(language(locale), Some(Lang::Ja), "{locale}");
        }
        assert_eq!(language("en_GB.UTF-8"), Some(Lang::En));
        for locale in ["C", "C.UTF-8", "POSIX", "de_DE.UTF-8", "jam", ""] {
            assert_eq!(language(locale), None, "{locale}");
        }
    }
}
