//! `patch-without-type`

use crate::rules::rule;

rule! {
    "patch-without-type" reports [LK_16]
    checks []
    message "patch-without-type"
    help "patch-without-type"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
