//! `index-of-capability-lists`

use crate::rules::rule;

rule! {
    "index-of-capability-lists" reports [CAP_02]
    checks []
    message "index-of-capability-lists"
    help "index-of-capability-lists"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
