//! `not-zip`

use crate::rules::rule;

rule! {
    "not-zip" reports [RD_16, CD_17]
    checks []
    message "not-zip"
    help "not-zip"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
