//! `reversed-interval`

use crate::rules::rule;

rule! {
    "reversed-interval" reports [GEN_32]
    checks []
    message "reversed-interval"
    help "reversed-interval"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
