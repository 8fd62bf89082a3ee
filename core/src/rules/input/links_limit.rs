//! `links-limit`

use crate::rules::rule;

rule! {
    "links-limit" reports [LIM_09]
    checks []
    message "links-limit"
    help "links-limit"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
