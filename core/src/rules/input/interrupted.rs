//! `interrupted`

use crate::rules::rule;

rule! {
    "interrupted" reports [INP_04]
    checks []
    message "interrupted"
    help "interrupted"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
