//! `broken-gzip`

use crate::rules::rule;

rule! {
    "broken-gzip" reports [INP_03]
    checks []
    message "broken-gzip"
    help "broken-gzip"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
