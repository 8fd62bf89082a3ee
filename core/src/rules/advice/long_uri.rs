//! `long-uri`

use crate::rules::rule;

rule! {
    "long-uri" reports [ADV_05]
    checks []
    message "long-uri"
    help "long-uri"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
