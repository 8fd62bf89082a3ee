//! `mixed-package-types`

use crate::rules::rule;

rule! {
    "mixed-package-types" reports [RD_11, CD_11]
    checks []
    message "mixed-package-types"
    help "mixed-package-types"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
