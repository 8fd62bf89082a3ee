//! `not-utc`

use crate::rules::rule;

rule! {
    "not-utc" reports [AT_02]
    checks []
    message "not-utc"
    help "not-utc"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
