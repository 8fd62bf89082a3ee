//! `redundant-attribute`

use crate::rules::rule;

rule! {
    "redundant-attribute" reports [LK_11]
    checks []
    message "redundant-attribute"
    help "redundant-attribute"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
