//! `loc-not-uri`

use crate::rules::rule;

rule! {
    "loc-not-uri" reports [GEN_11]
    checks []
    message "loc-not-uri"
    help "loc-not-uri"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
