//! Every requirement the tool can report: id, level, derived or stated, severity, section of the standard.

use super::{Level, Severity};

/// One row of the catalogue.
#[derive(Debug)]
pub struct Requirement {
    /// The stable id, such as `RL-03`.
    pub id: &'static str,
    /// The requirement level; `None` for families outside the standard.
    pub level: Option<Level>,
    /// True if the standard implies the requirement but does not state it.
    pub derived: bool,
    /// The severity before profile and configuration.
    pub severity: Severity,
    /// The section of the standard; `None` for families outside the standard.
    pub section: Option<&'static str>,
}

/// A diagnostic's code: the id of a requirement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// The number of codes.
    pub const COUNT: usize = CATALOGUE.len();

    /// The code with this id.
    pub fn find(id: &str) -> Option<Code> {
        Code::all().find(|code| code.id() == id)
    }

    /// All codes, in the order of the catalogue.
    pub fn all() -> impl Iterator<Item = Code> {
        (0..CATALOGUE.len()).map(|at| Code(at as u16))
    }

    /// The row of the catalogue.
    #[allow(clippy::indexing_slicing)] // a code is a number of this table
    pub fn requirement(self) -> &'static Requirement {
        &CATALOGUE[self.index()]
    }

    /// The id, such as `RL-03`.
    pub fn id(self) -> &'static str {
        self.requirement().id
    }

    /// The letters before the number: `CL` for `CL-13`.
    pub fn family(self) -> &'static str {
        let id = self.id();
        id.split_once('-').map_or(id, |(family, _)| family)
    }

    /// True for the codes that report that a limit prevented a check.
    pub fn is_limit(self) -> bool {
        self.family() == "LIM"
    }

    /// True for the codes that are reported only if they, or a profile, are selected: what search engines reject.
    pub fn is_optional(self) -> bool {
        self.family() == "SEO"
    }

    /// The index in the catalogue, for tables parallel to it.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl core::fmt::Debug for Code {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.id())
    }
}

impl core::fmt::Display for Code {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.id())
    }
}

macro_rules! level {
    (Beyond) => {
        None
    };
    ($level:ident) => {
        Some(Level::$level)
    };
}

macro_rules! derived {
    (derived) => {
        true
    };
    (stated) => {
        false
    };
}

macro_rules! section {
    ("") => {
        None
    };
    ($section:literal) => {
        Some($section)
    };
}

