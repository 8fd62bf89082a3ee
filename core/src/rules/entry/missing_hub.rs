//! `missing-hub`

use crate::rules::rule;

rule! {
    "missing-hub" reports [CAP_12]
    checks []
    message "missing-hub"
    help "missing-hub"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
