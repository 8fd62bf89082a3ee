//! `bare-patch`

use crate::rules::rule;

rule! {
    "bare-patch" reports [LK_22]
    checks []
    message "bare-patch"
    help "bare-patch"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
