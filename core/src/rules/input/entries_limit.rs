//! `entries-limit`

use crate::rules::rule;

rule! {
    "entries-limit" reports [LIM_02]
    checks []
    message "entries-limit"
    help "entries-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
