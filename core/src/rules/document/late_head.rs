//! `late-head`

use crate::rules::rule;

rule! {
    "late-head" reports [GEN_21]
    checks []
    message "late-head"
    help "late-head"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
