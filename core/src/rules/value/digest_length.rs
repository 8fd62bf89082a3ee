//! `digest-length`

use crate::rules::rule;

rule! {
    "digest-length" reports [AT_07]
    checks []
    message "digest-length"
    help "digest-length"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
