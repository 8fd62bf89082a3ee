//! `prefixed-attribute`

use crate::rules::rule;

rule! {
    "prefixed-attribute" reports [NS_01]
    checks []
    message "prefixed-attribute"
    help "prefixed-attribute"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
