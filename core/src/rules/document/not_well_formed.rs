//! `not-well-formed`

use crate::rules::rule;

rule! {
    "not-well-formed" reports [GEN_01]
    checks []
    message "not-well-formed"
    help "not-well-formed"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
