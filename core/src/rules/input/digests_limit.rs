//! `digests-limit`

use crate::rules::rule;

rule! {
    "digests-limit" reports [LIM_12]
    checks []
    message "digests-limit"
    help "digests-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
