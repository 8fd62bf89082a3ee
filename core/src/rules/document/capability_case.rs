//! `capability-case`

use crate::rules::rule;

rule! {
    "capability-case" reports [AT_30]
    checks []
    message "capability-case"
    help "capability-case"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
