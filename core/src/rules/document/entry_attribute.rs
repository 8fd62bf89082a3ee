//! `entry-attribute`

use crate::rules::rule;

rule! {
    "entry-attribute" reports [GEN_12]
    checks []
    message "entry-attribute"
    help "entry-attribute"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
