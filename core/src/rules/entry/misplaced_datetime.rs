//! `misplaced-datetime`

use crate::rules::rule;

rule! {
    "misplaced-datetime" reports [AT_23]
    checks []
    message "misplaced-datetime"
    help "misplaced-datetime"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
