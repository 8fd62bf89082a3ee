//! `value-limit`

use crate::rules::rule;

rule! {
    "value-limit" reports [LIM_07]
    checks []
    message "value-limit"
    help "value-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
