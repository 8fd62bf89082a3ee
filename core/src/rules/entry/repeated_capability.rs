//! `repeated-capability`

use crate::rules::rule;

rule! {
    "repeated-capability" reports [CAP_06]
    checks []
    message "repeated-capability"
    help "repeated-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
