//! `repeated-element`

use crate::rules::rule;

rule! {
    "repeated-element" reports [GEN_15]
    checks []
    message "repeated-element"
    help "repeated-element"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
