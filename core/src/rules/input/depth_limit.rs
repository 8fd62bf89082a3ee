//! `depth-limit`

use crate::rules::rule;

rule! {
    "depth-limit" reports [LIM_03]
    checks []
    message "depth-limit"
    help "depth-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
