//! `missing-rel`

use crate::rules::rule;

rule! {
    "missing-rel" reports [LK_02]
    checks []
    message "missing-rel"
    help "missing-rel"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
