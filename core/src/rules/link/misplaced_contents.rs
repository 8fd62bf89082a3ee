//! `misplaced-contents`

use crate::rules::rule;

rule! {
    "misplaced-contents" reports [LK_32]
    checks []
    message "misplaced-contents"
    help "misplaced-contents"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
