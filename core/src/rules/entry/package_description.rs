//! `package-description`

use crate::rules::rule;

rule! {
    "package-description" reports [RD_10, CD_10]
    checks []
    message "package-description"
    help "package-description"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
