//! `root-times`

use crate::rules::rule;

rule! {
    "root-times" reports [SD_10, CAP_14]
    checks []
    message "root-times"
    help "root-times"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
