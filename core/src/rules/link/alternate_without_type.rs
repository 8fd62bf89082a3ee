//! `alternate-without-type`

use crate::rules::rule;

rule! {
    "alternate-without-type" reports [LK_13]
    checks []
    message "alternate-without-type"
    help "alternate-without-type"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
