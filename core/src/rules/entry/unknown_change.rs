//! `unknown-change`

use crate::rules::rule;

rule! {
    "unknown-change" reports [AT_21]
    checks []
    message "unknown-change"
    help "unknown-change"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
