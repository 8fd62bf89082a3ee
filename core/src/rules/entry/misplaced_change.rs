//! `misplaced-change`

use crate::rules::rule;

rule! {
    "misplaced-change" reports [AT_22]
    checks []
    message "misplaced-change"
    help "misplaced-change"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
