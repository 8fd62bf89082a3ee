//! `digest-not-hex`

use crate::rules::rule;

rule! {
    "digest-not-hex" reports [AT_06]
    checks []
    message "digest-not-hex"
    help "digest-not-hex"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
