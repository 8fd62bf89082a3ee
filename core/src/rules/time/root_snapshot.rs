//! `root-snapshot`

use crate::rules::rule;

rule! {
    "root-snapshot" reports [CL_05, CLI_05, CD_05, CDI_05, CDM_05, CN_05, FN_04]
    checks []
    message "root-snapshot"
    help "root-snapshot"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
