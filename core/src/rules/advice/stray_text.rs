//! `stray-text`

use crate::rules::rule;

rule! {
    "stray-text" reports [ADV_10]
    checks []
    message "stray-text"
    help "stray-text"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
