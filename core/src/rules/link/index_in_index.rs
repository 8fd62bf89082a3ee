//! `index-in-index`

use crate::rules::rule;

rule! {
    "index-in-index" reports [LK_09]
    checks []
    message "index-in-index"
    help "index-in-index"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
