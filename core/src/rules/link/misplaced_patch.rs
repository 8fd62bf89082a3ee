//! `misplaced-patch`

use crate::rules::rule;

rule! {
    "misplaced-patch" reports [LK_18]
    checks []
    message "misplaced-patch"
    help "misplaced-patch"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
