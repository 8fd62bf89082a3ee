//! `not-http`

use crate::rules::rule;

rule! {
    "not-http" reports [ADV_06]
    checks []
    message "not-http"
    help "not-http"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
