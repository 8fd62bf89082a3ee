//! `misplaced-capability`

use crate::rules::rule;

rule! {
    "misplaced-capability" reports [AT_33]
    checks []
    message "misplaced-capability"
    help "misplaced-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
