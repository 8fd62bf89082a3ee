//! `entry-times`

use crate::rules::rule;

rule! {
    "entry-times" reports [SD_15, CAP_19, RL_12, RDM_11, CL_12, CDM_12, CN_12]
    checks []
    message "entry-times"
    help "entry-times"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
