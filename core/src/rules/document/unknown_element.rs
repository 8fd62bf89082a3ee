//! `unknown-element`

use crate::rules::rule;

rule! {
    "unknown-element" reports [GEN_24]
    checks []
    message "unknown-element"
    help "unknown-element"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
