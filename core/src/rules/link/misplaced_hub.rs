//! `misplaced-hub`

use crate::rules::rule;

rule! {
    "misplaced-hub" reports [LK_34]
    checks []
    message "misplaced-hub"
    help "misplaced-hub"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
