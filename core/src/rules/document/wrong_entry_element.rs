//! `wrong-entry-element`

use crate::rules::rule;

rule! {
    "wrong-entry-element" reports [GEN_08]
    checks []
    message "wrong-entry-element"
    help "wrong-entry-element"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
