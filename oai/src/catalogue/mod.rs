//! The family `OAI`: conformance of a repository with OAI-PMH 2.0, findings of a harvest, and its limits.

mod harvest;
mod http;
mod identify;
mod limits;
mod page;
mod record;
mod rule;
mod token;

use core::fmt;

use resourcesync::diagnostic::{Level, Severity};
use resourcesync::report::FamilyRule;
#[cfg(feature = "texts")]
use resourcesync::report::{Lang, catalogue::Row};

/// The code of a note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u8);

/// The single list of codes, each with the file of its rule.
macro_rules! codes {
    ($($file:ident { $($name:ident)* })*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Number { $($($name),*),* }

        impl Code {
            $($(#[doc = concat!("`", stringify!($name), "`")] pub const $name: Code = Code(Number::$name as u8);)*)*
        }

        /// All rules, in the order of the catalogue.
        pub(crate) static RULES: &[&FamilyRule] = &[$($(&$file::$name),*),*];
    };
}

codes! {
    page { OAI_01 OAI_02 OAI_03 OAI_04 OAI_05 OAI_06 OAI_07 OAI_08 OAI_09 }
    identify { OAI_10 OAI_11 OAI_12 OAI_13 OAI_14 OAI_15 OAI_16 OAI_17 OAI_18 }
    http { OAI_19 }
    identify { OAI_20 }
    token { OAI_21 OAI_22 OAI_23 OAI_24 OAI_25 OAI_26 OAI_27 OAI_28 OAI_29 }
    record {
        OAI_30 OAI_31 OAI_32 OAI_33 OAI_34 OAI_35 OAI_36 OAI_37 OAI_38 OAI_39 OAI_40 OAI_41 OAI_42 OAI_43 OAI_44 OAI_45 OAI_46
        OAI_47
    }
    http { OAI_50 OAI_51 OAI_52 OAI_53 OAI_54 OAI_55 OAI_56 OAI_57 OAI_58 }
    harvest { OAI_60 OAI_61 OAI_62 OAI_63 OAI_64 OAI_65 OAI_66 OAI_67 OAI_68 OAI_69 OAI_70 }
    limits { LIM_40 LIM_41 LIM_42 LIM_43 LIM_44 LIM_45 LIM_46 LIM_47 LIM_48 LIM_49 LIM_50 }
}

impl Code {
    /// All codes, in the order of the catalogue.
    pub fn all() -> impl Iterator<Item = Code> {
        (0..RULES.len()).map(|at| Code(at as u8))
    }

    /// The code with this id.
    pub fn find(id: &str) -> Option<Code> {
        Code::all().find(|code| code.id() == id)
    }

    /// The rule that reports it.
    #[allow(clippy::indexing_slicing)] // a code is a number of this table
    pub fn rule(self) -> &'static FamilyRule {
        RULES[usize::from(self.0)]
    }

    /// The id, such as `OAI-04`.
    pub fn id(self) -> &'static str {
        self.rule().id
    }

    /// The requirement level; `None` if the protocol does not require it.
    pub fn level(self) -> Option<Level> {
        self.rule().level
    }

    /// The severity.
    pub fn severity(self) -> Severity {
        self.rule().severity
    }
}

/// The rows of the catalogue, in a language.
#[cfg(feature = "texts")]
pub fn rows(lang: Lang) -> impl Iterator<Item = Row> {
    RULES.iter().map(move |rule| rule.row(lang))
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let id = alloc::string::String::deserialize(deserializer)?;
        Code::find(&id).ok_or_else(|| serde::de::Error::custom("no such code"))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeSet, vec::Vec};

    use super::*;

    #[test]
    fn ids_ascend_and_names_are_unique() {
        let ids: Vec<_> = Code::all().map(Code::id).collect();
        let is_sorted = |family: &str| ids.iter().filter(|id| id.starts_with(family)).is_sorted();
        assert!(is_sorted("OAI") && is_sorted("LIM"));
        let names: BTreeSet<_> = Code::all().map(|code| code.rule().name).collect();
        assert_eq!(names.len(), ids.len());
        assert!(Code::all().all(|code| Code::find(code.id()) == Some(code)));
    }

    #[cfg(feature = "texts")]
    #[test]
    fn a_wrong_page_breaks_its_rule_and_the_right_one_none() {
        use alloc::string::{String, ToString};

        use crate::{
            page::{PageReader, Piece},
            provider::{CheckPlan, validate},
        };
        let of_reader = |page: &str| {
            let mut reader = PageReader::new(&crate::limits::Limits::default());
            reader.push(page.as_bytes());
            reader.finish();
            let pieces = core::iter::from_fn(|| reader.next());
            let code = |piece| match piece {
                Piece::Note(note) => Some(note.code.id().to_string()),
                _ => None,
            };
            pieces.filter_map(code).collect::<Vec<String>>()
        };
        let of_check = |page: &str| {
            let groups = validate(page.as_bytes(), "page", CheckPlan::new("")).groups;
            groups.into_iter().map(|group| group.code).collect::<Vec<String>>()
        };
        let mut shown = 0;
        for code in Code::all() {
            // Requests with their responses are played by the tests of checks.
            let Some(texts) = code.rule().texts.filter(|texts| texts.wrong.trim_start().starts_with('<')) else {
                continue;
            };
            // What the reader does not note, a check of the page finds.
            let (wrong, right) = match of_reader(texts.wrong) {
                none if none.is_empty() => (of_check(texts.wrong), of_check(texts.right)),
                noted => (noted, of_reader(texts.right)),
            };
            assert_eq!(wrong, [code.id()], "{code}");
            assert!(right.is_empty(), "{code}: {right:?}");
            shown += 1;
        }
        assert!(shown >= 16, "{shown}");
    }

    #[cfg(feature = "texts")]
    #[test]
    fn both_languages_use_the_same_arguments() {
        fn arguments(template: &str) -> BTreeSet<&str> {
            template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect()
        }
        for code in Code::all() {
            let (en, ja) = (code.rule().row(Lang::En), code.rule().row(Lang::Ja));
            assert_eq!(arguments(en.message), arguments(ja.message), "{code}");
            for text in [en.help, ja.help, en.what, ja.fix] {
                assert!(!text.is_empty(), "{code}");
            }
        }
    }
}
