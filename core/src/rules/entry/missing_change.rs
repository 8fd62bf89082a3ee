//! `missing-change`

use crate::rules::rule;

rule! {
    "missing-change" reports [CL_10, CDM_10, CN_09, FN_08]
    checks []
    message "missing-change"
    help "missing-change"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
