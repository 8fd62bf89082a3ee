//! `missing-describedby`

use crate::rules::rule;

rule! {
    "missing-describedby" reports [SD_03, CAP_05]
    checks []
    message "missing-describedby"
    help "missing-describedby"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
