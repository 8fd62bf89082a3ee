//! `late-head-limit`

use crate::rules::rule;

rule! {
    "late-head-limit" reports [LIM_10]
    checks []
    message "late-head-limit"
    help "late-head-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
