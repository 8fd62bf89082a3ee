//! `not-a-document`

use crate::rules::rule;

rule! {
    "not-a-document" reports [INP_02]
    checks []
    message "not-a-document"
    help "not-a-document"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
