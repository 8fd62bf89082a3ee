//! `unregistered-rel`

use crate::rules::rule;

rule! {
    "unregistered-rel" reports [LK_05]
    checks []
    message "unregistered-rel"
    help "unregistered-rel"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
