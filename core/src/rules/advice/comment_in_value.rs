//! `comment-in-value`

use crate::rules::rule;

rule! {
    "comment-in-value" reports [ADV_04]
    checks []
    message "comment-in-value"
    help "comment-in-value"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
