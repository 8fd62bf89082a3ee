//! `unexpected-capability`

use crate::rules::rule;

rule! {
    "unexpected-capability" reports [SD_02, CAP_03, RL_02, RLI_02, RD_02, RDI_02, RDM_02, CL_02, CLI_02, CD_02, CDI_02, CDM_02, CN_02, FN_02]
    checks []
    message "unexpected-capability"
    help "unexpected-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
