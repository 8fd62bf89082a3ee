//! `misplaced-attribute`

use crate::rules::rule;

rule! {
    "misplaced-attribute" reports [NS_03]
    checks []
    message "misplaced-attribute"
    help "misplaced-attribute"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
