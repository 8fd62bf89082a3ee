//! `change-without-datetime`

use crate::rules::rule;

rule! {
    "change-without-datetime" reports [ADV_02]
    checks []
    message "change-without-datetime"
    help "change-without-datetime"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
