//! `malformed-pri`

use crate::rules::rule;

rule! {
    "malformed-pri" reports [AT_19]
    checks []
    message "malformed-pri"
    help "malformed-pri"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
