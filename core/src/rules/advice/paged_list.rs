//! `paged-list`

use crate::rules::rule;

rule! {
    "paged-list" reports [ADV_01]
    checks []
    message "paged-list"
    help "paged-list"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
