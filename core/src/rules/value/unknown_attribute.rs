//! `unknown-attribute`

use crate::rules::rule;

rule! {
    "unknown-attribute" reports [NS_02]
    checks []
    message "unknown-attribute"
    help "unknown-attribute"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
