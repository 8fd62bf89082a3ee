//! `missing-until`

use crate::rules::rule;

rule! {
    "missing-until" reports [CN_04]
    checks []
    message "missing-until"
    help "missing-until"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
