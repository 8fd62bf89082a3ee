//! `package-order`

use crate::rules::rule;

rule! {
    "package-order" reports [CD_14]
    checks []
    message "package-order"
    help "package-order"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
