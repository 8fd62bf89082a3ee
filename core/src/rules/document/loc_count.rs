//! `loc-count`

use crate::rules::rule;

rule! {
    "loc-count" reports [GEN_10]
    checks []
    message "loc-count"
    help "loc-count"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
