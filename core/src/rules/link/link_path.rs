//! `link-path`

use crate::rules::rule;

rule! {
    "link-path" reports [LK_20]
    checks []
    message "link-path"
    help "link-path"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
