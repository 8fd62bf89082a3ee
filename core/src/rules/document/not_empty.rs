//! `not-empty`

use crate::rules::rule;

rule! {
    "not-empty" reports [GEN_34]
    checks []
    message "not-empty"
    help "not-empty"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
