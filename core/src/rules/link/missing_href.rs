//! `missing-href`

use crate::rules::rule;

rule! {
    "missing-href" reports [LK_01]
    checks []
    message "missing-href"
    help "missing-href"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
