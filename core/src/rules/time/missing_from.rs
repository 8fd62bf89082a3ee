//! `missing-from`

use crate::rules::rule;

rule! {
    "missing-from" reports [CL_03, CLI_03, CD_03, CDI_03, CDM_03, CN_03]
    checks []
    message "missing-from"
    help "missing-from"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