/// Defines the table and a numbered constant for each row.
macro_rules! catalogue {
    ($($name:ident = $id:literal, $level:ident, $derived:ident, $severity:ident, $section:tt;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Number { $($name),* }

        impl Code {
            $(#[doc = concat!("`", $id, "`")] pub const $name: Code = Code(Number::$name as u16);)*
        }

        static CATALOGUE: &[Requirement] = &[$(Requirement {
            id: $id,
            level: level!($level),
            derived: derived!($derived),
            severity: Severity::$severity,
            section: section!($section),
        }),*];
    };
}

catalogue! {
    GEN_01 = "GEN-01", Must, derived, Error, "Z39.99-2017 §6.1, §7";
    GEN_02 = "GEN-02", Must, stated, Error, "Z39.99-2017 §6.1, §7; Change Notification 1.0.1 §3; Framework Notification 1.0.1 §3";
    GEN_03 = "GEN-03", Must, stated, Error, "Z39.99-2017 §4, §7; Change Notification 1.0.1 §1.2; Framework Notification 1.0.1 §1.2";
    GEN_04 = "GEN-04", Must, stated, Error, "Z39.99-2017 §7";
    GEN_05 = "GEN-05", Must, stated, Error, "Z39.99-2017 §7";
    GEN_06 = "GEN-06", Must, derived, Warning, "Z39.99-2017 §7, §6.1; Change Notification 1.0.1 §3; Framework Notification 1.0.1 §3";
    GEN_07 = "GEN-07", MustNot, stated, Error, "Change Notification 1.0.1 §3; Framework Notification 1.0.1 §3; Z39.99-2017 §11.2, §13.2";
    GEN_08 = "GEN-08", Must, stated, Error, "Z39.99-2017 §7";
    GEN_10 = "GEN-10", Must, stated, Error, "Z39.99-2017 §7";
    GEN_11 = "GEN-11", Must, derived, Error, "Z39.99-2017 §7";
    GEN_12 = "GEN-12", MustNot, stated, Warning, "Z39.99-2017 §8–§13; Change Notification 1.0.1 §3; Framework Notification 1.0.1 §3";
    GEN_13 = "GEN-13", MustNot, stated, Error, "Z39.99-2017 §7";
    GEN_15 = "GEN-15", MustNot, derived, Error, "Z39.99-2017 §7";
    GEN_17 = "GEN-17", ShouldNot, derived, Info, "Z39.99-2017 §7, §8–§13";
    GEN_18 = "GEN-18", Must, stated, Error, "Z39.99-2017 §7, §10.2";
    GEN_19 = "GEN-19", Must, stated, Error, "Z39.99-2017 §7";
    GEN_21 = "GEN-21", Should, derived, Info, "Z39.99-2017 §7, Table 2";
    GEN_22 = "GEN-22", Must, derived, Error, "Z39.99-2017 §2 [Sitemap]";
    GEN_24 = "GEN-24", ShouldNot, derived, Warning, "Z39.99-2017 §7";
    GEN_26 = "GEN-26", Must, stated, Error, "Z39.99-2017 §6.1";
    GEN_27 = "GEN-27", Must, stated, Error, "Z39.99-2017 §6.1, §8, §10.2, §11.1, §12.2, §13.1";
    GEN_28 = "GEN-28", Must, derived, Error, "Z39.99-2017 §6.1";
    GEN_29 = "GEN-29", Should, stated, Warning, "Z39.99-2017 §6.2, §10.1, §11.1, §12.1, §13.1";
    GEN_30 = "GEN-30", Must, stated, Error, "Z39.99-2017 §6.2";
    GEN_32 = "GEN-32", Must, derived, Error, "Z39.99-2017 §7";
    GEN_33 = "GEN-33", MustNot, stated, Error, "Z39.99-2017 §7, §12.1";
    GEN_34 = "GEN-34", MustNot, derived, Warning, "Z39.99-2017 §7, Table 2";
    SD_01 = "SD-01", Must, stated, Error, "Z39.99-2017 §6.1, §8";
    SD_02 = "SD-02", Must, stated, Error, "Z39.99-2017 §8";
    SD_03 = "SD-03", Should, stated, Warning, "Z39.99-2017 §8, §7";
    SD_04 = "SD-04", Should, stated, Warning, "Z39.99-2017 §8, §6.1";
    SD_05 = "SD-05", Must, stated, Error, "Z39.99-2017 §8";
    SD_06 = "SD-06", MustOrMay, stated, Warning, "Z39.99-2017 §7, §8";
    SD_07 = "SD-07", Must, stated, Error, "Z39.99-2017 §8, §6.1";
    SD_08 = "SD-08", Should, stated, Warning, "Z39.99-2017 §8";
    SD_09 = "SD-09", ShouldNot, stated, Info, "Z39.99-2017 §8";
    SD_10 = "SD-10", MustNot, derived, Warning, "Z39.99-2017 §7, App. A";
    SD_15 = "SD-15", MustNot, stated, Error, "Z39.99-2017 §7";
    SD_11 = "SD-11", ShouldNot, derived, Warning, "Z39.99-2017 §6.2";
    SD_12 = "SD-12", Must, stated, Error, "Z39.99-2017 §6.1, §6.3.2, §8";
    SD_13 = "SD-13", ShouldNot, derived, Warning, "Z39.99-2017 §8, §9";
    SD_14 = "SD-14", Should, derived, Info, "Z39.99-2017 §6.2";
    SDI_01 = "SDI-01", Must, stated, Error, "Z39.99-2017 §8";
    SDI_02 = "SDI-02", Must, derived, Error, "Z39.99-2017 §6.1, §8";
    SDI_03 = "SDI-03", Must, derived, Error, "Z39.99-2017 §8";
    CAP_01 = "CAP-01", Must, stated, Error, "Z39.99-2017 §6.1, §9";
    CAP_02 = "CAP-02", ShouldNot, stated, Warning, "Z39.99-2017 §9";
    CAP_03 = "CAP-03", Must, stated, Error, "Z39.99-2017 §9";
    CAP_04 = "CAP-04", Must, stated, Error, "Z39.99-2017 §9, §7";
    CAP_05 = "CAP-05", Should, stated, Warning, "Z39.99-2017 §9";
    CAP_06 = "CAP-06", MustNot, stated, Error, "Z39.99-2017 §9";
    CAP_08 = "CAP-08", Must, stated, Error, "Z39.99-2017 §9, §7";
    CAP_09 = "CAP-09", MustNot, derived, Error, "Z39.99-2017 §7, §9";
    CAP_10 = "CAP-10", May, stated, Warning, "Z39.99-2017 §6.1; Change Notification 1.0.1 §5";
    CAP_11 = "CAP-11", ShouldNot, stated, Info, "Z39.99-2017 §9";
    CAP_12 = "CAP-12", Must, stated, Error, "Change Notification 1.0.1 §5; Framework Notification 1.0.1 §5";
    CAP_13 = "CAP-13", Must, stated, Error, "Z39.99-2017 §6.1, §6.2";
    CAP_14 = "CAP-14", MustNot, derived, Warning, "Z39.99-2017 §7, App. A";
    CAP_15 = "CAP-15", Must, stated, Error, "Z39.99-2017 §9";
    CAP_16 = "CAP-16", Must, stated, Warning, "Z39.99-2017 §9, §1.3";
    CAP_18 = "CAP-18", Should, derived, Warning, "Z39.99-2017 §6.2, §9";
    CAP_19 = "CAP-19", MustNot, stated, Error, "Z39.99-2017 §7";
    RL_01 = "RL-01", Must, stated, Error, "Z39.99-2017 §10.1";
    RL_02 = "RL-02", Must, stated, Error, "Z39.99-2017 §10.1";
    RL_03 = "RL-03", Must, stated, Error, "Z39.99-2017 §10.1, App. A";
    RL_05 = "RL-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    RL_06 = "RL-06", Must, stated, Error, "Z39.99-2017 §10.1";
    RL_07 = "RL-07", Should, stated, Warning, "Z39.99-2017 §10.1, §10.2";
    RL_12 = "RL-12", MustNot, stated, Error, "Z39.99-2017 App. A, §7";
    RL_13 = "RL-13", ShouldNot, derived, Warning, "Z39.99-2017 §10.1";
    RL_16 = "RL-16", Must, stated, Error, "Z39.99-2017 §10.2, §7";
    RLI_01 = "RLI-01", Must, stated, Error, "Z39.99-2017 §10.2";
    RLI_02 = "RLI-02", Must, stated, Error, "Z39.99-2017 §10.2";
    RLI_03 = "RLI-03", Must, stated, Error, "Z39.99-2017 §10.2, App. A";
    RLI_05 = "RLI-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    RLI_06 = "RLI-06", Must, stated, Error, "Z39.99-2017 §10.2";
    RLI_07 = "RLI-07", Should, stated, Warning, "Z39.99-2017 §10.2";
    RLI_11 = "RLI-11", MustNot, stated, Error, "Z39.99-2017 App. A";
    RLI_12 = "RLI-12", Must, stated, Info, "Z39.99-2017 §10.2";
    RLI_13 = "RLI-13", Should, derived, Warning, "Z39.99-2017 §10.2, Ex. 15/16";
    RD_01 = "RD-01", Must, stated, Error, "Z39.99-2017 §11.1";
    RD_02 = "RD-02", Must, stated, Error, "Z39.99-2017 §11.1";
    RD_03 = "RD-03", Must, stated, Error, "Z39.99-2017 §11.1, App. A";
    RD_05 = "RD-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    RD_06 = "RD-06", Must, stated, Error, "Z39.99-2017 §11.1";
    RD_07 = "RD-07", Should, stated, Warning, "Z39.99-2017 §11.1";
    RD_10 = "RD-10", Should, stated, Warning, "Z39.99-2017 §11.1";
    RD_11 = "RD-11", Should, stated, Warning, "Z39.99-2017 §11.1";
    RD_13 = "RD-13", MustNot, stated, Error, "Z39.99-2017 App. A";
    RD_16 = "RD-16", Should, stated, Info, "Z39.99-2017 §11.1";
    RD_17 = "RD-17", Must, stated, Error, "Z39.99-2017 §11.1";
    RDI_01 = "RDI-01", Must, stated, Error, "Z39.99-2017 §11.1, App. A";
    RDI_02 = "RDI-02", Must, stated, Error, "Z39.99-2017 §6.1, §11.1";
    RDI_03 = "RDI-03", Must, stated, Error, "Z39.99-2017 App. A";
    RDI_05 = "RDI-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    RDI_06 = "RDI-06", Must, derived, Error, "Z39.99-2017 §6.2, §11.1";
    RDI_07 = "RDI-07", Should, derived, Warning, "Z39.99-2017 §11.1";
    RDI_10 = "RDI-10", MustNot, stated, Error, "Z39.99-2017 App. A";
    RDM_02 = "RDM-02", Must, stated, Error, "Z39.99-2017 §11.2";
    RDM_03 = "RDM-03", Must, stated, Error, "Z39.99-2017 §11.2, App. A";
    RDM_05 = "RDM-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    RDM_06 = "RDM-06", Must, stated, Error, "Z39.99-2017 §11.2";
    RDM_09 = "RDM-09", Must, stated, Error, "Z39.99-2017 §11.2";
    RDM_10 = "RDM-10", Must, stated, Error, "Z39.99-2017 §11.2, §5.1";
    RDM_11 = "RDM-11", MustNot, stated, Error, "Z39.99-2017 App. A";
    RDM_12 = "RDM-12", Should, stated, Warning, "Z39.99-2017 §11.2";
    CL_01 = "CL-01", Must, stated, Error, "Z39.99-2017 §12.1";
    CL_02 = "CL-02", Must, stated, Error, "Z39.99-2017 §12.1";
    CL_03 = "CL-03", Must, stated, Error, "Z39.99-2017 §12.1, App. A";
    CL_05 = "CL-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    CL_06 = "CL-06", Must, stated, Error, "Z39.99-2017 §12.1";
    CL_07 = "CL-07", Should, stated, Warning, "Z39.99-2017 §12.1";
    CL_09 = "CL-09", Must, stated, Error, "Z39.99-2017 §12.1";
    CL_10 = "CL-10", Must, stated, Error, "Z39.99-2017 §12.1";
    CL_12 = "CL-12", MustNot, stated, Error, "Z39.99-2017 App. A";
    CL_13 = "CL-13", Must, stated, Error, "Z39.99-2017 §12.1";
    CL_18 = "CL-18", Must, stated, Info, "Z39.99-2017 §7, §12.1";
    CL_20 = "CL-20", Must, stated, Error, "Z39.99-2017 §12.2";
    CLI_01 = "CLI-01", Must, stated, Error, "Z39.99-2017 §12.2";
    CLI_02 = "CLI-02", Must, stated, Error, "Z39.99-2017 §12.2";
    CLI_03 = "CLI-03", Must, stated, Error, "Z39.99-2017 §12.2, App. A";
    CLI_05 = "CLI-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    CLI_06 = "CLI-06", Must, stated, Error, "Z39.99-2017 §12.2";
    CLI_07 = "CLI-07", Should, stated, Warning, "Z39.99-2017 §12.2";
    CLI_10 = "CLI-10", Should, stated, Warning, "Z39.99-2017 §12.2, App. A";
    CLI_11 = "CLI-11", Must, stated, Error, "Z39.99-2017 §12.2";
    CLI_12 = "CLI-12", MustNot, stated, Error, "Z39.99-2017 App. A";
    CLI_13 = "CLI-13", Must, stated, Error, "Z39.99-2017 §12.2";
    CLI_14 = "CLI-14", MustNot, derived, Warning, "Z39.99-2017 §7, §12.1";
    CLI_15 = "CLI-15", Should, derived, Warning, "Z39.99-2017 §12.1, Ex. 20";
    CLI_16 = "CLI-16", Should, derived, Warning, "Z39.99-2017 §12.2, Ex. 20/21";
    CLI_17 = "CLI-17", MustNot, stated, Error, "Z39.99-2017 §12.2";
    CD_01 = "CD-01", Must, stated, Error, "Z39.99-2017 §13.1";
    CD_02 = "CD-02", Must, stated, Error, "Z39.99-2017 §13.1";
    CD_03 = "CD-03", Must, stated, Error, "Z39.99-2017 §13.1, App. A";
    CD_05 = "CD-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    CD_06 = "CD-06", Must, stated, Error, "Z39.99-2017 §13.1";
    CD_07 = "CD-07", Should, stated, Warning, "Z39.99-2017 §13.1";
    CD_10 = "CD-10", Should, stated, Warning, "Z39.99-2017 §13.1";
    CD_11 = "CD-11", Should, stated, Warning, "Z39.99-2017 §13.1";
    CD_12 = "CD-12", Should, stated, Info, "Z39.99-2017 App. A, §13.1";
    CD_13 = "CD-13", MustNot, stated, Error, "Z39.99-2017 App. A";
    CD_14 = "CD-14", Should, stated, Warning, "Z39.99-2017 §13.1";
    CD_17 = "CD-17", Must, stated, Info, "Z39.99-2017 §13.1";
    CD_18 = "CD-18", Must, stated, Error, "Z39.99-2017 §13.1";
    CD_19 = "CD-19", Must, stated, Info, "Z39.99-2017 §13.1";
    CDI_01 = "CDI-01", Must, stated, Error, "Z39.99-2017 §13.1, App. A";
    CDI_02 = "CDI-02", Must, stated, Error, "Z39.99-2017 §6.1, §13.1";
    CDI_03 = "CDI-03", Must, stated, Error, "Z39.99-2017 App. A";
    CDI_05 = "CDI-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    CDI_06 = "CDI-06", Must, derived, Error, "Z39.99-2017 §6.2, §13.1";
    CDI_07 = "CDI-07", Should, derived, Warning, "Z39.99-2017 §13.1";
    CDI_09 = "CDI-09", Should, stated, Warning, "Z39.99-2017 App. A";
    CDI_10 = "CDI-10", MustNot, stated, Error, "Z39.99-2017 App. A";
    CDI_11 = "CDI-11", Must, derived, Error, "Z39.99-2017 §13.1, §12.2";
    CDI_12 = "CDI-12", Must, derived, Warning, "Z39.99-2017 §13.1, §12.2";
    CDM_02 = "CDM-02", Must, stated, Error, "Z39.99-2017 §13.2";
    CDM_03 = "CDM-03", Must, stated, Error, "Z39.99-2017 §13.2, App. A";
    CDM_05 = "CDM-05", MustNot, stated, Error, "Z39.99-2017 §7, App. A";
    CDM_06 = "CDM-06", Must, stated, Error, "Z39.99-2017 §13.2";
    CDM_09 = "CDM-09", Must, stated, Error, "Z39.99-2017 §13.2";
    CDM_10 = "CDM-10", Must, stated, Error, "Z39.99-2017 §13.2";
    CDM_11 = "CDM-11", Must, stated, Error, "Z39.99-2017 §13.2";
    CDM_12 = "CDM-12", MustNot, stated, Error, "Z39.99-2017 App. A";
    CDM_13 = "CDM-13", Should, stated, Warning, "Z39.99-2017 §13.2";
    CDM_14 = "CDM-14", ShouldNot, derived, Warning, "Z39.99-2017 §13.2";
    CDM_15 = "CDM-15", Must, stated, Error, "Z39.99-2017 §13.2";
    CDM_18 = "CDM-18", Must, stated, Warning, "Z39.99-2017 §13.2";
    CN_02 = "CN-02", Must, stated, Error, "Change Notification 1.0.1 §3";
    CN_03 = "CN-03", Must, stated, Error, "Change Notification 1.0.1 §3";
    CN_04 = "CN-04", Must, stated, Error, "Change Notification 1.0.1 §3";
    CN_05 = "CN-05", MustNot, derived, Warning, "Change Notification 1.0.1 §3; Z39.99-2017 §7";
    CN_09 = "CN-09", Must, stated, Error, "Change Notification 1.0.1 §3";
    CN_10 = "CN-10", Must, stated, Error, "Change Notification 1.0.1 §3";
    CN_12 = "CN-12", MustNot, stated, Error, "Z39.99-2017 §7";
    CN_14 = "CN-14", Must, stated, Error, "Change Notification 1.0.1 §3";
    FN_02 = "FN-02", Must, stated, Error, "Framework Notification 1.0.1 §3";
    FN_04 = "FN-04", MustNot, derived, Warning, "Framework Notification 1.0.1 §3; Z39.99-2017 §7";
    FN_07 = "FN-07", Must, stated, Error, "Framework Notification 1.0.1 §3";
    FN_08 = "FN-08", Must, stated, Error, "Framework Notification 1.0.1 §3";
    FN_09 = "FN-09", Must, stated, Error, "Framework Notification 1.0.1 §3";
    FN_10 = "FN-10", Must, stated, Warning, "Framework Notification 1.0.1 §3";
    FN_12 = "FN-12", MustNot, derived, Warning, "Framework Notification 1.0.1 §3";
    FN_13 = "FN-13", ShouldNot, derived, Info, "Framework Notification 1.0.1 §3";
    FN_14 = "FN-14", Must, stated, Error, "Framework Notification 1.0.1 §2, §3";
    FN_15 = "FN-15", MustNot, stated, Error, "Framework Notification 1.0.1 §2, §3";
    FN_16 = "FN-16", ShouldNot, derived, Warning, "Framework Notification 1.0.1 §3";
    FN_17 = "FN-17", Must, stated, Warning, "Framework Notification 1.0.1 §2, §3";
    PKG_01 = "PKG-01", Must, stated, Error, "Z39.99-2017 §11.2, §13.2";
    PKG_02 = "PKG-02", Must, stated, Error, "Z39.99-2017 §11.2, §13.2";
    PKG_03 = "PKG-03", Must, derived, Error, "Z39.99-2017 §7, §11.2, §13.2";
    PKG_04 = "PKG-04", Must, stated, Warning, "Z39.99-2017 §11.2, §13.2, §6.1";
    PKG_05 = "PKG-05", Must, derived, Error, "Z39.99-2017 §7";
    PKG_06 = "PKG-06", Must, derived, Error, "Z39.99-2017 §7";
    PKG_07 = "PKG-07", Must, stated, Error, "Z39.99-2017 §11.2, §13.2";
    PKG_08 = "PKG-08", Must, derived, Error, "Z39.99-2017 §2, §11.1";
    PKG_09 = "PKG-09", MustNot, derived, Error, "Z39.99-2017 §7";
    PKG_10 = "PKG-10", ShouldNot, derived, Warning, "Z39.99-2017 §13.2";
    PKG_11 = "PKG-11", Must, stated, Error, "Z39.99-2017 §14.4";
    PKG_12 = "PKG-12", MustNot, derived, Error, "Z39.99-2017 §11.2";
    PKG_13 = "PKG-13", MustNot, derived, Error, "";
    PKG_14 = "PKG-14", Must, derived, Error, "Z39.99-2017 §7, §11.1, §13.1";
    PKG_15 = "PKG-15", Should, derived, Warning, "Z39.99-2017 Ex. 17, 18, 22, 23";
    PKG_16 = "PKG-16", Must, stated, Error, "Z39.99-2017 §11.1, §13.1";
    PKG_17 = "PKG-17", MustNot, derived, Info, "Z39.99-2017 §11.1, §13.1";
    AT_01 = "AT-01", Must, stated, Error, "Z39.99-2017 §7";
    AT_02 = "AT-02", Should, stated, Warning, "Z39.99-2017 §7";
    AT_03 = "AT-03", Must, derived, Error, "Z39.99-2017 §7, Table 3";
    AT_04 = "AT-04", Must, stated, Error, "Z39.99-2017 §7";
    AT_05 = "AT-05", May, stated, Warning, "Z39.99-2017 §7";
    AT_06 = "AT-06", Must, stated, Error, "Z39.99-2017 §7";
    AT_07 = "AT-07", Must, derived, Error, "Z39.99-2017 §7";
    AT_08 = "AT-08", ShouldNot, derived, Warning, "Z39.99-2017 §7";
    AT_09 = "AT-09", Must, derived, Error, "Z39.99-2017 §7";
    AT_10 = "AT-10", Must, derived, Error, "Z39.99-2017 §7";
    AT_11 = "AT-11", Should, stated, Warning, "Z39.99-2017 §7";
    AT_12 = "AT-12", Must, derived, Error, "Z39.99-2017 §7";
    AT_13 = "AT-13", Should, stated, Info, "Z39.99-2017 §7";
    AT_14 = "AT-14", Should, stated, Warning, "Z39.99-2017 §7";
    AT_15 = "AT-15", MustNot, stated, Error, "Z39.99-2017 §7";
    AT_16 = "AT-16", Must, stated, Error, "Z39.99-2017 §11.2, §13.2";
    AT_17 = "AT-17", MustNot, derived, Error, "Z39.99-2017 §7";
    AT_19 = "AT-19", Must, stated, Error, "Z39.99-2017 §7";
    AT_21 = "AT-21", Must, stated, Error, "Z39.99-2017 §7, §12.1, §13.2; Change Notification 1.0.1 §3; Framework Notification 1.0.1 §3";
    AT_22 = "AT-22", ShouldNot, stated, Warning, "Z39.99-2017 §7";
    AT_23 = "AT-23", ShouldNot, stated, Warning, "Z39.99-2017 §7";
    AT_24 = "AT-24", Must, stated, Error, "Z39.99-2017 §7";
    AT_30 = "AT-30", Must, stated, Error, "Z39.99-2017 §7";
    AT_33 = "AT-33", ShouldNot, derived, Warning, "Z39.99-2017 §7";
    AT_34 = "AT-34", Must, stated, Error, "Z39.99-2017 §7";
    AT_37 = "AT-37", ShouldNot, derived, Info, "Z39.99-2017 §7, Table 3";
    AT_39 = "AT-39", Must, derived, Info, "Z39.99-2017 §10.1";
    NS_01 = "NS-01", MustNot, stated, Error, "Z39.99-2017 §7";
    NS_02 = "NS-02", Must, stated, Error, "Z39.99-2017 §7";
    NS_03 = "NS-03", ShouldNot, derived, Warning, "Z39.99-2017 §7, Table 3";
    LK_01 = "LK-01", Must, stated, Error, "Z39.99-2017 §7";
    LK_02 = "LK-02", Must, stated, Error, "Z39.99-2017 §7";
    LK_03 = "LK-03", Must, derived, Error, "Z39.99-2017 §7";
    LK_04 = "LK-04", Must, stated, Error, "Z39.99-2017 §7";
    LK_05 = "LK-05", Must, stated, Warning, "Z39.99-2017 §7, §14.1";
    LK_06 = "LK-06", ShouldNot, derived, Info, "Z39.99-2017 §14.1; Change Notification 1.0.1 §3";
    LK_07 = "LK-07", ShouldNot, derived, Warning, "Z39.99-2017 §8–§13";
    LK_08 = "LK-08", Must, stated, Error, "Z39.99-2017 §7, §6.2";
    LK_09 = "LK-09", ShouldNot, derived, Warning, "Z39.99-2017 §6.2";
    LK_10 = "LK-10", Must, stated, Error, "Z39.99-2017 §6.2, §7";
    LK_11 = "LK-11", ShouldNot, stated, Info, "Z39.99-2017 §14.2";
    LK_13 = "LK-13", Should, stated, Warning, "Z39.99-2017 §14.3";
    LK_16 = "LK-16", Must, stated, Error, "Z39.99-2017 §14.4";
    LK_18 = "LK-18", MustNot, stated, Warning, "Z39.99-2017 §14.4";
    LK_19 = "LK-19", Must, stated, Error, "Z39.99-2017 §14.4";
    LK_20 = "LK-20", ShouldNot, derived, Info, "Z39.99-2017 §7, §14.4";
    LK_21 = "LK-21", ShouldNot, derived, Warning, "Z39.99-2017 §14.4";
    LK_22 = "LK-22", Must, stated, Error, "Z39.99-2017 §14.4";
    LK_23 = "LK-23", Must, stated, Info, "Z39.99-2017 §14.5";
    LK_25 = "LK-25", Must, derived, Warning, "Z39.99-2017 §14.6";
    LK_26 = "LK-26", Must, derived, Warning, "Z39.99-2017 §14.6";
    LK_27 = "LK-27", Should, derived, Info, "Z39.99-2017 §14.6";
    LK_28 = "LK-28", ShouldNot, stated, Warning, "Z39.99-2017 §14.6";
    LK_30 = "LK-30", Should, stated, Warning, "Z39.99-2017 §14.8";
    LK_32 = "LK-32", Must, derived, Warning, "Z39.99-2017 §7, §11.1, §13.1";
    LK_33 = "LK-33", Must, stated, Error, "Z39.99-2017 §7";
    LK_34 = "LK-34", ShouldNot, derived, Info, "Change Notification 1.0.1 §5; Framework Notification 1.0.1 §5";
    FT_01 = "FT-01", MustNot, stated, Error, "Framework Notification 1.0.1 §2.1";
    FT_02 = "FT-02", MustNot, stated, Error, "Framework Notification 1.0.1 §2.1";
    FT_03 = "FT-03", MustNot, stated, Error, "Framework Notification 1.0.1 §2.1";
    FT_04 = "FT-04", MustNot, stated, Error, "Framework Notification 1.0.1 §2.1";
    TA_12 = "TA-12", MustNot, derived, Warning, "Z39.99-2017 App. A";
    TA_13 = "TA-13", ShouldNot, derived, Warning, "Z39.99-2017 §7, Ex. 20, 22";
    TA_14 = "TA-14", ShouldNot, derived, Warning, "Z39.99-2017 §7, Ex. 15, 17";
    DI_02 = "DI-02", Should, stated, Warning, "Z39.99-2017 §6.3.2";
    DI_04 = "DI-04", Must, stated, Warning, "Z39.99-2017 §6.3.3";
    DI_05 = "DI-05", Must, stated, Warning, "Z39.99-2017 §6.3.3";
    DI_07 = "DI-07", Must, stated, Warning, "Z39.99-2017 §6.3.3";
    DI_08 = "DI-08", Must, stated, Warning, "Z39.99-2017 §6.3.3";
    CH_06 = "CH-06", Must, stated, Info, "Change Notification 1.0.1 §2; Framework Notification 1.0.1 §2.1";
    WS_01 = "WS-01", Must, stated, Error, "Change Notification 1.0.1 §4.1; Framework Notification 1.0.1 §4.1";
    WS_02 = "WS-02", Must, stated, Error, "Change Notification 1.0.1 §4.1; Framework Notification 1.0.1 §4.1";
    WS_03 = "WS-03", Must, stated, Error, "Change Notification 1.0.1 §4.1; Framework Notification 1.0.1 §4.1";
    WS_04 = "WS-04", Must, stated, Error, "Change Notification 1.0.1 §4.1; Framework Notification 1.0.1 §4.1";
    WS_06 = "WS-06", Should, stated, Warning, "Framework Notification 1.0.1 §4.1; Change Notification 1.0.1 §4.1";
    AD_01 = "AD-01", Must, stated, Error, "Change Notification 1.0.1 §5; Framework Notification 1.0.1 §5";
    AD_05 = "AD-05", Must, stated, Error, "Change Notification 1.0.1 §4.1, §5";

    // Input: reasons why the bytes could not be read as a document.
    INP_01 = "INP-01", Beyond, stated, Warning, "";
    INP_02 = "INP-02", Beyond, stated, Error, "";
    INP_03 = "INP-03", Beyond, stated, Error, "";
    INP_04 = "INP-04", Beyond, stated, Warning, "";
    INP_05 = "INP-05", Beyond, stated, Error, "";
    INP_06 = "INP-06", Beyond, stated, Warning, "";

    // Limits: what was not checked, and why.
    LIM_01 = "LIM-01", Beyond, stated, Warning, "";
    LIM_02 = "LIM-02", Beyond, stated, Warning, "";
    LIM_03 = "LIM-03", Beyond, stated, Warning, "";
    LIM_04 = "LIM-04", Beyond, stated, Warning, "";
    LIM_05 = "LIM-05", Beyond, stated, Warning, "";
    LIM_06 = "LIM-06", Beyond, stated, Warning, "";
    LIM_07 = "LIM-07", Beyond, stated, Warning, "";
    LIM_08 = "LIM-08", Beyond, stated, Warning, "";
    LIM_09 = "LIM-09", Beyond, stated, Warning, "";
    LIM_10 = "LIM-10", Beyond, stated, Warning, "";
    LIM_11 = "LIM-11", Beyond, stated, Warning, "";
    LIM_12 = "LIM-12", Beyond, stated, Warning, "";
    LIM_13 = "LIM-13", Beyond, stated, Warning, "";
    LIM_14 = "LIM-14", Beyond, stated, Warning, "";
    LIM_15 = "LIM-15", Beyond, stated, Warning, "";
    LIM_16 = "LIM-16", Beyond, stated, Warning, "";
    LIM_17 = "LIM-17", Beyond, stated, Warning, "";
    LIM_18 = "LIM-18", Beyond, stated, Warning, "";
    LIM_19 = "LIM-19", Beyond, stated, Warning, "";

    // Packages: archives that are corrupt or can be read in more than one way.
    ZIP_01 = "ZIP-01", Beyond, stated, Error, "";
    ZIP_02 = "ZIP-02", Beyond, stated, Error, "";
    ZIP_03 = "ZIP-03", Beyond, stated, Error, "";
    ZIP_04 = "ZIP-04", Beyond, stated, Error, "";
    ZIP_05 = "ZIP-05", Beyond, stated, Error, "";
    ZIP_06 = "ZIP-06", Beyond, stated, Error, "";
    ZIP_07 = "ZIP-07", Beyond, stated, Error, "";
    ZIP_08 = "ZIP-08", Beyond, stated, Error, "";
    ZIP_09 = "ZIP-09", Beyond, stated, Error, "";
    ZIP_10 = "ZIP-10", Beyond, stated, Error, "";
    ZIP_11 = "ZIP-11", Beyond, stated, Error, "";
    ZIP_12 = "ZIP-12", Beyond, stated, Error, "";
    ZIP_13 = "ZIP-13", Beyond, stated, Error, "";
    ZIP_14 = "ZIP-14", Beyond, stated, Warning, "";
    ZIP_15 = "ZIP-15", Beyond, stated, Error, "";
    ZIP_16 = "ZIP-16", Beyond, stated, Warning, "";
    ZIP_17 = "ZIP-17", Beyond, stated, Error, "";
    ZIP_18 = "ZIP-18", Beyond, stated, Error, "";
    ZIP_19 = "ZIP-19", Beyond, stated, Error, "";
    ZIP_20 = "ZIP-20", Beyond, stated, Error, "";
    ZIP_21 = "ZIP-21", Beyond, stated, Error, "";
    ZIP_22 = "ZIP-22", Beyond, stated, Error, "";
    ZIP_23 = "ZIP-23", Beyond, stated, Error, "";
    ZIP_24 = "ZIP-24", Beyond, stated, Error, "";
    ZIP_25 = "ZIP-25", Beyond, stated, Error, "";
    ZIP_26 = "ZIP-26", Beyond, stated, Warning, "";
    ZIP_27 = "ZIP-27", Beyond, stated, Error, "";
    ZIP_28 = "ZIP-28", Beyond, stated, Error, "";
    ZIP_29 = "ZIP-29", Beyond, stated, Error, "";

    // Advice beyond the standard.
    ADV_01 = "ADV-01", Beyond, stated, Info, "";
    ADV_02 = "ADV-02", Beyond, stated, Info, "";
    ADV_03 = "ADV-03", Beyond, stated, Info, "";
    ADV_04 = "ADV-04", Beyond, stated, Info, "";
    ADV_05 = "ADV-05", Beyond, stated, Info, "";
    ADV_06 = "ADV-06", Beyond, stated, Info, "";
    ADV_07 = "ADV-07", Beyond, stated, Info, "";
    ADV_08 = "ADV-08", Beyond, stated, Info, "";
    ADV_09 = "ADV-09", Beyond, stated, Info, "";
    ADV_10 = "ADV-10", Beyond, stated, Info, "";
    ADV_11 = "ADV-11", Beyond, stated, Info, "";
    ADV_12 = "ADV-12", Beyond, stated, Info, "";
    ADV_13 = "ADV-13", Beyond, stated, Warning, "";

    // What search engines reject: off unless selected.
    SEO_01 = "SEO-01", Beyond, stated, Info, "";
    SEO_02 = "SEO-02", Beyond, stated, Warning, "";
    SEO_03 = "SEO-03", Beyond, stated, Error, "";
    SEO_04 = "SEO-04", Beyond, stated, Warning, "";
    SEO_05 = "SEO-05", Beyond, stated, Error, "";
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_code_is_written_as_its_id() {
        assert_eq!(format!("{} {:?}", Code::RL_03, Code::LIM_01), "RL-03 LIM-01");
    }
}
