//! `too-large`

use crate::rules::rule;

rule! {
    "too-large" reports [GEN_19]
    checks []
    message "too-large"
    help "too-large"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
