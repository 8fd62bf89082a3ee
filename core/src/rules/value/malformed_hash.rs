//! `malformed-hash`

use crate::rules::rule;

rule! {
    "malformed-hash" reports [AT_04]
    checks []
    message "malformed-hash"
    help "malformed-hash"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
