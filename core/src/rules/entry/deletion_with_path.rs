//! `deletion-with-path`

use crate::rules::rule;

rule! {
    "deletion-with-path" reports [CDM_14]
    checks []
    message "deletion-with-path"
    help "deletion-with-path"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
