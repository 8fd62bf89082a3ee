//! `document-limit`

use crate::rules::rule;

rule! {
    "document-limit" reports [LIM_01]
    checks []
    message "document-limit"
    help "document-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
