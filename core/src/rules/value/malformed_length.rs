//! `malformed-length`

use crate::rules::rule;

rule! {
    "malformed-length" reports [AT_10]
    checks []
    message "malformed-length"
    help "malformed-length"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
