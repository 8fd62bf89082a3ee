//! `unreadable`

use crate::rules::rule;

rule! {
    "unreadable" reports [INP_01]
    checks []
    message "unreadable"
    help "unreadable"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
