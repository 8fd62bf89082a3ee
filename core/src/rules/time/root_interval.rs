//! `root-interval`

use crate::rules::rule;

rule! {
    "root-interval" reports [RL_05, RLI_05, RD_05, RDI_05, RDM_05]
    checks []
    message "root-interval"
    help "root-interval"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
