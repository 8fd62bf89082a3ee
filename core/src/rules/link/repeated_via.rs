//! `repeated-via`

use crate::rules::rule;

rule! {
    "repeated-via" reports [LK_30]
    checks []
    message "repeated-via"
    help "repeated-via"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
