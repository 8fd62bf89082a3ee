//! `patch-without-update`

use crate::rules::rule;

rule! {
    "patch-without-update" reports [LK_21]
    checks []
    message "patch-without-update"
    help "patch-without-update"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
