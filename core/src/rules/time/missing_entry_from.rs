//! `missing-entry-from`

use crate::rules::rule;

rule! {
    "missing-entry-from" reports [CLI_10, CDI_09, CD_12]
    checks []
    message "missing-entry-from"
    help "missing-entry-from"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
