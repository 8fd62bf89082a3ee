//! `malformed-rel`

use crate::rules::rule;

rule! {
    "malformed-rel" reports [LK_04]
    checks []
    message "malformed-rel"
    help "malformed-rel"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
