//! `unexpected-root`

use crate::rules::rule;

rule! {
    "unexpected-root" reports [SD_01, CAP_01, RL_01, RLI_01, RD_01, RDI_01, CL_01, CLI_01, CD_01, CDI_01]
    checks []
    message "unexpected-root"
    help "unexpected-root"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
