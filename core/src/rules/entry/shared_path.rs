//! `shared-path`

use crate::rules::rule;

rule! {
    "shared-path" reports [PKG_10]
    checks []
    message "shared-path"
    help "shared-path"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
