//! `change-order`

use crate::rules::rule;

rule! {
    "change-order" reports [CL_13, CDM_15, CN_10]
    checks []
    message "change-order"
    help "change-order"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
