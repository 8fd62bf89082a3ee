//! `namespaces-limit`

use crate::rules::rule;

rule! {
    "namespaces-limit" reports [LIM_05]
    checks []
    message "namespaces-limit"
    help "namespaces-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
