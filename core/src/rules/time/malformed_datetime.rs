//! `malformed-datetime`

use crate::rules::rule;

rule! {
    "malformed-datetime" reports [AT_01, AT_03]
    checks []
    message "malformed-datetime"
    help "malformed-datetime"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
