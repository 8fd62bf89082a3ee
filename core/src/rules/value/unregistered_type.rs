//! `unregistered-type`

use crate::rules::rule;

rule! {
    "unregistered-type" reports [AT_13]
    checks []
    message "unregistered-type"
    help "unregistered-type"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
