//! `inflate-limit`

use crate::rules::rule;

rule! {
    "inflate-limit" reports [LIM_11]
    checks []
    message "inflate-limit"
    help "inflate-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
