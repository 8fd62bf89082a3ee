//! `patch-without-path`

use crate::rules::rule;

rule! {
    "patch-without-path" reports [LK_19]
    checks []
    message "patch-without-path"
    help "patch-without-path"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
