//! `attributes-limit`

use crate::rules::rule;

rule! {
    "attributes-limit" reports [LIM_04]
    checks []
    message "attributes-limit"
    help "attributes-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
