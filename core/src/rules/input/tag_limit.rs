//! `tag-limit`

use crate::rules::rule;

rule! {
    "tag-limit" reports [LIM_08]
    checks []
    message "tag-limit"
    help "tag-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
