//! `missing-type`

use crate::rules::rule;

rule! {
    "missing-type" reports [RDM_12, CDM_13]
    checks []
    message "missing-type"
    help "missing-type"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
