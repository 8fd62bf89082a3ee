//! `too-many-entries`

use crate::rules::rule;

rule! {
    "too-many-entries" reports [GEN_18]
    checks []
    message "too-many-entries"
    help "too-many-entries"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
