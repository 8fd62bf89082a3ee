//! `missing-at`

use crate::rules::rule;

rule! {
    "missing-at" reports [RL_03, RLI_03, RD_03, RDI_03, RDM_03]
    checks []
    message "missing-at"
    help "missing-at"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
