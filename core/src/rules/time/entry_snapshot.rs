//! `entry-snapshot`

use crate::rules::rule;

rule! {
    "entry-snapshot" reports [CLI_12, CD_13, CDI_10]
    checks []
    message "entry-snapshot"
    help "entry-snapshot"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
