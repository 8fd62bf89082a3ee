//! `name-limit`

use crate::rules::rule;

rule! {
    "name-limit" reports [LIM_06]
    checks []
    message "name-limit"
    help "name-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
