//! `misplaced-link`

use crate::rules::rule;

rule! {
    "misplaced-link" reports [LK_06]
    checks []
    message "misplaced-link"
    help "misplaced-link"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
