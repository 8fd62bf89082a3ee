//! `missing-path`

use crate::rules::rule;

rule! {
    "missing-path" reports [RDM_10, CDM_11]
    checks []
    message "missing-path"
    help "missing-path"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
