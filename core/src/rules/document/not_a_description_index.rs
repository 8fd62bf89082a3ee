//! `not-a-description-index`

use crate::rules::rule;

rule! {
    "not-a-description-index" reports [SDI_02]
    checks []
    message "not-a-description-index"
    help "not-a-description-index"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
