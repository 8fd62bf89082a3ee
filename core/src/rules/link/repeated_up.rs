//! `repeated-up`

use crate::rules::rule;

rule! {
    "repeated-up" reports [LK_07]
    checks []
    message "repeated-up"
    help "repeated-up"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
