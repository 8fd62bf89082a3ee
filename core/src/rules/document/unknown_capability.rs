//! `unknown-capability`

use crate::rules::rule;

rule! {
    "unknown-capability" reports [GEN_06, CAP_10, FN_10]
    checks []
    message "unknown-capability"
    help "unknown-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
