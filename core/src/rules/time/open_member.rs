//! `open-member`

use crate::rules::rule;

rule! {
    "open-member" reports [CLI_14, CLI_15, CDI_12]
    checks []
    message "open-member"
    help "open-member"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
