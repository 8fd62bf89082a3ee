//! `old-up-relation`

use crate::rules::rule;

rule! {
    "old-up-relation" reports [ADV_08]
    checks []
    message "old-up-relation"
    help "old-up-relation"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
