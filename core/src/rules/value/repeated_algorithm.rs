//! `repeated-algorithm`

use crate::rules::rule;

rule! {
    "repeated-algorithm" reports [AT_08]
    checks []
    message "repeated-algorithm"
    help "repeated-algorithm"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
