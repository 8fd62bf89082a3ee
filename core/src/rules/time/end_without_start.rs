//! `end-without-start`

use crate::rules::rule;

rule! {
    "end-without-start" reports [TA_12]
    checks []
    message "end-without-start"
    help "end-without-start"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
