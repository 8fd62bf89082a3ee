//! `malformed-type`

use crate::rules::rule;

rule! {
    "malformed-type" reports [AT_12]
    checks []
    message "malformed-type"
    help "malformed-type"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
