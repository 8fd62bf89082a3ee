//! `no-index-form`

use crate::rules::rule;

rule! {
    "no-index-form" reports [GEN_07]
    checks []
    message "no-index-form"
    help "no-index-form"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
