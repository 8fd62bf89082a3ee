//! `unknown-hash-algorithm`

use crate::rules::rule;

rule! {
    "unknown-hash-algorithm" reports [AT_05]
    checks []
    message "unknown-hash-algorithm"
    help "unknown-hash-algorithm"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
