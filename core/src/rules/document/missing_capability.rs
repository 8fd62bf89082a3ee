//! `missing-capability`

use crate::rules::rule;

rule! {
    "missing-capability" reports [GEN_05]
    checks []
    message "missing-capability"
    help "missing-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
