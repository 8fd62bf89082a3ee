//! `repeated-memento`

use crate::rules::rule;

rule! {
    "repeated-memento" reports [LK_25]
    checks []
    message "repeated-memento"
    help "repeated-memento"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
