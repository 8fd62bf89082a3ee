//! `missing-up`

use crate::rules::rule;

rule! {
    "missing-up" reports [CAP_04, RL_06, RLI_06, RD_06, RDI_06, RDM_06, CL_06, CLI_06, CD_06, CDI_06, CDM_06]
    checks []
    message "missing-up"
    help "missing-up"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
